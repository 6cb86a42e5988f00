import type { Instant } from '../instant.ts';
import { basisOf } from './counted-models.ts';
import type { PriceGroup } from './groups.ts';
import type { Tiering, UsagePrice } from './price.ts';

/** Identifies one quantity so far, together with the customer, product and price. */
export interface Count {
  readonly asset: string;
  /** The dimensions of the group; `*` matches any value. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly basis: 'unit' | 'volume' | 'package_of_units' | 'package_of_volume';
  readonly period: Tiering['period'];
  /** The first day of the period; 1970-01-01 for a lifetime. */
  readonly since: string;
}

/** The count that an event at a moment adds to. @assumes A-1501 */
export function countOf(
  price: UsagePrice,
  asset: string,
  { dimensions }: PriceGroup,
  at: Instant,
): Count {
  const basis = basisOf(price);
  const holdsUnits = price.usage_calculation.usage_type === 'unit';
  const period = price.tiering?.period ?? 'lifetime';
  return {
    asset,
    dimensions,
    basis: basis !== 'package' ? basis : holdsUnits ? 'package_of_units' : 'package_of_volume',
    period,
    since: PERIOD_STARTS[period](at),
  };
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
