import {
  CURRENCY_PLACES,
  compare,
  type Decimal,
  type DecimalText,
  decimal,
  divide,
  format,
  multiply,
  ONE,
  ratio,
  round,
} from './decimal.ts';
import { earliest, type Instant } from './instant.ts';
import { type Finding, finding, findingIf, throwIfInvalid } from './rules.ts';

/** A period of an exchange rate, from `valid_from` until `valid_to` or without end. */
export interface RatePeriod {
  readonly valid_from: Instant;
  readonly valid_to?: Instant;
  /** The price of one unit of the asset in the source. */
  readonly rate: DecimalText;
  /** The exact inverse, if the request gave it instead of `rate`; then `rate` is rounded from it. */
  readonly inverse_rate?: DecimalText;
}

/** A rate, with its exact inverse if that was given instead. */
export type Rate = Pick<RatePeriod, 'rate' | 'inverse_rate'>;

/** The rates of an asset in one source, newest first. Periods do not overlap. */
export type RateSchedule = readonly RatePeriod[];

/** The period in force at a moment. @assumes A-403 a period covers its `valid_from` and not its `valid_to` */
export function periodAt(schedule: RateSchedule, at: Instant): RatePeriod | undefined {
  return schedule.find(
    ({ valid_from, valid_to }) => valid_from <= at && (valid_to === undefined || at < valid_to),
  );
}

/**
 * Checks whether a period fits into a schedule. It must not end before its start or within a later period.
 * @assumes A-403
 */
export function validatePeriod(
  schedule: RateSchedule,
  { valid_from, valid_to }: RatePeriod,
): readonly Finding[] {
  if (valid_to === undefined) return [];
  if (valid_to <= valid_from) return [finding('rate.valid_to_order', 'valid_to')];
  const next = nextStart(schedule, valid_from);
  return findingIf(next !== undefined && next < valid_to, 'rate.reaches_later', 'valid_to');
}

/**
 * Returns the schedule with one more period. The period in force at its start ends there. Without an end, the new
 * period ends where the next one starts.
 *
 * @throws  RuleViolation with what `validatePeriod` finds
 * @source  specification, Asset (asset rates) and POST /assets/{assetCode}/rates
 * @assumes A-403 a period superseded at its own first instant stays, empty
 */
export function insertPeriod(schedule: RateSchedule, period: RatePeriod): RateSchedule {
  throwIfInvalid(validatePeriod(schedule, period));
  const { valid_from } = period;
  const superseded = periodAt(schedule, valid_from);
  const valid_to = period.valid_to ?? nextStart(schedule, valid_from);
  const later = schedule.filter((each) => each.valid_from > valid_from);
  const earlier = schedule
    .slice(later.length)
    .map((each) => (each === superseded ? { ...each, valid_to: valid_from } : each));
  return [...later, { ...period, ...(valid_to !== undefined && { valid_to }) }, ...earlier];
}

/** The first moment after `at` at which a rate begins or ends; undefined if there is none. */
export function nextRateChange(
  schedules: Iterable<RateSchedule>,
  at: Instant,
): Instant | undefined {
  const moments = [...schedules]
    .flat()
    .flatMap(({ valid_from, valid_to }) => [valid_from, valid_to]);
  return earliest(moments.filter((moment) => moment !== undefined && moment > at));
}

const nextStart = (schedule: RateSchedule, at: Instant): Instant | undefined =>
  schedule.findLast(({ valid_from }) => valid_from > at)?.valid_from;

/**
 * How much of an asset an amount of the source buys.
 *
 * @units   both in major units; rounded half to even to `places`
 * @source  specification, POST /assets/{assetCode}/quote
 * @assumes
 */
export function quote(
  sourceAmount: Decimal,
  { rate, inverse_rate }: Rate,
  places: number,
): Decimal {
  return inverse_rate === undefined
    ? divide(sourceAmount, decimal(rate), places)
    : round(multiply(sourceAmount, decimal(inverse_rate)), places);
}

/** What an amount of an asset costs in the source. @units rounded half to even to 10 places @assumes */
export function costOf(amount: Decimal, { rate, inverse_rate }: Rate): Decimal {
  return inverse_rate === undefined
    ? round(multiply(amount, decimal(rate)), CURRENCY_PLACES)
    : divide(amount, decimal(inverse_rate), CURRENCY_PLACES);
}

/**
 * Reads the rate of a request, given as `rate` or `inverse_rate`; undefined if neither is given.
 * @assumes A-402 `rate` is exact where both are given
 */
export function readRate({ rate, inverse_rate }: GivenRate): Rate | undefined {
  if (rate != null) return { rate: format(decimal(rate)) };
  if (inverse_rate == null) return undefined;
  const inverse = decimal(inverse_rate);
  return { rate: format(inverseOf(inverse)), inverse_rate: format(inverse) };
}

interface GivenRate {
  readonly rate?: number | null;
  readonly inverse_rate?: number | null;
}

/**
 * Whether `rate` and `inverse_rate` are each other's inverse to 12 digits; true if only one is given.
 * @assumes A-402
 */
export function agrees({ rate, inverse_rate }: GivenRate): boolean {
  if (rate == null || inverse_rate == null) return true;
  const [there, back] = [decimal(rate), decimal(inverse_rate)];
  return (
    compare(inverseOf(there), ratio(back, ONE)) === 0 ||
    compare(inverseOf(back), ratio(there, ONE)) === 0
  );
}

/**
 * How much of an asset one unit of the source buys.
 *
 * @units   12 significant digits
 * @assumes A-304
 */
export const inverseOf = (rate: Decimal): Decimal => ratio(ONE, rate);
