import { type FixedTerms, hasFixedFee } from './fixed-fees.ts';
import { before, type Instant, toMillis } from './instant.ts';
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

/** A product of a subscription, with the resolved version. */
export interface SubscribedProduct {
  readonly id: string;
  readonly code: string;
  readonly version: number;
}

/** The products of a subscription that decide how usage is billed. */
export interface Held {
  readonly products: readonly SubscribedProduct[];
  /** Set when a due renewal was not paid. */
  readonly past_due?: true;
}

/** A period in which a subscription has the same versions. It includes `from` and excludes `to`. */
export interface SubscriptionPhase extends Held {
  readonly from: Instant;
  /** Absent while the period lasts. */
  readonly to?: Instant;
}

/**
 * The history of a subscription whose phase changes to `held`, or ends, at a moment. Entries for that moment and
 * later are replaced.
 */
export function startPhase(
  history: readonly SubscriptionPhase[],
  at: Instant,
  held: Held | undefined,
): readonly SubscriptionPhase[] {
  const current = currentPhase(history);
  if (current ? isSame(current, held) : !held) return history;
  const earlier = history
    .filter(({ from }) => from < at)
    .map((each) => (each.to === undefined || each.to > at ? { ...each, to: at } : each));
  return held ? [...earlier, { from: at, ...held }] : earlier;
}

/** The phase that has no end; undefined if there is none. */
export function currentPhase(history: readonly SubscriptionPhase[]): SubscriptionPhase | undefined {
  const last = history.at(-1);
  return last?.to === undefined ? last : undefined;
}

/** How usage is matched to a phase. */
interface PhaseTerms {
  readonly now: Instant;
  /** The first start. Usage up to `ahead` before it counts as usage at the start. */
  readonly started_at: Instant | undefined;
  readonly ahead: string;
}

/**
 * The phase of a subscription at a moment; undefined if it held nothing. Nothing is held before the start, even if
 * the clock was set back to before it and a version changed there.
 *
 * @assumes A-608
 */
export function phaseAt(
  history: readonly SubscriptionPhase[],
  at: Instant,
  { now, started_at, ahead }: PhaseTerms,
): SubscriptionPhase | undefined {
  if (started_at === undefined || started_at > now) return undefined;
  const isShortlyBefore = at < started_at && before(started_at, ahead) <= at;
  const moment = isShortlyBefore ? started_at : at;
  if (moment < started_at) return undefined;
  return history.findLast(({ from, to }) => from <= moment && (to === undefined || moment < to));
}

function isSame(current: Held, wanted: Held | undefined): boolean {
  return (
    wanted !== undefined &&
    current.past_due === wanted.past_due &&
    current.products.length === wanted.products.length &&
    current.products.every(({ id, version }, place) => {
      const other = wanted.products[place];
      return other?.id === id && other.version === version;
    })
  );
}
