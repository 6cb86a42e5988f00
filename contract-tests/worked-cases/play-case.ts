import { ADDRESSES, type AnyBody, expect, uuid, type WorldCall } from '../kit/index.ts';
import { compare, type Place } from './compare.ts';

/** One script of this folder: what is done in a world of its own, and the numbers it must come to. */
export interface WorkedCase {
  readonly name: string;
  /** The breakdown by hand. */
  readonly why: string;
  readonly clock: string;
  readonly assets?: readonly object[];
  readonly products: readonly { readonly code: string }[];
  /** The subscriptions of each customer by the customer's name. */
  readonly customers: Readonly<Record<string, readonly object[]>>;
  readonly steps: readonly AnyBody[];
}

/** Plays a case in a world of its own, compares every number, and verifies the ledger. @throws ContractFailure */
export async function playWorkedCase(call: WorldCall, given: WorkedCase): Promise<void> {
  await call('setClock', { body: { mode: 'frozen', now: given.clock } });
  const ids = new Map<string, string>();
  for (const body of given.assets ?? []) await call('createAsset', { body });
  for (const product of given.products) {
    const body = { name: product.code, publish: true, ...product };
    ids.set(product.code, (await call('createProduct', { body })).id);
  }
  const customers = await makeCustomers(call, given, ids);
  let now = given.clock;
  for (const step of given.steps) {
    if (step.at) await call('advanceClock', { body: { to: step.at } });
    if (step.clock) await call('setClock', { body: { mode: 'frozen', now: step.clock } });
    now = step.at ?? step.clock ?? now;
    const customer = customers.get(step.customer) ?? [...customers.values()][0];
    if (!customer) throw new Error(`${given.name} has no customer.`);
    const subscriptionId = customer.subscriptions[step.subscription ?? 0];
    await play(call, { ...customer, subscriptionId, ids, now }, step);
  }
  expect(await call('verifyLedger', {})).toMatchObject({ sound: true });
}

async function makeCustomers(call: WorldCall, given: WorkedCase, ids: Map<string, string>) {
  const customers = new Map<string, Pick<Place, 'customerId' | 'subscriptions'>>();
  for (const [name, wanted] of Object.entries(given.customers)) {
    const made = wanted.map((body) => ({ ...ADDRESSES, ...body }));
    const body = { name, subscriptions: made };
    const { id: customerId, subscriptions } = await call('createCustomer', { body });
    ids.set(name, customerId);
    customers.set(name, { customerId, subscriptions: subscriptions.map(({ id }: AnyBody) => id) });
  }
  return customers;
}

/** Performs the actions of a step in the order written, `expect` last. */
async function play(call: WorldCall, place: Place, step: AnyBody): Promise<void> {
  for (const [action, given] of Object.entries(step)) await ACTIONS[action]?.(call, place, given);
  if (step.expect) await compare(call, place, step.expect);
}

type Action = (call: WorldCall, place: Place, given: AnyBody) => Promise<unknown>;

const ACTIONS: Readonly<Record<string, Action>> = {
  events: submit,
  simulate,
  adjust: (call, { customerId }, body) =>
    call('adjustWallet', { path: { customerId }, body: { transaction_id: uuid(), ...body } }),
  charge: (call, { customerId }, body) =>
    call('chargeWallet', { path: { customerId }, body: { transaction_id: uuid(), ...body } }),
  async top_up(call, { customerId: customer_id }, { outcome = 'succeeded', ...given }) {
    const { id } = await call('createTopUp', { body: { customer_id, ...ADDRESSES, ...given } });
    if (outcome) await call('settlePayment', { path: { id }, body: { outcome } });
  },
  rejected_top_up: (call, { customerId: customer_id }, given) =>
    call('createTopUp', { body: { customer_id, ...ADDRESSES, ...given } }, [422]),
  card: (call, { customerId }, body) => call('setPaymentMethod', { path: { customerId }, body }),
  auto_top_up: (call, { customerId }, { account: accountId = 'default:USD', ...body }) =>
    call('setAutoTopUp', { path: { customerId, accountId }, body }),
  pay: (call, { subscriptionId }, { outcome = 'succeeded', declines_later = false }) =>
    call('settlePayment', {
      path: { id: subscriptionId as string },
      body: { outcome, payment_method: { kind: 'card', declines_later } },
    }),
  async subscribe(call, { customerId, subscriptions }, body) {
    const parts = { path: { customerId }, body: { ...ADDRESSES, ...body } };
    subscriptions.push((await call('createSubscription', parts)).id);
  },
  set: (call, { customerId, subscriptionId }, body) =>
    call('updateSubscription', {
      path: { customerId, subscriptionId: subscriptionId as string },
      body,
    }),
  version: (call, { ids }, { product, ...body }) =>
    call('createProductVersion', {
      path: { productId: idOf(ids, product) },
      body: { publish: true, ...body },
    }),
  change,
  rejected_change: (call, place, given) => change(call, place, given, [422]),
  rate: (call, _, { asset: assetCode, ...body }) =>
    call('setAssetRate', { path: { assetCode }, body }),
};

function change(
  call: WorldCall,
  { customerId, subscriptionId, ids }: Place,
  { product, version }: AnyBody,
  statuses?: readonly number[],
) {
  const productId = idOf(ids, product);
  const path = { customerId, subscriptionId: subscriptionId as string, productId };
  return call('updateSubscriptionProduct', { path, body: { version } }, statuses);
}

async function submit(call: WorldCall, place: Place, given: readonly AnyBody[]): Promise<void> {
  const events = given.map((event) => asSent(place, event));
  await call('submitEvents', { body: { customer_id: place.customerId, events } });
  const query = { customer_id: place.customerId, limit: 1000 };
  const { items } = await call('listEvents', { query });
  const listed = new Map<string, AnyBody>(items.map((item: AnyBody) => [item.id, item]));
  for (const [index, { id }] of events.entries()) {
    const { fees: wanted, total } = given[index];
    const { has_fees, fee_currency, total_fees } = listed.get(id);
    // The total of at most one fee is that fee.
    const isOne = wanted.length < 2;
    if (total || isOne)
      expect(has_fees ? [fee_currency, total_fees] : undefined, 'total of the fees').toEqual(
        isOne ? wanted[0] : total,
      );
    if (isOne) continue;
    const { fees } = await call('getEvent', { path: { eventId: id } });
    expect(feesOf(fees)).toEqual([...wanted].sort());
  }
}

async function simulate(call: WorldCall, place: Place, given: AnyBody): Promise<void> {
  const events = given.events.map((event: AnyBody) => asSent(place, event));
  const customer_id = given.customer && idOf(place.ids, given.customer);
  const answer = await call('simulateUsage', {
    path: { productId: idOf(place.ids, given.product), version: given.version ?? 1 },
    body: { events, ...(customer_id && { customer_id }) },
  });
  for (const [index, { id }] of events.entries()) {
    const fees = answer.fees.filter(({ usage_id }: AnyBody) => usage_id === id);
    expect(feesOf(fees)).toEqual([...given.events[index].fees].sort());
  }
}

/** An event as it is sent: now unless told, with the id of those before it that have the same `as`. */
function asSent({ ids, now }: Place, { as, fees: _, total: __, ...event }: AnyBody): AnyBody {
  const id = (as && ids.get(as)) ?? uuid();
  if (as) ids.set(as, id);
  return { id, occurred_at: now, ...event };
}

const feesOf = (fees: readonly AnyBody[]) =>
  fees.map(({ currency, amount }) => [currency, amount]).sort();

function idOf(ids: Map<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The case names ${name}, which it does not have.`);
  return id;
}
