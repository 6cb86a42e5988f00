import { decimal, format } from '../decimal.ts';
import type { EventData, PricingEntry, PricingValue } from './price.ts';

/** A value and the dimensions that an event must have for it, those that anything matches left out. */
interface RankedValue {
  readonly value: PricingValue;
  readonly required: readonly (readonly [field: string, text: string])[];
  /** How many dimensions must equal the event's; -1 for a value without any. */
  readonly rank: number;
}

/** The order of an entry's values depends on nothing else, so it is worked out once. */
const rankings = new WeakMap<PricingEntry, readonly RankedValue[]>();

/**
 * The value with the most dimensions equal to the event's; `*` fits anything; ties go to the first.
 *
 * @assumes A-507
 */
export function mostExact(entry: PricingEntry, data: EventData): PricingValue | undefined {
  let ranking = rankings.get(entry);
  if (!ranking) {
    ranking = entry.values.map(rankValue).sort((left, right) => right.rank - left.rank);
    rankings.set(entry, ranking);
  }
  return ranking.find((ranked) => missesOf(ranked, data).length === 0)?.value;
}

function rankValue(value: PricingValue): RankedValue {
  const dimensions = Object.entries(value.dimensions ?? {});
  const required = dimensions.filter(([, text]) => text !== '*');
  return { value, required, rank: dimensions.length === 0 ? -1 : required.length };
}

/** The required dimensions that an event does not have. */
const missesOf = ({ required }: RankedValue, data: EventData) =>
  required.filter(([field, text]) => textOf(data, field) !== text);

/** A field of the event as text, numbers in plain notation. */
function textOf(data: EventData, field: string): string | undefined {
  if (!Object.hasOwn(data, field)) return undefined;
  const value = data[field];
  return typeof value === 'number' ? format(decimal(value)) : String(value);
}

/** One value of a price beside an event: whether it fits, and how exactly. */
export interface Candidate {
  readonly asset: string;
  /** Place among the values of its asset, from 1. */
  readonly place: number;
  readonly value: PricingValue;
  readonly fits: boolean;
  /** How many of its dimensions must equal the event's; -1 for a value without any. */
  readonly rank: number;
  readonly chosen: boolean;
  readonly reason: string;
}

/**
 * Every value of an entry beside an event's data, by listing, and why it was chosen or not.
 *
 * @assumes A-507
 */
export function explainMatching(entry: PricingEntry, data: EventData): Candidate[] {
  const ranked = entry.values.map((value) => {
    const each = rankValue(value);
    return { ...each, misses: missesOf(each, data) };
  });
  const fitting = ranked.filter(({ misses }) => misses.length === 0);
  const best = Math.max(...fitting.map(({ rank }) => rank));
  const chosen = mostExact(entry, data);
  return ranked.map(({ value, rank, misses }, index) => ({
    asset: entry.asset,
    place: index + 1,
    value,
    fits: misses.length === 0,
    rank,
    chosen: value === chosen,
    reason:
      misses.length > 0
        ? missing(misses, data)
        : fitReason(rank, best, value === chosen, fitting.length),
  }));
}

function missing(misses: RankedValue['required'], data: EventData): string {
  return misses
    .map(([field, wanted]) => {
      const found = textOf(data, field);
      return found === undefined
        ? `needs ${field} ${wanted}, the event has no ${field}`
        : `needs ${field} ${wanted}, the event has ${found}`;
    })
    .join('; ');
}

function fitReason(rank: number, best: number, isChosen: boolean, fitting: number): string {
  const equal =
    rank < 0
      ? 'fits everything'
      : rank === 0
        ? 'fits any value of its dimensions'
        : `fits with ${rank} equal dimension${rank === 1 ? '' : 's'}`;
  if (isChosen) {
    if (fitting === 1) return `${equal}, and no other value fits`;
    return `${equal}, the most exact that fits`;
  }
  return rank === best ? `${equal} as well, but is listed later` : `${equal}, less exactly`;
}
