import type { Decimal } from '../decimal.ts';
import type { Finding } from '../rules.ts';
import type { PriceGroup } from './groups.ts';
import type { UsagePrice } from './price.ts';
import type { PriceBreakdown } from './price-breakdown.ts';
import type { UsagePriceInput } from './usage-rules.ts';

/** How a usage-based price turns usage into an amount. `volume` is null if the price does not count volume. */
export interface PriceModel {
  /** Whether plain rows are tiers that share one count. */
  readonly hasTiers: boolean;
  /** The findings for a price of this model, each with its request field. */
  validate(price: UsagePriceInput, field: string): Finding[];
  /** How much an event adds to the quantity so far; undefined if the model keeps no quantity. */
  quantity(price: UsagePrice, volume: Decimal | null): Decimal | undefined;
  /** The cost of an event in a group whose quantity so far is `before`, before rounding. */
  amount(
    price: UsagePrice,
    group: PriceGroup,
    volume: Decimal | null,
    before: Decimal,
  ): PriceBreakdown;
  /** A sentence that explains how the amount is calculated. */
  readonly explain: string;
}
