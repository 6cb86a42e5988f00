import type { AnyBody } from '../kit/target/own-world.ts';
import { NEVER } from './account.ts';
import { type Ids, instant } from './calls.ts';
import type { Compared, Stage } from './compare.ts';
import { type ActionKind, sentContent } from './history.ts';
import type { RatePeriod } from './records.ts';
import { planOf, type Subscription } from './subscription.ts';
import { tasksIn, usageIn, vendorsIn } from './usage-views.ts';
import { type Customer, versionOf } from './world.ts';

const WHOLE = { limit: 1000 };

const CHANGES_OF_PLANS: readonly ActionKind[] = ['change', 'move', 'end', 'resume'];

/**
 * What lists and details show of rates, versions, subscriptions, usage, tasks, top-ups, subscribers and vendors, and the log of
 * webhook events.
 */
export async function* viewsIn(stage: Stage): AsyncIterable<Compared> {
  for (const customer of stage.world.customers) {
    yield* subscriptionsIn(stage, customer);
    if (customer.events.length === 0) continue;
    yield* usageIn(stage, customer);
    yield* tasksIn(stage, customer);
  }
  yield* topUpsIn(stage);
  yield* automaticIn(stage);
  // Where plans or rates stay as they began, other requests say more.
  const kinds = new Set(stage.world.history.steps.map(({ action }) => action.do));
  if (CHANGES_OF_PLANS.some((kind) => kinds.has(kind))) {
    yield* versionsIn(stage);
    yield* subscribersIn(stage);
  }
  if (kinds.has('rate')) yield* ratesIn(stage);
  yield* vendorsIn(stage);
  yield activationsIn(stage, (await stage.call('listWebhookEvents', { query: WHOLE })).items);
}

/** The subscriptions of a customer, and the lists that count those that are active. */
async function* subscriptionsIn(stage: Stage, { index }: Customer): AsyncIterable<Compared> {
  const { call, ids, world } = stage;
  const customerId = ids.customers[index] as string;
  const own = world.subscriptions.filter(({ customer }) => customer === index);
  const active_subscription_count = own.filter(({ status }) => status === 'active').length;
  const summary = { id: customerId, name: `c${index}`, active_subscription_count };
  const detail = await call('getCustomer', { path: { customerId } });
  const subscriptions = shownSubscriptions(stage, index, detail);
  yield [`c${index}`, detail, { ...summary, subscriptions }];
  const status = active_subscription_count > 0 ? 'active' : 'inactive';
  const { items } = await call('listCustomers', { query: { name: `c${index}`, status } });
  yield [`c${index} as ${status}`, items, [summary]];
}

/** The subscriptions of a customer as its detail shows them. */
export const shownSubscriptions = (
  { ids, world }: Omit<Stage, 'call'>,
  index: number,
  detail: AnyBody,
): object[] =>
  world.subscriptions
    .filter(({ customer }) => customer === index)
    .map((subscription, place) =>
      shownSubscription(ids, subscription, detail.subscriptions[place]),
    );

/** A subscription as responses show it. Which link a payment has is known from the response that first shows it. */
export function shownSubscription(ids: Ids, subscription: Subscription, found: AnyBody): object {
  const { index, status, plans, startedAt, nextRenewal, link } = subscription;
  return {
    id: ids.subscriptions[index],
    status,
    products: plans.map(({ product, version }) => ({ ...{ id: ids.products[product], version } })),
    started_at: startedAt === NEVER ? undefined : instant(startedAt),
    // Without a payment, the renewal that was missed can stay or not.
    ...(status === 'active' && {
      renews_at: nextRenewal === NEVER ? undefined : instant(nextRenewal),
    }),
    required_actions: link
      ? [{ type: 'payment', redirect_url: linkOf(ids, link.number, found) }]
      : [],
  };
}

function linkOf({ links }: Ids, number: number, found: AnyBody): string {
  const shown = found?.required_actions[0]?.redirect_url;
  const known = links.get(number);
  if (known !== undefined) return known;
  if (shown === undefined || [...links.values()].includes(shown)) return 'another link';
  links.set(number, shown);
  return shown;
}

async function* topUpsIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const { ordered, customer, account, rate, ...topUp } of world.topUps) {
    const id = ordered === undefined ? undefined : ids.topUps[ordered];
    if (id === undefined) continue;
    const { status, currency, amount } = topUp;
    const { name: account_name, asset } = account;
    const wanted = {
      ...{ id, customer_id: ids.customers[customer], status, currency, amount },
      // Those of these histories are below 10.
      destination: { account_name, asset, exchange_rate: rate.rounded(12) },
    };
    yield [`top-up ${ordered}`, await call('getTopUp', { path: { topUpId: id } }), wanted];
  }
}

/** The terms of the automatic top-ups of each customer. */
async function* automaticIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const { index } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const wanted = world.automatic
      .filter(({ customer }) => customer === index)
      .map(({ account, threshold, amount, currency }) => ({
        ...{ account_id: account.id, threshold, amount, currency },
      }));
    const { items } = await call('listAutoTopUps', { path });
    const sorted = (terms: AnyBody[]) =>
      terms.sort((one, other) => (one.account_id < other.account_id ? -1 : 1));
    yield [`c${index} automatic top-ups`, sorted(items), sorted(wanted)];
  }
}

/** The rates of each asset by source, newest first, as they were sent. */
async function* ratesIn({ call, world }: Stage): AsyncIterable<Compared> {
  for (const { code: assetCode } of world.history.assets) {
    const { rates = [] } = await call('getAsset', { path: { assetCode } });
    const wanted = world.rates
      .filter(({ asset }) => asset === assetCode)
      .map(({ source, periods }) => ({ source, schedule: periods.map(shownRate).reverse() }));
    yield [`rates of ${assetCode}`, rates.sort(bySource), wanted.sort(bySource)];
  }
}

const bySource = (one: { source: string }, other: { source: string }): number =>
  one.source < other.source ? -1 : 1;

const shownRate = ({ from, to, rate, inverse }: RatePeriod): object => ({
  ...(inverse === undefined ? { rate } : { inverse_rate: inverse }),
  valid_from: instant(from),
  valid_to: to === NEVER ? undefined : instant(to),
});

/**
 * Every version in the list, and the prices and entitlements of each that was subscribed to, in the order and nesting in
 * which they were sent.
 */
async function* versionsIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  const { items } = await call('listProductVersions', { query: WHOLE });
  const made = world.history.products.flatMap((versions, product) =>
    versions.map((_, index) => `p${product} ${index + 1} published`),
  );
  const listed = items.map(({ code, version, status }: AnyBody) => `${code} ${version} ${status}`);
  yield ['versions', listed.sort(), made.sort()];
  const held = world.subscriptions.flatMap(({ plans, phases }) => [
    ...plans,
    ...phases.flatMap((phase) => phase.plans),
  ]);
  const plans = new Map(held.map((plan) => [`p${plan.product} version ${plan.version}`, plan]));
  for (const [name, { product, version }] of plans) {
    const path = { productId: ids.products[product] as string, version: String(version) };
    const found = await call('getProductVersion', { path });
    const sent = sentContent(versionOf(world, { product, version }));
    yield [name, found, JSON.parse(JSON.stringify(sent, withoutNoDimensions))];
  }
}

/** A group that was sent with no dimensions is shown without the field. */
const withoutNoDimensions = (name: string, value: unknown) =>
  name === 'dimensions' && Object.keys(value as object).length === 0 ? undefined : value;

/** The subscribers of each product, newest customer first, with the subscription that decides. */
async function* subscribersIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const [product, productId] of ids.products.entries()) {
    const wanted = [...world.customers].reverse().flatMap(({ index }) => {
      const held = world.subscriptions
        .filter((each) => each.customer === index && isTo(each, product))
        .filter(({ status, startedAt }) => status !== 'inactive' && startedAt !== NEVER)
        .sort((one, other) => rankOf(one, world.now) - rankOf(other, world.now))
        .at(-1);
      return held
        ? [
            {
              subscription_id: ids.subscriptions[held.index],
              version: planOf(held, product).version,
            },
          ]
        : [];
    });
    const { items } = await call('listSubscribers', { path: { productId }, query: WHOLE });
    yield [`subscribers of p${product}`, items, wanted];
  }
}

const isTo = ({ plans }: Subscription, product: number) =>
  plans.some((plan) => plan.product === product);

/** One that bills usage now outranks one that is past due or has not begun; then the later start does. */
function rankOf({ phases, startedAt, index }: Subscription, now: number): number {
  const held = phases.find(({ from, to }) => from <= now && now < to);
  const rank = held ? (held.isPastDue ? 1 : 2) : 0;
  return rank * 1e16 + startedAt * 1e2 + index;
}

function activationsIn({ ids, world }: Stage, items: readonly object[]): Compared {
  const wanted = world.activations.map(({ subscription, at }) => ({
    topic: 'subscription.activated',
    time: instant(at),
    data: { subscription_id: ids.subscriptions[subscription], occurred_at: instant(at) },
  }));
  return ['activations', items, wanted.reverse()];
}
