import type { DecimalText } from '../decimal.ts';
import type { PricingModel } from './models.ts';

export type EventData = Readonly<Record<string, string | number | boolean>>;

/** What a price asks, up to a bound of the quantity where it has several rows. */
export interface PriceRow {
  readonly name?: string;
  /** Inclusive; the last row has none. */
  readonly up_to?: DecimalText;
  readonly unit_price?: DecimalText;
  readonly volume_rate?: DecimalText;
  readonly package_size?: number;
  readonly min_amount?: DecimalText;
  readonly max_amount?: DecimalText;
  /** Of a fixed price: how often the unit price is due. */
  readonly quantity?: number;
}

/** A row with its dimensions, or a group of rows that share them. */
export interface PricingValue extends PriceRow {
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly values?: readonly PriceRow[];
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
  readonly unit_aggregation?: 'count';
  readonly volume_aggregation?: 'sum';
}

/** What a price counts usage by, and how long one count lasts. */
export interface Tiering {
  readonly basis?: 'unit' | 'volume' | 'package';
  readonly period: 'lifetime' | 'monthly' | 'quarterly' | 'yearly';
}

export interface UsagePrice {
  readonly pricing_model?: PricingModel;
  readonly tiering?: Tiering;
  readonly usage_calculation: UsageCalculation;
  readonly pricing: readonly PricingEntry[];
}
