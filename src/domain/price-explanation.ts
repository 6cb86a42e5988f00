import { add, type Decimal, decimal, divide, format, multiply, round, ZERO } from './decimal.ts';
import {
  type EventData,
  type PricingEntry,
  type PricingValue,
  rankValue,
  textOf,
} from './pricing.ts';

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
    const { required, rank } = rankValue(value);
    const misses = required.filter(([field, text]) => textOf(data, field) !== text);
    return { value, rank, misses };
  });
  const fitting = ranked.filter(({ misses }) => misses.length === 0);
  const best = Math.max(...fitting.map(({ rank }) => rank));
  const chosen = fitting.find(({ rank }) => rank === best);
  return ranked.map((each, index) => ({
    asset: entry.asset,
    place: index + 1,
    value: each.value,
    fits: each.misses.length === 0,
    rank: each.rank,
    chosen: each === chosen,
    reason:
      each.misses.length > 0
        ? missing(each.misses, data)
        : fitReason(each.rank, best, each === chosen, fitting.length),
  }));
}

function missing(misses: readonly (readonly [string, string])[], data: EventData): string {
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

/** How an amount came about, with its operands. */
export interface Arithmetic {
  /** In plain notation, without the result. */
  readonly formula: string;
  /** All digits of the result; one that has no end is cut and ends in `…`. */
  readonly exact: string;
  readonly places: number;
  readonly amount: Decimal;
  /** Whether rounding changed it. */
  readonly rounded: boolean;
}

/** Decimal places after which a quotient is taken not to end. */
const MOST_PLACES = 40;
const SHOWN_PLACES = 20;

/**
 * The amount of a value for a volume, step by step.
 *
 * @units   the asset's; `places` decimal places
 * @assumes
 */
export function explainAmount(
  { unit_price, volume_rate, package_size = 1 }: PricingValue,
  volume: Decimal | null,
  places: number,
): Arithmetic {
  const size = decimal(package_size);
  const packages =
    volume && volume_rate !== undefined ? multiply(volume, decimal(volume_rate)) : ZERO;
  const dividend = add(multiply(decimal(unit_price ?? '0'), size), packages);
  const quotient = divide(dividend, size, MOST_PLACES);
  const ends = multiply(quotient, size).eq(dividend);
  const amount = ends ? round(quotient, places) : divide(dividend, size, places);
  return {
    formula: formulaOf({ unit_price, volume_rate, package_size }, volume),
    exact: ends ? format(quotient) : `${cut(format(quotient))}…`,
    places,
    amount,
    rounded: !ends || !amount.eq(quotient),
  };
}

function formulaOf(
  { unit_price, volume_rate, package_size }: Record<string, unknown>,
  volume: Decimal | null,
): string {
  const parts: string[] = [];
  if (unit_price !== undefined) parts.push(`${unit_price}`);
  if (volume && volume_rate !== undefined) {
    const packages = package_size === 1 ? '' : ` ÷ ${package_size}`;
    parts.push(`${format(volume)} × ${volume_rate}${packages}`);
  }
  return parts.join(' + ');
}

function cut(text: string): string {
  return text.slice(0, text.indexOf('.') + 1 + SHOWN_PLACES);
}
