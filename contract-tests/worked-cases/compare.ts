import { type AnyBody, type CustomerWorld, expect, type WorldCall } from '../kit/index.ts';

/** What a step is about. */
export interface Place {
  readonly world: CustomerWorld;
  /** Ids of the customer's subscriptions, in the order in which they were made. */
  readonly subscriptions: string[];
  readonly subscriptionId: string | undefined;
  /** Ids of what a step names: products by code, customers by name, events by `as`. */
  readonly ids: Map<string, string>;
  readonly now: string;
}

type Reading = (call: WorldCall, place: Place, wanted: AnyBody) => Promise<unknown>;

/** How each thing that `expect` names is read. */
const READINGS: Readonly<Record<string, Reading>> = {
  balances: (call, place, wanted) => ofAccounts(call, place, wanted, 'available'),
  pending_in: (call, place, wanted) => ofAccounts(call, place, wanted, 'pending_in'),
  grants: (call, place, wanted) =>
    ofGrants(
      call,
      place,
      wanted,
      ({ purpose, available }) => available > 0 && [purpose, available],
    ),
  ends: (call, place, wanted) =>
    ofGrants(call, place, wanted, ({ available, expires_at }) => available > 0 && expires_at),
  /** The purposes of the grants that have not ended, with or without credit. */
  unended: (call, place, wanted) =>
    ofGrants(call, place, wanted, ({ purpose }) => purpose, { exclude_expired: true }),
  starts: (call, place, wanted) => ofGrants(call, place, wanted, (grant) => grant.effective_at),
  revenue: async (call, { world: { path } }) =>
    (await call('getCustomerStats', { path })).gross_revenue,
  async revenue_by_day(call, _, wanted) {
    const found = Object.keys(wanted).map(async (day) => {
      const query = { period_from: day, period_to: day };
      return [day, (await call('listCustomerStats', { query })).summary.gross_revenue];
    });
    return Object.fromEntries(await Promise.all(found));
  },
  status: ofSubscription(({ status }) => status),
  version: ofSubscription(({ products }) => products[0].version),
  started_at: ofSubscription(({ started_at }) => started_at ?? null),
  renews_at: ofSubscription(({ renews_at }) => renews_at ?? null),
  async activations(call) {
    const { items } = await call('listWebhookEvents', {});
    const times = items.map(({ data }: AnyBody) => data.occurred_at);
    expect(
      items.map(({ time }: AnyBody) => time),
      'times of events',
    ).toEqual(times);
    return times.reverse();
  },
};

/** What is read of the subscription that a step is about. */
function ofSubscription(read: (subscription: AnyBody) => unknown): Reading {
  return async (call, { world: { path }, subscriptionId }) => {
    const { subscriptions } = await call('getCustomer', { path });
    return read(subscriptions.find(({ id }: AnyBody) => id === subscriptionId));
  };
}

/** What is read of each grant of some accounts, in any order; of a grant that reads as false, nothing. */
async function ofGrants(
  call: WorldCall,
  { world: { path } }: Place,
  wanted: object,
  read: (grant: AnyBody) => unknown,
  query: Readonly<Record<string, unknown>> = {},
): Promise<object> {
  const grants = Object.keys(wanted).map(async (accountId) => {
    const { items } = await call('listGrants', { path: { ...path, accountId }, query });
    return [accountId, items.map(read).filter(Boolean).sort()];
  });
  return Object.fromEntries(await Promise.all(grants));
}

/** What is read of grants, and compared in any order. */
const OF_GRANTS = ['grants', 'ends', 'starts', 'unended'];

/** Compares all that a step expects with what the service shows. */
export async function compare(place: Place, wanted: AnyBody): Promise<void> {
  const read = readingOnce(place.world.call);
  for (const [name, value] of Object.entries(wanted)) {
    const found = await READINGS[name]?.(read, place, value);
    expect(found, `${name} at ${place.now}`).toEqual(
      OF_GRANTS.includes(name) ? sorted(value) : value,
    );
  }
}

/** Reads each thing once, however many names are about it. */
function readingOnce(call: WorldCall): WorldCall {
  const known = new Map<string, Promise<AnyBody>>();
  return (operation, parts) => {
    const key = JSON.stringify([operation, parts]);
    const found = known.get(key) ?? call(operation, parts);
    known.set(key, found);
    return found;
  };
}

/** What is wanted of the grants of each account, in the order in which it is read. */
const sorted = (grants: AnyBody) =>
  Object.fromEntries(Object.entries(grants).map(([id, all]) => [id, [...(all as [])].sort()]));

/** A figure of wallet accounts; one that does not exist has 0. */
async function ofAccounts(
  call: WorldCall,
  { world: { path } }: Place,
  wanted: object,
  field: string,
): Promise<object> {
  const { accounts } = await call('getWallet', { path });
  const known = new Map(accounts.map((account: AnyBody) => [account.id, account]));
  const figures = Object.keys(wanted).map(async (accountId) => {
    const listed = known.get(accountId) as AnyBody;
    if (!listed || field in listed) return [accountId, listed?.[field] ?? 0];
    const account = await call('getWalletAccount', { path: { ...path, accountId } });
    return [accountId, account[field]];
  });
  return Object.fromEntries(await Promise.all(figures));
}
