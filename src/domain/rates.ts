import { type Decimal, type DecimalText, divide, ONE, ratio } from './decimal.ts';
import type { Instant } from './instant.ts';
import { type Finding, finding, refuseAll } from './rules.ts';

/** An interval of an exchange rate: from its first instant, up to its end or for good. */
export interface RatePeriod {
  readonly valid_from: Instant;
  readonly valid_to?: Instant;
  /** Units of the source that one unit of the asset costs. */
  readonly rate: DecimalText;
}

/** The rates of an asset in one source, newest first. No two of its periods cover one moment. */
export type RateSchedule = readonly RatePeriod[];

/**
 * The period in force at a moment.
 *
 * @assumes A-403 a period covers its `valid_from` and not its `valid_to`
 */
export function periodAt(schedule: RateSchedule, at: Instant): RatePeriod | undefined {
  return schedule.find(
    ({ valid_from, valid_to }) => valid_from <= at && (valid_to === undefined || at < valid_to),
  );
}

/** What keeps a period out of a schedule: an end before its start or within a later period. @assumes A-403 */
export function judgePeriod(
  schedule: RateSchedule,
  { valid_from, valid_to }: RatePeriod,
): readonly Finding[] {
  if (valid_to === undefined) return [];
  if (valid_to <= valid_from) return [finding('rate.valid_to_order', 'valid_to')];
  const next = nextStart(schedule, valid_from);
  return next !== undefined && next < valid_to ? [finding('rate.reaches_later', 'valid_to')] : [];
}

/**
 * The schedule with one more period. What was in force at its start ends there; left open, it ends where
 * the next one starts.
 *
 * @throws  RuleViolation with what `judgePeriod` finds
 * @source  specification, Asset (asset rates) and POST /assets/{assetCode}/rates
 * @assumes A-403 a period superseded at its own first instant stays, empty
 */
export function insertPeriod(schedule: RateSchedule, period: RatePeriod): RateSchedule {
  refuseAll(judgePeriod(schedule, period));
  const { valid_from } = period;
  const superseded = periodAt(schedule, valid_from);
  const valid_to = period.valid_to ?? nextStart(schedule, valid_from);
  const later = schedule.filter((each) => each.valid_from > valid_from);
  const earlier = schedule
    .slice(later.length)
    .map((each) => (each === superseded ? { ...each, valid_to: valid_from } : each));
  return [...later, { ...period, ...(valid_to !== undefined && { valid_to }) }, ...earlier];
}

/** The first moment after another at which a rate begins or ends; undefined where none will. */
export function nextRateChange(
  schedules: Iterable<RateSchedule>,
  at: Instant,
): Instant | undefined {
  let next: Instant | undefined;
  for (const { valid_from, valid_to } of [...schedules].flat())
    for (const moment of [valid_from, valid_to])
      if (moment !== undefined && moment > at && (next === undefined || moment < next))
        next = moment;
  return next;
}

function nextStart(schedule: RateSchedule, at: Instant): Instant | undefined {
  return schedule.findLast(({ valid_from }) => valid_from > at)?.valid_from;
}

/**
 * How much of an asset an amount of the source buys.
 *
 * @units   both in major units; `rate` is source per asset unit; rounded half to even to `places`
 * @source  specification, POST /assets/{assetCode}/quote
 * @assumes
 */
export function quote(sourceAmount: Decimal, rate: Decimal, places: number): Decimal {
  return divide(sourceAmount, rate, places);
}

/**
 * How much of an asset one unit of the source buys.
 *
 * @units   12 significant digits
 * @assumes A-304
 */
export function inverseOf(rate: Decimal): Decimal {
  return ratio(ONE, rate);
}
