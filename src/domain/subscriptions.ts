import { type FixedTerms, hasFixedFee } from './fixed-fees.ts';
import { type Instant, toMillis } from './instant.ts';
import { type Cycle, dayOfMonth, isSameSpan, type Span, spansAfter, spansBeyond } from './spans.ts';

/** When a subscription renews: `count` spans after a moment, then after every further span. */
export interface RenewalSchedule {
  readonly from: Instant;
  readonly span: Span;
  readonly count: number;
  /** The day of the month that months and years lead to, if it is not that of `from`. */
  readonly day?: number;
}

/**
 * Whether a subscription to these prices can require a payment, so that a payer must be redirected back.
 *
 * @assumes A-603, A-1507
 */
export const isRecurring = (prices: readonly FixedTerms[], hasRenewal: boolean): boolean =>
  hasRenewal || hasFixedFee(prices);

/** When usage, grants and periods begin: now, or at a start in the future. @assumes A-603 */
export const beginningOf = (startsAt: Instant | undefined, now: Instant): Instant =>
  startsAt !== undefined && startsAt > now ? startsAt : now;

/**
 * The renewal schedule of a new subscription. With fixed prices it renews every interval, from the requested first
 * renewal if there is one. Without fixed prices it renews for the span until the requested renewal.
 *
 * Undefined for a perpetual subscription.
 * @assumes A-605
 */
export function openRenewal(
  begin: Instant,
  interval: Cycle | undefined,
  asked: Instant | undefined,
): RenewalSchedule | undefined {
  if (interval !== undefined)
    return catchUp({ from: asked ?? begin, span: interval, count: 0 }, begin);
  if (asked === undefined || asked <= begin) return undefined;
  return { from: begin, span: toMillis(asked) - toMillis(begin), count: 1 };
}

/** The moment of the next renewal; undefined if it is beyond the last instant. */
export const renewalAt = ({ from, span, count, day }: RenewalSchedule): Instant | undefined =>
  count === 0 ? from : spansAfter(from, span, count, day);

/** The schedule after the next renewal is done. */
export function afterRenewal(schedule: RenewalSchedule): RenewalSchedule {
  return { ...schedule, count: schedule.count + 1 };
}

/** The schedule with its next renewal after a moment. No fee is collected for the past. @assumes A-605 */
export function catchUp(schedule: RenewalSchedule, at: Instant): RenewalSchedule {
  const { from, span, count, day } = schedule;
  if (count === 0 && from > at) return schedule;
  return { ...schedule, count: Math.max(count, spansBeyond(from, span, at, 1, day)) };
}

/**
 * The schedule of a running subscription whose next renewal is moved. With fixed prices it keeps their interval from
 * there. Otherwise it renews for the span of the period that ends there.
 *
 * @assumes
 */
export function moveRenewal(
  current: RenewalSchedule | undefined,
  anchor: Instant,
  interval: Cycle | undefined,
  asked: Instant,
): RenewalSchedule {
  if (interval !== undefined) return { from: asked, span: interval, count: 0 };
  const from = current ? (renewalAt({ ...current, count: current.count - 1 }) ?? anchor) : anchor;
  return { from, span: toMillis(asked) - toMillis(from), count: 1 };
}

/**
 * The schedule after a change to versions with another interval. The next renewal stays; later ones are counted from
 * it, months and years on the day of the month from which the renewals were counted first.
 *
 * @assumes
 */
export function adaptRenewal(
  current: RenewalSchedule | undefined,
  anchor: Instant,
  interval: Cycle | undefined,
  now: Instant,
): RenewalSchedule | undefined {
  if (!current) return interval && catchUp({ from: anchor, span: interval, count: 1 }, now);
  if (interval === undefined) return typeof current.span === 'number' ? current : undefined;
  const next = renewalAt(current);
  if (isSameSpan(current.span, interval) || next === undefined) return current;
  return { from: next, span: interval, count: 0, day: current.day ?? dayOfMonth(current.from) };
}
