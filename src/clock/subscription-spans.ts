import type { Settings } from '../config/settings.ts';
import { hasFixedFee } from '../domain/fixed-fees.ts';
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
import { promisedBy } from '../resources/subscriptions/entitlements.ts';
import { pricesHeld, versionsOf } from '../resources/subscriptions/subscribed-products.ts';
import type { SubscriptionRow, VersionRow } from '../store/records.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';

type LengthsMs = Readonly<Record<Interval, number>>;

/** A lower bound of each interval's length in milliseconds. The count of repetitions is then never too low. */
export const SHORTEST_MS: LengthsMs = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};

/** An upper bound of the same. The count of repetitions is then never too high. */
const LONGEST_MS: LengthsMs = {
  ...SHORTEST_MS,
  month: 31 * 86_400_000,
  year: 366 * 86_400_000,
};

/** A bound of a span's length in milliseconds, from those of intervals. */
export function spanMs(span: Span, lengths: LengthsMs): number {
  if (typeof span === 'number') return span;
  return typeof span === 'object' ? lengths[span.interval] * span.interval_count : lengths[span];
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

/**
 * A lower bound of the items that become due until an instant: the renewals of each running subscription, and the
 * refreshes of one of its entitlements. Where a fee can stay unpaid, links that expire can take the place of either:
 * then only the more frequent counts, with a link between two items.
 */
export function* leastDue(world: World, target: Instant, settings: Settings): TimeSliced<number> {
  const { tables, now } = world;
  const linkMs = lengthOf(settings.payment_link_lifetime);
  const times = (first: Instant, lengthMs: number) => {
    const leftMs = toMillis(target) - toMillis(first > now ? first : now);
    return Math.max(0, Math.floor(leftMs / lengthMs));
  };
  // A payment that settles can replace the payment method.
  const isSettling =
    tables.subscriptions.due('payment_settlement').rows.length > 0 ||
    tables.top_ups.due('top_up_settlement').rows.length > 0;
  let sum = 0;
  for (const subscription of tables.subscriptions.values()) {
    yield;
    const { status, begins_at, renewal, renews_at } = subscription;
    if (status !== 'active' || begins_at !== undefined) continue;
    const canStop = canStayUnpaid(world, subscription, isSettling);
    const gapMs = canStop ? linkMs : 0;
    const renewals =
      renewal && renews_at ? times(renews_at, spanMs(renewal.span, LONGEST_MS) + gapMs) : 0;
    const counts = promisedBy(world, subscription).map(({ entitlement: { lifecycle }, latest }) => {
      if (!lifecycle?.refresh || !latest?.expires_at) return 0;
      const { duration, duration_count = 1 } = lifecycle;
      return times(latest.expires_at, LONGEST_MS[duration] * duration_count + gapMs);
    });
    // Refreshes of several entitlements at one instant are one item.
    const refreshes = Math.max(0, ...counts);
    sum += canStop ? Math.max(renewals, refreshes) : renewals + refreshes;
  }
  return sum;
}

/** Whether a fee can come due that is not collected: the payment method does not pay, or can be replaced. */
function canStayUnpaid(
  { tables }: World,
  subscription: SubscriptionRow,
  canReplaceMethod: boolean,
): boolean {
  if (!hasFixedFee(pricesHeld({ tables }, subscription))) return false;
  return canReplaceMethod || collectionBy({ tables }, subscription.customer_id) !== 'collected';
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
