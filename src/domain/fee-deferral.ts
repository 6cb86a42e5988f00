import {
  add,
  CURRENCY_PLACES,
  type Decimal,
  divide,
  isZero,
  minimum,
  multiply,
  subtract,
  sum,
  ZERO,
} from './decimal.ts';
import { type EntitlementTerms, isRefreshed } from './entitlements.ts';
import { fromMillis, type Instant, toMillis } from './instant.ts';
import { spansBeyond } from './spans.ts';

/**
 * How often credit of an entitlement is granted from `first` (inclusive) until `until` (exclusive): once at `first`,
 * and at each refresh counted from the anchor.
 *
 * @assumes
 */
export function countGrants(
  terms: EntitlementTerms,
  anchor: Instant,
  first: Instant,
  until: Instant,
): number {
  if (first >= until) return 0;
  if (!terms.lifecycle || !isRefreshed(terms)) return 1;
  const { duration, duration_count: step = 1 } = terms.lifecycle;
  const last = fromMillis(toMillis(until) - 1);
  const spans = (at: Instant) => spansBeyond(anchor, duration, at, step);
  return 1 + (spans(last) - spans(first)) / step;
}

/**
 * The part of a fee that is deferred for each credit: its value. If the values total more than the fee, all are
 * reduced in proportion; the last takes the rounding rest.
 *
 * @units   one currency, 10 decimal places
 * @assumes A-903
 */
export function deferOver(fee: Decimal, values: readonly Decimal[]): Decimal[] {
  const total = sum(values);
  if (isZero(total)) return values.map(() => ZERO);
  const deferred = minimum(fee, total);
  let [covered, shared] = [ZERO, ZERO];
  return values.map((value) => {
    covered = add(covered, value);
    const upTo = divide(multiply(deferred, covered), total, CURRENCY_PLACES);
    const share = subtract(upTo, shared);
    shared = upTo;
    return share;
  });
}
