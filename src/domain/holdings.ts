import { before, type Instant } from './instant.ts';

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
 * The history of a subscription whose holding changes to `held`, or ends, at a moment. Entries for that moment and
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

/** The holding that has no end; undefined if there is none. */
export function currentPhase(history: readonly SubscriptionPhase[]): SubscriptionPhase | undefined {
  const last = history.at(-1);
  return last?.to === undefined ? last : undefined;
}

/** How usage is matched to a holding. */
export interface PhaseTerms {
  readonly now: Instant;
  /** The first start. Usage up to `ahead` before it counts as usage at the start. */
  readonly started_at: Instant | undefined;
  readonly ahead: string;
}

/**
 * The holding of a subscription at a moment; undefined if it held nothing. Nothing is held before the start, even if
 * the clock was set back to before it and a version changed there.
 *
 * @assumes A-608
 */
export function heldAt(
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
