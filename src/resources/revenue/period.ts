import { omitNullish } from '../../domain/fields.ts';
import {
  type Day,
  dayOf,
  endOfDay,
  type Instant,
  monthStart,
  startOfDay,
} from '../../domain/instant.ts';
import { Malformed } from '../problems.ts';

/** The days of a query, both bounds inclusive; an absent bound is open. */
interface Days {
  readonly from?: Day;
  readonly to?: Day;
}

/**
 * Reads the days between two bounds of a query.
 *
 * @throws Malformed naming the parameter when they end before they start
 * @assumes A-903
 */
export function daysOf(
  from: string | undefined,
  to: string | undefined,
  parameter = 'period_to',
): Days {
  if (from !== undefined && to !== undefined && to < from)
    throw new Malformed(`${parameter}: The period ends before it starts.`);
  return omitNullish({ from: from as Day | undefined, to: to as Day | undefined });
}

/**
 * The days of a statistics query: by default up to today, or to a later start, and from the first day of that month.
 *
 * @throws Malformed when they end before they start
 * @assumes A-903
 */
export function statsPeriod(
  query: { readonly period_from?: string; readonly period_to?: string },
  now: Instant,
): Required<Days> {
  const { from, to } = daysOf(query.period_from, query.period_to);
  const today = dayOf(now);
  const last = to ?? (from !== undefined && from > today ? from : today);
  return { from: from ?? monthStart(startOfDay(last)), to: last };
}

/** Whether a moment is on one of the days. */
export function isWithin(moment: Instant, { from, to }: Days): boolean {
  return (
    (from === undefined || moment >= startOfDay(from)) &&
    (to === undefined || moment <= endOfDay(to))
  );
}
