import type { AnyBody } from '../kit/target/own-world.ts';
import { NEVER } from './account.ts';
import { type Ids, instant, shownEvent } from './calls.ts';
import type { Compared, Stage } from './compare.ts';
import { expenseOf } from './history.ts';
import type { ExpectedFee, RatePeriod, UsageRecord } from './records.ts';
import type { Subscription } from './subscription.ts';
import type { Customer } from './world.ts';

const WHOLE = { limit: 1000 };

/** What lists and details show of subscriptions, usage, top-ups and rates, and the activations in the log of webhook events. */
export async function* viewsIn(stage: Stage): AsyncIterable<Compared> {
  for (const customer of stage.world.customers) {
    yield* subscriptionsIn(stage, customer);
    if (customer.events.length === 0) continue;
    yield* usageIn(stage, customer);
  }
  yield* topUpsIn(stage);
  yield* automaticIn(stage);
  if (stage.world.history.steps.some(({ action }) => action.do === 'rate')) yield* ratesIn(stage);
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
    products: plans.map(({ product, version }) => ({ id: ids.products[product], version })),
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
      id,
      customer_id: ids.customers[customer],
      status,
      currency,
      amount,
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
        account_id: account.id,
        threshold,
        amount,
        currency,
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

function activationsIn({ ids, world }: Stage, items: readonly object[]): Compared {
  const wanted = world.activations.map(({ subscription, at }) => ({
    topic: 'subscription.activated',
    time: instant(at),
    data: { subscription_id: ids.subscriptions[subscription], occurred_at: instant(at) },
  }));
  return ['activations', items, wanted.reverse()];
}

/** The usage of a customer, latest submission first. */
export async function* usageIn(
  { call, ids }: Stage,
  { index, events }: Customer,
): AsyncIterable<Compared> {
  const query = { ...WHOLE, customer_id: ids.customers[index] as string };
  const { items } = await call('listEvents', { query });
  yield [`c${index} usage`, items, events.map(listed).reverse()];
}

function listed({ event_type, at, subject, fees, total, revenue, cost }: UsageRecord): object {
  const currencies = new Set(fees.map(({ currency }) => currency));
  return {
    event_type,
    subject,
    occurred_at: instant(at),
    has_fees: fees.length > 0,
    fee_currency: currencies.size > 1 ? 'USD' : [...currencies][0],
    total_fees: total,
    stats: { gross_revenue: revenue, total_costs: cost },
  };
}

/** An event as its detail shows it. */
export const storedEvent = ({ event_type, at, fees, revenue, cost }: UsageRecord): object =>
  shownEvent({
    event_type,
    occurred_at: instant(at),
    fees: fees.map(({ product, version, ...fee }) => ({
      ...fee,
      product_code: `p${product}`,
      product_version: version,
    })),
    costs: [expenseOf({ event_type }).cost],
    stats: { gross_revenue: revenue, total_costs: cost },
  });

/** A fee as a simulation shows it: without what it has no value for. */
export function simulatedFee({ product: _, version: __, ...fee }: ExpectedFee): object {
  const shown = Object.entries(fee).map(([name, value]) => [name, value ?? undefined]);
  const dimensions = fee.dimensions ? JSON.stringify(fee.dimensions) : undefined;
  return { ...Object.fromEntries(shown), dimensions };
}
