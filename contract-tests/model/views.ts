import { Rational } from '../kit/rational.ts';
import type { AnyBody } from '../kit/target/own-world.ts';
import { NEVER } from './account.ts';
import { type Ids, instant } from './calls.ts';
import type { ExpectedCost, ExpectedFee, UsageRecord } from './records.ts';
import type { Subscription } from './subscription.ts';
import { customerOf, type ModelWorld } from './world.ts';

/** The stats for revenue and costs, both in the reporting currency. */
export function profit(gross: Rational, costs: Rational): object {
  const net = gross.minus(costs);
  const margin = gross.sign === 0 ? gross : net.over(gross).significant(12);
  return {
    ...{ gross_revenue: gross, total_costs: costs, net_revenue: net },
    ...{ margin, currency: 'USD' },
  };
}

export const costsOf = ({ costs }: UsageRecord): Rational =>
  Rational.sum(costs.map(({ value }) => value));

/** The expected list item of a stored event. */
export function eventItem(record: UsageRecord, { ids, world }: Known): object {
  const { event, fees, customer } = record;
  const currencies = new Set(fees.map(({ currency }) => currency));
  const total =
    currencies.size === 1 ? Rational.sum(fees.map(({ amount }) => amount)) : record.feeValue;
  const hasFees = fees.length > 0;
  return {
    ...common(record, ids),
    description: event.description,
    external_id: customerOf(world, customer).external_id,
    has_fees: hasFees,
    total_fees: hasFees ? total : undefined,
    fee_currency: hasFees ? (currencies.size === 1 ? fees[0]?.currency : 'USD') : undefined,
  };
}

interface Known {
  readonly ids: Ids;
  readonly world: ModelWorld;
}

function common(record: UsageRecord, ids: Ids): object {
  const { index, customer, event, occurredAt, createdAt } = record;
  return {
    id: ids.events[index],
    customer_id: ids.customers[customer],
    event_type: event.event_type,
    subject: event.subject,
    occurred_at: instant(occurredAt),
    created_at: instant(createdAt),
    stats: profit(record.revenue, costsOf(record)),
  };
}

/** The expected response for one stored event. */
export const storedEvent = (record: UsageRecord, ids: Ids): object => ({
  ...common(record, ids),
  description: record.event.description,
  data: record.event.data,
  fees: record.fees.map((fee) => storedFee(fee, ids)),
  costs: record.costs.map((cost) => storedCost(cost, ids)),
});

const storedFee = ({ product, version, ...fee }: ExpectedFee, { products }: Ids) => ({
  product_id: products[product],
  product_code: `p${product}`,
  product_version: version,
  ...fee,
});

const storedCost = ({ vendor, amount, currency = 'USD', category }: ExpectedCost, ids: Ids) => ({
  ...{ amount, currency, category },
  vendor_id: ids.vendors[vendor],
});

/** The expected response for a subscription. */
export function subscriptionOf(subscription: Subscription, ids: Ids): object {
  const { index, status, startedAt, nextRenewal, product, version } = subscription;
  const renewal = { renews_at: nextRenewal === NEVER ? undefined : instant(nextRenewal) };
  return {
    id: ids.subscriptions[index],
    status,
    products: [{ id: ids.products[product], code: `p${product}`, version }],
    started_at: startedAt === NEVER ? undefined : instant(startedAt),
    ...(status === 'active' && renewal),
    required_actions: status === 'action_required' ? [{ type: 'payment' }] : [],
  };
}

/** The id, external id and name of a customer, as reports show them. */
export function customerName(world: ModelWorld, ids: Ids, index: number): object {
  const { name, external_id } = customerOf(world, index);
  return { id: ids.customers[index], external_id, name };
}

/** Sorts in descending order, equal items newest first. */
export const newestFirst = <T>(items: readonly T[], compare: (left: T, right: T) => number): T[] =>
  [...items].reverse().sort((left, right) => compare(right, left));

/** Sorts items of unspecified order by their position in `ids`. */
export const inOrder = (
  items: AnyBody[],
  ids: readonly string[],
  idOf: (item: AnyBody) => string,
) => [...items].sort((one, other) => ids.indexOf(idOf(one)) - ids.indexOf(idOf(other)));
