import { NEVER } from './account.ts';
import { type Ids, instant, shownEvent } from './calls.ts';
import type { Compared, Stage } from './compare.ts';
import type { UsageRecord } from './records.ts';
import type { Subscription } from './subscription.ts';

/** The subscriptions of each customer. */
export async function* subscriptionsIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const { index } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const { subscriptions } = await call('getCustomer', { path });
    yield [`c${index} subscriptions`, subscriptions, shownSubscriptions({ ids, world }, index)];
  }
}

/** The subscriptions of a customer as its detail shows them. */
export const shownSubscriptions = ({ ids, world }: Omit<Stage, 'call'>, index: number): object[] =>
  world.subscriptions
    .filter(({ customer }) => customer === index)
    .map((subscription) => shownSubscription(ids, subscription));

/** A subscription as responses show it. */
export function shownSubscription(ids: Ids, subscription: Subscription): object {
  const { index, status, plans, startedAt, nextRenewal } = subscription;
  return {
    id: ids.subscriptions[index],
    status,
    products: plans.map(({ product, version }) => ({ id: ids.products[product], version })),
    started_at: startedAt === NEVER ? undefined : instant(startedAt),
    // Without a payment, the renewal that was missed can stay or not.
    ...(status === 'active' && {
      renews_at: nextRenewal === NEVER ? undefined : instant(nextRenewal),
    }),
  };
}

/** The usage of each customer, latest submission first. */
export async function* usageIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const { index, events } of world.customers) {
    if (events.length === 0) continue;
    const query = { limit: 1000, customer_id: ids.customers[index] as string };
    const { items } = await call('listEvents', { query });
    yield [`c${index} usage`, items, events.map(listed).reverse()];
  }
}

function listed({ event_type, at, fees, total, revenue, cost }: UsageRecord): object {
  const currencies = new Set(fees.map(({ currency }) => currency));
  return {
    event_type,
    occurred_at: instant(at),
    has_fees: fees.length > 0,
    fee_currency: currencies.size > 1 ? 'USD' : [...currencies][0],
    total_fees: total,
    stats: { gross_revenue: revenue, total_costs: cost },
  };
}

/** An event as its detail shows it. */
export const storedEvent = ({ fees, revenue, cost }: UsageRecord): object =>
  shownEvent({
    fees: fees.map(({ product, version, ...fee }) => ({
      ...fee,
      product_code: `p${product}`,
      product_version: version,
    })),
    stats: { gross_revenue: revenue, total_costs: cost },
  });
