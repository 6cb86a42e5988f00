import { before, type Instant } from './instant.ts';

/** A product as a subscription names it, in the version that it came to. */
export interface SubscribedProduct {
  readonly id: string;
  readonly code: string;
  readonly version: number;
}

/** What a subscription bills usage by. */
export interface Held {
  readonly products: readonly SubscribedProduct[];
  /** Whether a renewal was due and not paid. */
  readonly past_due?: true;
}

/** A time in which a subscription held the same versions, its first instant included and its last not. */
export interface Holding extends Held {
  readonly from: Instant;
  /** Absent while it lasts. */
  readonly to?: Instant;
}

/**
 * The history of a subscription that holds something else, or nothing, from a moment on. What was noted
 * for that moment and later is replaced.
 */
export function holdFrom(
  history: readonly Holding[],
  at: Instant,
  held: Held | undefined,
): readonly Holding[] {
  const current = currentHolding(history);
  if (current ? isSame(current, held) : !held) return history;
  const earlier = history
    .filter(({ from }) => from < at)
    .map((each) => (each.to === undefined || each.to > at ? { ...each, to: at } : each));
  return held ? [...earlier, { from: at, ...held }] : earlier;
}

/** What has begun and not ended. */
export function currentHolding(history: readonly Holding[]): Holding | undefined {
  const last = history.at(-1);
  return last?.to === undefined ? last : undefined;
}

/** When and how usage finds what a subscription held. */
export interface HoldingTerms {
  readonly now: Instant;
  /** The first start, before which usage may lie by `ahead` and count as at the start. */
  readonly started_at: Instant | undefined;
  readonly ahead: string;
}

/**
 * What a subscription held at a moment; undefined where it held nothing then.
 *
 * @assumes A-608
 */
export function heldAt(
  history: readonly Holding[],
  at: Instant,
  { now, started_at, ahead }: HoldingTerms,
): Holding | undefined {
  const [first] = history;
  if (first && at < first.from) {
    const counts =
      first.from === started_at && first.from <= now && before(first.from, ahead) <= at;
    return counts ? first : undefined;
  }
  return history.findLast(({ from, to }) => from <= at && (to === undefined || at < to));
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
