import { type AnyBody, CustomerWorld, type WorldCall } from '../kit/target/own-world.ts';
import { type Outcome, plansOf } from './act.ts';
import { type ActionKind, type ActionOf, expenseOf, type Step } from './history.ts';
import { planOf, type Subscription } from './subscription.ts';
import { type ModelWorld, versionNumber } from './world.ts';

/** The service's ids for the objects that the model knows by index. */
export interface Ids {
  readonly products: string[];
  readonly customers: string[];
  readonly subscriptions: string[];
  readonly vendors: string[];
  /** Those that the caller ordered. */
  readonly topUps: string[];
  /** The number of ids that the caller has used. */
  own: number;
}

/** The context of a step's request. */
interface Place {
  readonly customer: CustomerWorld;
  readonly ids: Ids;
  readonly world: ModelWorld;
  readonly step: Step;
  readonly subscription: Subscription;
  readonly subscriptionId: string;
  readonly outcome: Outcome;
}

type Perform<K extends ActionKind> = (place: Place, action: ActionOf<K>) => Promise<object>;

export const instant = (at: number): string => new Date(at).toISOString();
export const dayOfInstant = (at: number): string => instant(at).slice(0, 10);

/** Performs the request of a step. Returns the parts of the response, and of the account, that are compared. */
export async function perform(
  { call, ids, world }: Pick<Place, 'ids' | 'world'> & { readonly call: WorldCall },
  step: Step,
  outcome: Outcome,
): Promise<AnyBody> {
  const { subscription = 0, account, customer: index = step.customer } = outcome;
  const customer = new CustomerWorld(call, ids.customers[index] as string);
  const place = {
    customer,
    ids,
    world,
    step,
    outcome,
    subscription: world.subscriptions[subscription] as Subscription,
    subscriptionId: ids.subscriptions[subscription] as string,
  };
  const answer = await (PERFORM[step.action.do] as Perform<ActionKind>)(
    place,
    step.action as never,
  );
  if (!account) return { ...answer };
  const path = { ...customer.path, accountId: account.id };
  return { ...answer, account: await call('getWalletAccount', { path }) };
}

const PERFORM: { readonly [K in ActionKind]: Perform<K> } = {
  wait: async () => ({}),
  async events({ customer: { call, path }, ids, world }, { events: given }) {
    const events = given.map((sketch) => {
      const { ago, ...event } = sketch;
      const { vendor, cost } = expenseOf(sketch);
      return {
        ...event,
        id: nextId(ids),
        occurred_at: instant(world.now - ago),
        costs: [{ ...cost, id: nextId(ids), vendor_id: ids.vendors[vendor] }],
      };
    });
    await call('submitEvents', { body: { customer_id: path.customerId, events } });
    // What all of them cost is compared in the end.
    const eventId = events.at(-1)?.id as string;
    return { event: shownEvent(await call('getEvent', { path: { eventId } })) };
  },
  adjust({ customer, ids, world }, { do: _, effective, lasts, ...given }) {
    const from = world.now + (effective ?? 0);
    return customer.adjust({
      ...given,
      transaction_id: nextId(ids),
      ...(effective !== undefined && { effective_at: instant(from) }),
      ...(lasts !== undefined && { expires_at: instant(Math.max(from, world.now) + lasts) }),
    });
  },
  charge: ({ customer, ids }, { do: _, ...given }) =>
    customer.charge({ ...given, transaction_id: nextId(ids) }),
  async top_up({ customer, ids, world }, { do: _, ...given }) {
    const { outcome, lasts, amount, currency, ...to } = given;
    const fields = {
      amount,
      currency,
      destination: to,
      ...(lasts !== undefined && { credit_expires_at: instant(world.now + lasts) }),
    };
    const { id } = await customer.topUp(fields);
    ids.topUps.push(id);
    const outcomes = outcome === 'failed' ? [outcome, 'succeeded'] : outcome ? [outcome] : [];
    for (const each of outcomes) await customer.settle(id, each);
    return {};
  },
  async subscribe({ customer, ids, world, step }, action) {
    const { starts = 0, renews } = action;
    const products = plansOf(world, step, action).map(({ product, version }) => ({
      id: ids.products[product],
      version,
    }));
    const terms = {
      ...(starts > 0 && { starts_at: instant(world.now + starts) }),
      ...(renews && { renews_at: instant(world.now + starts + renews) }),
    };
    const made = await customer.subscribe(products, terms);
    ids.subscriptions.push(made.id);
    return { made };
  },
  async pay({ customer, subscriptionId: id }, { outcome, declines: declines_later }) {
    const isPaid = outcome === 'succeeded';
    const method = isPaid ? { payment_method: { kind: 'card', declines_later } } : {};
    await customer.settle(id, outcome, method);
    return subscriptionsOf(customer);
  },
  settle: ({ customer, ids, outcome: { topUp } }, { outcome }) =>
    customer.settle(ids.topUps[topUp as number] as string, outcome),
  async auto_top_up({ customer: { call, path }, outcome: { account } }, { do: _, ...given }) {
    const accountId = account?.id as string;
    const { threshold, amount, currency } = given;
    const body = threshold === null ? { threshold } : { threshold, amount, currency };
    await call('setAutoTopUp', { path: { ...path, accountId }, body });
    return {};
  },
  card: ({ customer: { call, path } }, { method }) =>
    call('setPaymentMethod', {
      path,
      body: method === 'declining' ? { kind: 'card', declines_later: true } : { kind: method },
    }),
  move: (place, { to }) => update(place, { renews_at: instant(place.world.now + to) }),
  end: (place) => update(place, { status: 'inactive' }),
  resume: (place) => update(place, { status: 'active' }),
  async change(place, { version: given }) {
    const { customer, ids, world, step, subscription, subscriptionId } = place;
    const { product } = planOf(subscription, step.product);
    const productId = ids.products[product] as string;
    const version = versionNumber(world, product, given);
    await customer.change(subscriptionId, productId, version);
    return subscriptionsOf(customer);
  },
  async rate({ customer, world }, { asset: assetCode, source, rate, from, lasts }) {
    const begin = world.now + (from ?? 0);
    const body = {
      source,
      rate,
      ...(from && { valid_from: instant(begin) }),
      ...(lasts && { valid_to: instant(begin + lasts) }),
    };
    await customer.call('setAssetRate', { path: { assetCode }, body });
    return {};
  },
};

/** Updates a subscription. Returns those that its customer then has. */
async function update({ customer, subscriptionId }: Place, body: object): Promise<object> {
  await customer.update(subscriptionId, body);
  return subscriptionsOf(customer);
}

/** All subscriptions of the customer, because what happens to one must not change another. */
async function subscriptionsOf({ call, path }: CustomerWorld): Promise<object> {
  const { subscriptions } = await call('getCustomer', { path });
  return { subscriptions };
}

function nextId(ids: Ids): string {
  ids.own += 1;
  return `0000000a-0000-4000-8000-${String(ids.own).padStart(12, '0')}`;
}

/** A stored event, with the dimensions of each fee as one value, so that none more than expected are allowed. */
export const shownEvent = (event: AnyBody): AnyBody => ({
  ...event,
  fees: event.fees.map((fee: AnyBody) => ({
    ...fee,
    dimensions: JSON.stringify(fee.dimensions),
  })),
});
