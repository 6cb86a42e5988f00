import { ADDRESSES } from '../kit/addresses.ts';
import type { AnyBody, WorldCall } from '../kit/target/own-world.ts';
import type { Outcome } from './act.ts';
import type { ActionKind, ActionOf, EventSketch, Step } from './history.ts';
import type { Subscription } from './subscription.ts';
import { contentOf, customerOf, type ModelWorld, shelfOf, versionNumber } from './world.ts';

/** The emulator's ids for the objects that the model knows by index. */
export interface Ids {
  readonly products: string[];
  readonly customers: string[];
  readonly subscriptions: string[];
  readonly vendors: string[];
  /** Usage events, and adjustments and charges, in the order of submission. */
  readonly events: string[];
  readonly transactions: string[];
  readonly topUps: string[];
  /** The number of ids that the caller has used. */
  own: number;
}

/** The context of a step's request. */
interface Place {
  readonly call: WorldCall;
  readonly ids: Ids;
  readonly world: ModelWorld;
  readonly step: Step;
  readonly path: { readonly customerId: string };
  readonly subscription: Subscription;
  readonly subscriptionId: string;
  readonly outcome: Outcome;
}

type Perform<K extends ActionKind> = (place: Place, action: ActionOf<K>) => Promise<object>;

export const instant = (at: number): string => new Date(at).toISOString();

/** Performs the request of a step. Returns the parts of the response, and of the account, that are compared. */
export async function perform(
  game: Pick<Place, 'call' | 'ids' | 'world'>,
  step: Step,
  outcome: Outcome,
): Promise<AnyBody> {
  const { subscription = 0, account } = outcome;
  const { ids, world, call } = game;
  const path = { customerId: ids.customers[step.customer] as string };
  const place = {
    ...{ ...game, step, path, outcome },
    subscription: world.subscriptions[subscription] as Subscription,
    subscriptionId: ids.subscriptions[subscription] as string,
  };
  const answer = await (PERFORM[step.action.do] as Perform<ActionKind>)(
    place,
    step.action as never,
  );
  if (!account) return answer;
  return {
    ...answer,
    account: await call('getWalletAccount', { path: { ...path, accountId: account.id } }),
  };
}

const PERFORM: { readonly [K in ActionKind]: Perform<K> } = {
  wait: async () => ({}),
  async events({ call, path, ...place }, { events: given }) {
    const events = sent(place, given);
    const { external_id } = customerOf(place.world, place.step.customer);
    const isNamed = external_id !== null && place.ids.events.length % 2 === 1;
    const whose = isNamed
      ? { customer_external_id: external_id }
      : { customer_id: path.customerId };
    await call('submitEvents', { body: { ...whose, events } });
    const stored = [];
    for (const { id } of events) stored.push(await call('getEvent', { path: { eventId: id } }));
    place.ids.events.push(...events.map(({ id }) => id));
    return { events: stored };
  },
  async simulate({ call, path, ...place }, { events: given, forCustomer, version }) {
    const { ids, step, world } = place;
    const events = sent(place, given);
    const productId = ids.products[step.product] as string;
    const { fees } = await call('simulateUsage', {
      path: { productId, version: versionNumber(world, step.product, version) },
      body: { events, ...(forCustomer && { customer_id: path.customerId }) },
    });
    const of = (id: string) => fees.filter(({ usage_id }: AnyBody) => usage_id === id);
    return { simulated: events.map(({ id }) => of(id)) };
  },
  adjust({ call, path, ids, world }, { do: _, effective, lasts, ...given }) {
    const from = world.now + (effective ?? 0);
    const body = {
      ...given,
      transaction_id: ownTransaction(ids),
      ...(effective !== undefined && { effective_at: instant(from) }),
      ...(lasts !== undefined && { expires_at: instant(Math.max(from, world.now) + lasts) }),
    };
    return call('adjustWallet', { path, body });
  },
  charge: ({ call, path, ids }, { do: _, ...given }) =>
    call('chargeWallet', { path, body: { ...given, transaction_id: ownTransaction(ids) } }),
  async top_up({ call, path, ids }, { do: _, outcome, amount, currency, ...destination }) {
    const body = { customer_id: path.customerId, amount, currency, destination, ...ADDRESSES };
    const answer = await call('createTopUp', { body });
    const { id } = answer;
    ids.topUps.push(id);
    const outcomes = outcome === 'failed' ? [outcome, 'succeeded'] : outcome ? [outcome] : [];
    for (const each of outcomes)
      await call('settlePayment', { path: { id }, body: { outcome: each } });
    return { topUp: answer };
  },
  async subscribe({ call, path, ids, subscription, world }, { starts }) {
    const { product, version, index } = subscription;
    const { standard } = shelfOf(world, product);
    const reference = index % 2 === 0 ? { id: ids.products[product] } : { code: `p${product}` };
    const body = {
      products: [{ ...reference, ...(version !== standard && { version }) }],
      ...ADDRESSES,
      ...(starts && { starts_at: instant(world.now + starts) }),
    };
    const answer = await call('createSubscription', { path, body });
    ids.subscriptions.push(answer.id);
    return { subscription: answer };
  },
  pay: ({ call, subscriptionId: id }, { declines: declines_later }) =>
    call('settlePayment', {
      path: { id },
      body: { outcome: 'succeeded', payment_method: { kind: 'card', declines_later } },
    }),
  card: ({ call, path }, { declines: declines_later }) =>
    declines_later === null
      ? call('setPaymentMethod', { path, body: { kind: 'none' } })
      : call('setPaymentMethod', { path, body: { kind: 'card', declines_later } }),
  end: (place) => setStatus(place, 'inactive'),
  resume: (place) => setStatus(place, 'active'),
  change({ call, path, ids, subscription, subscriptionId }) {
    const productId = ids.products[subscription.product] as string;
    const { version } = subscription;
    return call('updateSubscriptionProduct', {
      path: { ...path, subscriptionId, productId },
      body: { version },
    });
  },
  rate({ call, world }, { asset: assetCode, rate, from }) {
    const valid_from = from && { valid_from: instant(world.now + from) };
    const body = { source: 'USD', rate, ...valid_from };
    return call('setAssetRate', { path: { assetCode }, body });
  },
  archive: (place, { version }) =>
    place.call('archiveProductVersion', { path: versionPath(place, version) }),
  default: (place, { version }) =>
    place.call('updateProductVersion', {
      path: versionPath(place, version),
      body: { make_default: true },
    }),
  edit({ call, ids, world, step, outcome }, { do: _, pick: __, parts, ...how }) {
    const { product } = step;
    const { version = 0 } = outcome;
    return call('updateProductVersion', {
      path: { productId: ids.products[product] as string, version },
      body: { ...contentOf(world.history, product, version, parts), ...how },
    });
  },
};

const versionPath = ({ ids, world, step }: Place, version: number) => ({
  productId: ids.products[step.product] as string,
  version: versionNumber(world, step.product, version),
});

const setStatus = ({ call, path, subscriptionId }: Place, status: string) =>
  call('updateSubscription', { path: { ...path, subscriptionId }, body: { status } });

function ownTransaction(ids: Ids): string {
  const id = nextId(ids);
  ids.transactions.push(id);
  return id;
}

function nextId(ids: Ids): string {
  ids.own += 1;
  return `0000000a-0000-4000-8000-${String(ids.own).padStart(12, '0')}`;
}

const sent = ({ ids, world }: Pick<Place, 'ids' | 'world'>, events: readonly EventSketch[]) =>
  events.map(({ ago, costs = [], ...event }) => ({
    ...event,
    id: nextId(ids),
    occurred_at: instant(world.now - ago),
    costs: costs.map(({ vendor, ...cost }) => ({
      ...cost,
      id: nextId(ids),
      ...(vendor === 0 ? { vendor_id: ids.vendors[0] } : { vendor_external_id: VENDORS[vendor] }),
    })),
  }));

/** External ids of the vendors. */
export const VENDORS = ['v', 'V'];
