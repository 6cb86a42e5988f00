import type { DecimalText } from '../decimal.ts';
import type { PricingModel } from './models.ts';

export type EventData = Readonly<Record<string, string | number | boolean>>;

/** What a price asks: amounts for one unit, or for each package of volume. */
export interface PriceRow {
  readonly name?: string;
  readonly unit_price?: DecimalText;
  readonly volume_rate?: DecimalText;
  readonly package_size?: number;
}

/** One value of a price: what it asks of events that have its dimensions. */
export interface PricingValue extends PriceRow {
  readonly dimensions?: Readonly<Record<string, string>>;
}

/** The values of a price in one asset. */
export interface PricingEntry {
  readonly asset: string;
  readonly values: readonly PricingValue[];
}

export type UsageType = 'unit' | 'volume' | 'unit_and_volume';

export interface UsageCalculation {
  readonly event_type: string;
  readonly usage_type: UsageType;
  readonly volume_field?: string;
  readonly billable_dimensions: readonly string[];
  readonly source_reference_field?: string;
}

export interface UsagePrice {
  readonly pricing_model?: PricingModel;
  readonly usage_calculation: UsageCalculation;
  readonly pricing: readonly PricingEntry[];
}
