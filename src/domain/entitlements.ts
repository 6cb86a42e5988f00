import { decimal } from './decimal.ts';
import { fromMillis, type Instant, type Interval, toMillis } from './instant.ts';
import { type FindAsset, isTooPrecise } from './pricing/price-rules.ts';
import { type Finding, finding, findingIf } from './rules.ts';
import { spansAfter, spansBeyond } from './spans.ts';

/** The fields of an entitlement that decide when its credit is granted and when the credit expires. */
export interface EntitlementTerms {
  readonly lifecycle?: {
    readonly duration: Interval;
    readonly duration_count?: number;
    readonly refresh?: { readonly strategy: 'expire_and_replace' | 'rollover' };
  };
}

/** The position of an entitlement among those of its version with the same name and asset, from 0. @assumes A-511 */
export function placeAmong(
  entitlements: readonly { readonly name: string; readonly asset: string }[],
  index: number,
): number {
  const own = entitlements[index];
  return entitlements
    .slice(0, index)
    .filter(({ name, asset }) => name === own?.name && asset === own.asset).length;
}

/** Credit granted for an entitlement. */
interface GivenCredit {
  readonly expires_at: Instant | null;
}

/** Whether a refresh keeps unused credit and extends its expiry. @assumes A-1509 */
export const rollsOver = ({ lifecycle }: EntitlementTerms): boolean =>
  lifecycle?.refresh?.strategy === 'rollover';

export const isRefreshed = ({ lifecycle }: EntitlementTerms): boolean =>
  lifecycle?.refresh !== undefined;

/**
 * The expiry of credit granted at `at`: the end of the lifecycle, or the next refresh counted from the anchor. Null
 * if the credit does not expire.
 *
 * @assumes A-511
 */
export function creditEnd(
  { lifecycle }: EntitlementTerms,
  anchor: Instant,
  at: Instant,
): Instant | null {
  if (!lifecycle) return null;
  const { duration, duration_count: step = 1, refresh } = lifecycle;
  const end = refresh
    ? spansAfter(anchor, duration, spansBeyond(anchor, duration, at, step))
    : spansAfter(at, duration, step);
  return end ?? null;
}

/**
 * Why credit is granted: a subscription starts; it resumes with a new period; it continues its schedule, changes
 * versions or pays for them; or a refresh is due.
 */
export type Occasion = 'start' | 'resumption' | 'addition' | 'refresh';

/** What decides when credit is due. */
export interface CreditTime {
  readonly anchor: Instant;
  readonly now: Instant;
  /** On a resumption: the first refresh since the subscription stopped; undefined if there is none. */
  readonly refresh?: Instant | undefined;
}

/**
 * Whether credit for an entitlement is due, given the latest grant for it. Credit never granted before is due on any
 * occasion but a refresh. Credit without refresh is granted once. A resumption grants what a refresh would have granted
 * meanwhile.
 *
 * @assumes
 */
export function isCreditDue(
  terms: EntitlementTerms,
  latest: GivenCredit | undefined,
  occasion: Occasion,
  { anchor, now, refresh }: CreditTime,
): boolean {
  if (!latest) return occasion !== 'refresh';
  const { expires_at } = latest;
  // A new start grants credit in addition to credit that rolled over.
  if (rollsOver(terms) && occasion === 'start') return true;
  const isRunning = expires_at !== null && expires_at > now;
  if (!isRefreshed(terms) || isRunning || occasion === 'addition') return false;
  if (occasion === 'start') return true;
  if (occasion === 'resumption') return refresh !== undefined && refresh <= now;
  // An entitlement that was absent from the versions for a time waits for its next refresh day.
  const justBefore = fromMillis(toMillis(now) - 1);
  return expires_at === now || creditEnd(terms, anchor, justBefore) === now;
}

/** When the next refresh grants credit; undefined if there is no earlier credit or no further refresh. */
export function nextRefresh(
  terms: EntitlementTerms,
  latest: GivenCredit | undefined,
  { anchor, now }: CreditTime,
): Instant | undefined {
  if (!latest || !isRefreshed(terms)) return undefined;
  const { expires_at } = latest;
  const isAhead = expires_at !== null && expires_at >= now;
  return isAhead ? expires_at : (creditEnd(terms, anchor, now) ?? undefined);
}

/** When credit is granted next, starting with an occasion; undefined if it is not granted again. @assumes A-903 */
export function nextCreditAt(
  terms: EntitlementTerms,
  latest: GivenCredit | undefined,
  occasion: Occasion,
  time: CreditTime,
): Instant | undefined {
  const occasions = [occasion, 'refresh'] as const;
  const isDue = occasions.some((each) => isCreditDue(terms, latest, each, time));
  return isDue ? time.now : nextRefresh(terms, latest, time);
}

/** An entitlement of a request that has passed validation against the schema. */
interface EntitlementInput {
  readonly asset: string;
  readonly amount: number;
}

/**
 * Returns every rule that the entitlements of a version break, each with its request field.
 *
 * @assumes A-511 the asset exists, A-304 it holds that many decimals
 */
export function validateEntitlements(
  entitlements: readonly EntitlementInput[],
  findAsset: FindAsset,
): Finding[] {
  return entitlements.flatMap(({ asset: code, amount }, index): Finding[] => {
    const asset = findAsset(code);
    if (!asset) return [finding('asset.unknown', `entitlements[${index}].asset`)];
    const field = `entitlements[${index}].amount`;
    return findingIf(isTooPrecise(decimal(amount), asset), 'amount.too_precise', field);
  });
}
