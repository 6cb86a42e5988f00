import { ADDRESSES } from '../kit/addresses.ts';
import type { AnyBody, WorldCall } from '../kit/target/own-world.ts';
import type { Action, EventSketch, Step } from './history.ts';
import type { Subscription } from './subscription.ts';
import { type ModelWorld, versionNumber } from './world.ts';

/** The ids that the emulator gave to what the model knows by index. */
export interface Ids {
  readonly products: string[];
  readonly customers: string[];
  readonly subscriptions: string[];
  /** How many ids of the caller's own are used up. */
  own: number;
}

/** What the call of a step is about. */
interface Place {
  readonly call: WorldCall;
  readonly ids: Ids;
  readonly world: ModelWorld;
  readonly step: Step;
  readonly path: { readonly customerId: string };
  readonly subscription: Subscription;
  readonly subscriptionId: string;
}

type Perform<K extends Action['do']> = (
  place: Place,
  action: Extract<Action, { readonly do: K }>,
) => Promise<object>;

export const instant = (at: number): string => new Date(at).toISOString();

/** Makes the call of a step and answers what is to be compared of its answer. */
export function perform(
  game: Pick<Place, 'call' | 'ids' | 'world'>,
  step: Step,
  subscription = 0,
): Promise<object> {
  const { ids, world } = game;
  const place = {
    ...game,
    step,
    path: { customerId: ids.customers[step.customer] as string },
    subscription: world.subscriptions[subscription] as Subscription,
    subscriptionId: ids.subscriptions[subscription] as string,
  };
  return (PERFORM[step.action.do] as Perform<Action['do']>)(place, step.action as never);
}

const PERFORM: { readonly [K in Action['do']]: Perform<K> } = {
  wait: async () => ({}),
  async events({ call, path, ...place }, { events: given }) {
    const events = sent(place, given);
    await call('submitEvents', { body: { customer_id: path.customerId, events } });
    const stored = [];
    for (const { id } of events) stored.push(await call('getEvent', { path: { eventId: id } }));
    return { events: stored.map(({ fees, stats }) => ({ fees, revenue: stats.gross_revenue })) };
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
      transaction_id: nextId(ids),
      ...(effective !== undefined && { effective_at: instant(from) }),
      ...(lasts !== undefined && { expires_at: instant(Math.max(from, world.now) + lasts) }),
    };
    return call('adjustWallet', { path, body });
  },
  charge: ({ call, path, ids }, { do: _, ...given }) =>
    call('chargeWallet', { path, body: { ...given, transaction_id: nextId(ids) } }),
  async top_up({ call, path }, { asset, amount, currency, exchange_rate }) {
    const destination = { asset, ...(exchange_rate !== undefined && { exchange_rate }) };
    const body = { customer_id: path.customerId, amount, currency, destination, ...ADDRESSES };
    const { id } = await call('createTopUp', { body });
    return call('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
  },
  async subscribe({ call, path, ids, subscription, world }, { starts }) {
    const { product, version } = subscription;
    const body = {
      products: [{ id: ids.products[product], version }],
      ...ADDRESSES,
      ...(starts && { starts_at: instant(world.now + starts) }),
    };
    ids.subscriptions.push((await call('createSubscription', { path, body })).id);
    return {};
  },
  pay: ({ call, subscriptionId: id }, { declines: declines_later }) =>
    call('settlePayment', {
      path: { id },
      body: { outcome: 'succeeded', payment_method: { kind: 'card', declines_later } },
    }),
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
  rate: ({ call }, { asset: assetCode, rate }) =>
    call('setAssetRate', { path: { assetCode }, body: { source: 'USD', rate } }),
};

const setStatus = ({ call, path, subscriptionId }: Place, status: string) =>
  call('updateSubscription', { path: { ...path, subscriptionId }, body: { status } });

function nextId(ids: Ids): string {
  ids.own += 1;
  return `00000000-0000-4000-8000-${String(ids.own).padStart(12, '0')}`;
}

const sent = ({ ids, world }: Pick<Place, 'ids' | 'world'>, events: readonly EventSketch[]) =>
  events.map(({ ago, ...event }) => ({
    ...event,
    id: nextId(ids),
    occurred_at: instant(world.now - ago),
  }));
