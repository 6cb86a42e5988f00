import { fromMillis, type Instant, type Interval, toMillis } from './instant.ts';
import { spansAfter, spansBeyond } from './spans.ts';

/** An entitlement as far as it tells when its credit is given and when that ends. */
export interface EntitlementTerms {
  readonly lifecycle?: {
    readonly duration: Interval;
    readonly duration_count: number;
    readonly refresh?: { readonly strategy: 'expire_and_replace' | 'rollover' };
  };
}

/** Credit that was given for an entitlement. */
export interface GivenCredit {
  readonly expires_at: Instant | null;
}

/** Whether a refresh leaves what was not used, and moves its end. @assumes A-1509 */
export const rollsOver = ({ lifecycle }: EntitlementTerms): boolean =>
  lifecycle?.refresh?.strategy === 'rollover';

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
 * Why credit is given: a subscription starts or is taken up again with a new period, it goes on with its old
 * schedule, it has other versions or has paid for them, or time has passed.
 */
export type Occasion = 'start' | 'resumption' | 'addition' | 'refresh';

/**
 * Whether credit falls due for an entitlement, by the latest that was ever given for it. What was never
 * given is given on the first occasion that is no refresh; what is given once is not given again.
 *
 * @assumes
 */
export function isCreditDue(
  terms: EntitlementTerms,
  latest: GivenCredit | undefined,
  occasion: Occasion,
  { anchor, now }: { readonly anchor: Instant; readonly now: Instant },
): boolean {
  if (!latest) return occasion !== 'refresh';
  const { expires_at } = latest;
  // A new run gives credit anew beside what rolled over.
  if (rollsOver(terms) && occasion === 'start') return true;
  const isRunning = expires_at !== null && expires_at > now;
  if (!isRefreshed(terms) || isRunning || occasion === 'addition') return false;
  const justBefore = fromMillis(toMillis(now) - 1);
  // What was gone from the versions in between waits for its own day.
  const isBegun = occasion === 'start' || occasion === 'resumption';
  return isBegun || expires_at === now || creditEnd(terms, anchor, justBefore) === now;
}

/** When credit is given anew; undefined where it is given once, was never given or is never due again. */
export function nextRefresh(
  terms: EntitlementTerms,
  latest: GivenCredit | undefined,
  { anchor, now }: { readonly anchor: Instant; readonly now: Instant },
): Instant | undefined {
  if (!latest || !isRefreshed(terms)) return undefined;
  const { expires_at } = latest;
  const isAhead = expires_at !== null && expires_at >= now;
  return isAhead ? expires_at : (creditEnd(terms, anchor, now) ?? undefined);
}

/** When credit is given next from an occasion on; undefined where it is not given again. @assumes A-903 */
export function nextCreditAt(
  terms: EntitlementTerms,
  latest: GivenCredit | undefined,
  occasion: Occasion,
  time: { readonly anchor: Instant; readonly now: Instant },
): Instant | undefined {
  const occasions = [occasion, 'refresh'] as const;
  const isDue = occasions.some((each) => isCreditDue(terms, latest, each, time));
  return isDue ? time.now : nextRefresh(terms, latest, time);
}
