import type { Instant } from '../instant.ts';
import { basisOf, modelOf } from './models.ts';
import type { PriceGroup, Tiering, UsagePrice } from './price.ts';

/** What a price counts, and for how long. */
export interface CountKind {
  readonly basis: 'unit' | 'volume' | 'package_of_units' | 'package_of_volume';
  readonly period: Tiering['period'];
}

/** Identifies one quantity so far, together with the customer, product and price. */
export interface Count extends CountKind {
  readonly asset: string;
  /** The dimensions of the group; `*` matches any value. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The first day of the period, 1970-01-01 for a lifetime, or the change of basis or period after it. */
  readonly since: string;
}

/** What a price counts; undefined if its model keeps no quantity. @assumes A-1501 */
export function countKindOf(price: UsagePrice): CountKind | undefined {
  if (!modelOf(price).hasTiers) return undefined;
  const basis = basisOf(price);
  const holdsUnits = price.usage_calculation.usage_type === 'unit';
  return {
    basis: basis !== 'package' ? basis : holdsUnits ? 'package_of_units' : 'package_of_volume',
    period: price.tiering?.period ?? 'lifetime',
  };
}

/** The count that an event at a moment adds to, if what the price counts last changed at `changed`. @assumes A-1501 */
export function countOf(
  price: UsagePrice,
  asset: string,
  { dimensions }: PriceGroup,
  at: Instant,
  changed: Instant | undefined,
): Count | undefined {
  const kind = countKindOf(price);
  if (!kind) return undefined;
  const start = PERIOD_STARTS[kind.period](at);
  const since = changed !== undefined && changed > start ? changed : start;
  return { asset, dimensions, ...kind, since };
}

/** The first day of the calendar period that contains a moment, in UTC. */
const PERIOD_STARTS: Readonly<Record<Tiering['period'], (at: Instant) => string>> = {
  lifetime: () => '1970-01-01',
  monthly: (at) => `${at.slice(0, 7)}-01`,
  quarterly(at) {
    const month = Number(at.slice(5, 7));
    return `${at.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
  },
  yearly: (at) => `${at.slice(0, 4)}-01-01`,
};
