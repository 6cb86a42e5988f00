import {
  ADDRESSES,
  type AnyBody,
  CustomerWorld,
  expect,
  uuid,
  type WorldCall,
} from '../kit/index.ts';
import { compare, type Place } from './compare.ts';

/** One case of a file, in which checks are named by their ids: what is done in a world of its own, and the numbers it must come to. */
export interface WorkedCase {
  readonly name: string;
  /** The breakdown by hand. */
  readonly why: string;
  readonly clock: string;
  readonly assets?: readonly object[];
  readonly products: readonly { readonly code: string }[];
  /** The subscriptions of each customer by the customer's name. */
  readonly customers: Readonly<Record<string, readonly object[]>>;
  /** Whether another customer, with a card, does as the first one does, which must not count for anybody else. */
  readonly neighbour?: boolean;
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
    await play({ ...customer, subscriptionId, ids, now }, step);
  }
  expect(await call('verifyLedger', {})).toMatchObject({ sound: true });
}

/** The name of the neighbour among the customers. */
const NEIGHBOUR = 'neighbour';

async function makeCustomers(call: WorldCall, given: WorkedCase, ids: Map<string, string>) {
  const { customers: named, neighbour } = given;
  const [first = []] = Object.values(named);
  const all = neighbour ? { ...named, [NEIGHBOUR]: first } : named;
  const customers = new Map<string, Pick<Place, 'world' | 'subscriptions'>>();
  for (const [name, wanted] of Object.entries(all)) {
    const made = wanted.map((body) => ({ ...ADDRESSES, ...body }));
    const body = { name, subscriptions: made };
    const { id: customerId, subscriptions } = await call('createCustomer', { body });
    ids.set(name, customerId);
    const world = new CustomerWorld(call, customerId);
    if (name === NEIGHBOUR)
      await call('setPaymentMethod', { path: world.path, body: { kind: 'card' } });
    customers.set(name, { world, subscriptions: subscriptions.map(({ id }: AnyBody) => id) });
  }
  return customers;
}

/** Performs the actions of a step in the order written, `expect` last. */
async function play(place: Place, step: AnyBody): Promise<void> {
  for (const [action, given] of Object.entries(step)) await ACTIONS[action]?.(place, given);
  if (step.expect) await compare(place, step.expect);
}

type Action = (place: Place, given: AnyBody) => Promise<unknown>;

/** The name of the latest top-up among the ids. */
const LAST_TOP_UP = 'last top-up';

const ACTIONS: Readonly<Record<string, Action>> = {
  events: submit,
  simulate,
  adjust: ({ world }, body) => world.adjust(body),
  charge: ({ world }, body) => world.charge(body),
  async top_up({ world, ids }, { outcome = 'succeeded', outcomes = [outcome], ...given }) {
    const { id } = await world.topUp(given);
    ids.set(LAST_TOP_UP, id);
    for (const each of outcomes) if (each) await world.settle(id, each);
  },
  settle: ({ world, ids }, outcome) => world.settle(idOf(ids, LAST_TOP_UP), outcome),
  rejected_top_up: ({ world }, given) => world.topUp(given, [422]),
  card: ({ world: { call, path } }, body) => call('setPaymentMethod', { path, body }),
  auto_top_up: ({ world: { call, path } }, { account: accountId = 'default:USD', ...body }) =>
    call('setAutoTopUp', { path: { ...path, accountId }, body }),
  pay: ({ world, subscriptionId }, { outcome, declines_later = false }) =>
    world.settle(subscriptionId as string, outcome, {
      payment_method: { kind: 'card', declines_later },
    }),
  async subscribe({ world, subscriptions }, { products, ...terms }) {
    subscriptions.push((await world.subscribe(products, terms)).id);
  },
  set: ({ world, subscriptionId }, body) => world.update(subscriptionId as string, body),
  version: ({ world, ids }, { product, ...body }) => world.version(idOf(ids, product), body),
  change: ({ world, subscriptionId, ids }, { product, version }) =>
    world.change(subscriptionId as string, idOf(ids, product), version),
  rejected_change: ({ world, subscriptionId, ids }, { product, version }) =>
    world.change(subscriptionId as string, idOf(ids, product), version, [422]),
  rate: ({ world }, { asset: assetCode, ...body }) =>
    world.call('setAssetRate', { path: { assetCode }, body }),
};

async function submit(place: Place, given: readonly AnyBody[]): Promise<void> {
  const { call, path } = place.world;
  const events = given.map((event) => asSent(place, event));
  const neighbour = place.ids.get(NEIGHBOUR);
  if (neighbour) {
    const same = events.map((event) => ({ ...event, id: uuid() }));
    await call('submitEvents', { body: { customer_id: neighbour, events: same } });
  }
  await call('submitEvents', { body: { customer_id: path.customerId, events } });
  const query = { customer_id: path.customerId, limit: 1000 };
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

async function simulate(place: Place, given: AnyBody): Promise<void> {
  const events = given.events.map((event: AnyBody) => asSent(place, event));
  const customer_id = given.customer && idOf(place.ids, given.customer);
  const answer = await place.world.call('simulateUsage', {
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
