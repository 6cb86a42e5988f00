import {
  after,
  earliest,
  FIRST_INSTANT,
  type Instant,
  type Interval,
  toMillis,
} from '../domain/instant.ts';
import type { Span } from '../domain/spans.ts';
import { type Collection, collectionBy } from '../resources/customers/payment-method.ts';
import { versionsOf } from '../resources/subscriptions/subscribed-products.ts';
import type { SubscriptionRow, VersionRow } from '../store/records.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';

/** A lower bound of each interval's length in milliseconds. The count of repetitions is then never too low. */
export const SHORTEST_MS: Readonly<Record<Interval, number>> = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};

/** The same for a span. */
export function shortestOf(span: Span): number {
  if (typeof span === 'number') return span;
  return typeof span === 'object'
    ? SHORTEST_MS[span.interval] * span.interval_count
    : SHORTEST_MS[span];
}

/** A subscription with due work before an instant. */
export interface SubscriptionSpan {
  readonly subscription: SubscriptionRow;
  readonly versions: readonly VersionRow[];
  /** What would come of its fee now. */
  readonly collection: Collection;
  /** The maximum number of repetitions of an interval, given its length in milliseconds. */
  readonly times: (lengthMs: number) => number;
  readonly firstDue: Instant;
}

/** Sums an upper bound over all subscriptions with due work before an instant. */
export function* sumOverSubscriptions(
  world: World,
  target: Instant,
  bound: (span: SubscriptionSpan) => number,
): TimeSliced<number> {
  const { tables, now } = world;
  let sum = 0;
  for (const subscription of tables.subscriptions.values()) {
    yield;
    const firstDue = firstDueOf(subscription, now);
    if (firstDue === undefined || firstDue > target) continue;
    const span = toMillis(target) - toMillis(firstDue);
    const versions = versionsOf({ tables }, subscription.products);
    // After a change of interval, the first period can be shorter than the others.
    const first = subscription.renewal?.day === undefined ? 1 : 2;
    const times = (length: number) => Math.floor(span / length) + first;
    const collection = collectionBy(world, subscription.customer_id);
    sum += bound({ subscription, versions, collection, times, firstDue });
  }
  return sum;
}

export const lengthOf = (duration: string): number => toMillis(after(FIRST_INSTANT, duration));

/** The first instant at which a subscription has due work, in its current state; undefined if there is none. */
function firstDueOf(subscription: SubscriptionRow, now: Instant): Instant | undefined {
  const { status, renews_at, refreshes_at, begins_at, payment } = subscription;
  // Any item that saves a payment method can pay it.
  if (payment) return now;
  const running = status === 'active' ? [renews_at, refreshes_at] : [];
  return earliest([...running, begins_at]);
}
