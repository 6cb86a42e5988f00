import { type Decimal, type DecimalText, decimal, format } from '../decimal.ts';
import { groupsOf, type PriceGroup, type PricingEntry } from './price.ts';

/** A group with the dimensions that an event must match; dimensions with `*` are left out. */
interface RankedGroup {
  readonly group: PriceGroup;
  /** Position among the groups of its entry, from 1. */
  readonly place: number;
  readonly required: readonly (readonly [field: string, text: string])[];
  /** The number of dimensions that must match; -1 for a group without dimensions. */
  readonly rank: number;
}

const rankings = new WeakMap<PricingEntry, readonly RankedGroup[]>();

/** The groups of an entry, highest rank first. They are cached, since an entry never changes. */
function rankedGroups(entry: PricingEntry, areTiers: boolean): readonly RankedGroup[] {
  const known = rankings.get(entry);
  if (known) return known;
  const ranking = groupsOf(entry, areTiers)
    .map(rankGroup)
    .sort((left, right) => right.rank - left.rank);
  rankings.set(entry, ranking);
  return ranking;
}

function rankGroup(group: PriceGroup, index: number): RankedGroup {
  const dimensions = Object.entries(group.dimensions);
  const required = dimensions.filter(([, text]) => text !== '*');
  const rank = dimensions.length === 0 ? -1 : required.length;
  return { group, place: index + 1, required, rank };
}

/**
 * The matching group with the most required dimensions; the first of equals. `*` matches any value.
 *
 * @assumes A-507
 */
export function mostExact(
  entry: PricingEntry,
  areTiers: boolean,
  data: EventData,
): PriceGroup | undefined {
  return rankedGroups(entry, areTiers).find(({ required }) =>
    required.every(([field, text]) => textOf(data, field) === text),
  )?.group;
}

/** The values of the event for the dimensions of a group, as text. @assumes A-508 */
export function dimensionsOf(group: PriceGroup, data: EventData): Readonly<Record<string, string>> {
  const own = Object.keys(group.dimensions).flatMap((field) => {
    const text = textOf(data, field);
    return text === undefined ? [] : [[field, text] as const];
  });
  return Object.fromEntries(own);
}

/** The required dimensions that an event does not match. */
const missesOf = ({ required }: RankedGroup, data: EventData) =>
  required.filter(([field, text]) => textOf(data, field) !== text);

/** A field of the event as text, numbers in plain notation; undefined if absent. */
function textOf(data: EventData, field: string): string | undefined {
  const value = Object.hasOwn(data, field) ? data[field] : undefined;
  return value === undefined ? undefined : textOfValue(value);
}

/** A group of a price compared with an event: whether it matches, and how exactly. */
export interface Candidate extends Omit<RankedGroup, 'required'> {
  readonly asset: string;
  readonly fits: boolean;
  readonly chosen: boolean;
  readonly reason: string;
}

/**
 * Every group of an entry compared with an event's data, in order, with the reason why it was chosen or not.
 *
 * @assumes A-507
 */
export function explainMatching(
  entry: PricingEntry,
  areTiers: boolean,
  data: EventData,
): Candidate[] {
  const ranked = rankedGroups(entry, areTiers)
    .map((each) => ({ ...each, misses: missesOf(each, data) }))
    .sort((left, right) => left.place - right.place);
  const fitting = ranked.filter(({ misses }) => misses.length === 0);
  const best = Math.max(...fitting.map(({ rank }) => rank));
  const chosen = mostExact(entry, areTiers, data);
  return ranked.map(({ group, place, rank, misses }) => ({
    asset: entry.asset,
    place,
    group,
    fits: misses.length === 0,
    rank,
    chosen: group === chosen,
    reason:
      misses.length > 0
        ? missing(misses, data)
        : fitReason(rank, best, group === chosen, fitting.length),
  }));
}

function missing(misses: RankedGroup['required'], data: EventData): string {
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
      ? 'matches everything'
      : rank === 0
        ? 'matches any dimensions'
        : `matches with ${rank} equal dimension${rank === 1 ? '' : 's'}`;
  if (isChosen) {
    if (fitting === 1) return `${equal}, and no other value matches`;
    return `${equal}, the most specific match`;
  }
  return rank === best
    ? `${equal} as well, but is listed later`
    : `${equal}, but less specifically`;
}

/** A number with more digits than a double holds. */
export interface LongNumber {
  readonly digits: DecimalText;
}

export type DataValue = string | number | boolean | LongNumber;

/** The facts about a usage event. */
export type EventData = Readonly<Record<string, DataValue>>;

/** A number with all its digits; undefined for any other value. @assumes A-303 */
export function numberOf(value: DataValue | undefined): Decimal | undefined {
  if (typeof value === 'number') return decimal(value);
  return typeof value === 'object' ? decimal(value.digits) : undefined;
}

/** A value as text, numbers in plain notation. */
function textOfValue(value: DataValue): string {
  const number = numberOf(value);
  return number ? format(number) : String(value);
}

/** A value as messages show it: texts in quotes. */
export const quoted = (value: DataValue): string =>
  typeof value === 'string' ? JSON.stringify(value) : textOfValue(value);
