import type { Instant, Interval } from './instant.ts';
import { spansAfter, spansBeyond } from './spans.ts';

/** An entitlement as far as it tells when its credit is given and when that ends. */
export interface EntitlementTerms {
  readonly name: string;
  readonly lifecycle?: {
    readonly duration: Interval;
    readonly duration_count: number;
    readonly refresh?: object;
  };
}

/** Credit that was given for an entitlement, and which one that was. */
export interface GivenCredit {
  readonly expires_at: Instant | null;
  readonly entitlement?: {
    readonly version: number;
    readonly index: number;
    readonly name: string;
  };
}

export const isRefreshed = ({ lifecycle }: EntitlementTerms): boolean =>
  lifecycle?.refresh !== undefined;

/**
 * When credit given at a moment expires: after the lifecycle, or at the next refresh counted from
 * the anchor; null where it does not expire.
 *
 * @assumes A-511
 */
export function creditEnd(
  { lifecycle }: EntitlementTerms,
  anchor: Instant,
  at: Instant,
): Instant | null {
  if (!lifecycle) return null;
  const { duration, duration_count: step, refresh } = lifecycle;
  const end = refresh
    ? spansAfter(anchor, duration, spansBeyond(anchor, duration, at, step))
    : spansAfter(at, duration, step);
  return end ?? null;
}

/**
 * The credit that stands for an entitlement at present, so that none is given again: whatever was
 * given where it is given once, else what has not expired. Credit of another version stands for
 * the entitlement of the same name, or of the same place where the name is gone: that changes at
 * its next refresh.
 *
 * @assumes
 */
export function standingCredit<G extends GivenCredit>(
  entitlements: readonly EntitlementTerms[],
  index: number,
  version: number,
  given: readonly G[],
  now: Instant,
): G | undefined {
  const terms = entitlements[index];
  const isCounterpart = ({ entitlement: earlier }: G): boolean => {
    if (earlier === undefined || terms === undefined) return false;
    if (earlier.version === version || !entitlements.some(({ name }) => name === earlier.name))
      return earlier.index === index;
    return earlier.name === terms.name;
  };
  const isStanding = ({ expires_at }: G): boolean =>
    terms !== undefined && (!isRefreshed(terms) || (expires_at !== null && expires_at > now));
  return given.findLast((credit) => isStanding(credit) && isCounterpart(credit));
}
