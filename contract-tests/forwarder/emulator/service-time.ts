import { textsIn } from '../../kit/exact-json.ts';
import type { ReadAnswer } from './compare.ts';
import { isInstant } from './id-map.ts';

/** The time at which a service handled a request. @units milliseconds since 1970 */
export interface ServiceTime {
  readonly best: number;
  /** No later than this. */
  readonly latest: number;
}

/** The largest difference at which two clocks count as equal. */
const IN_STEP = 2_000;

/**
 * Reads the service's time from the `Date` header, which has whole seconds. The time within the second comes from
 * instants in a write's response, else from the local clock if both clocks are close.
 *
 * @param arrivedAt the local time at which the request arrived
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
