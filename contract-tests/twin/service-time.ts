import type { ReadAnswer } from './compare.ts';
import { textsIn } from './exact-value.ts';
import { isInstant } from './id-map.ts';

/** When a service handled a request. @units milliseconds since 1970 */
export interface ServiceTime {
  readonly best: number;
  /** No later than this. */
  readonly latest: number;
}

/** The largest difference at which two clocks count as equal. */
const IN_STEP = 2_000;

/**
 * Reads the service's time from the `Date` header, which tells whole seconds. Within the second it is what a
 * write says of what it made, else our own time, as far as the clocks are in step.
 *
 * @param arrivedAt our time when the request came
 */
export function serviceTimeOf(
  { headers, body, status }: ReadAnswer,
  isWrite: boolean,
  arrivedAt: number,
): ServiceTime {
  const second = Date.parse(headers.date ?? '');
  if (Number.isNaN(second)) return { best: arrivedAt, latest: arrivedAt };
  const latest = second + 999;
  const told = isWrite && status < 300 ? [...textsIn(body)].filter(isInstant).map(Date.parse) : [];
  const within = told.filter((moment) => moment >= second && moment <= latest);
  if (within.length > 0) return { best: Math.min(...within), latest };
  const isInStep = Math.abs(arrivedAt - second) < IN_STEP;
  return { best: isInStep ? Math.min(Math.max(arrivedAt, second), latest) : second, latest };
}
