import { type Decimal, type DecimalText, decimal, ONE } from '../decimal.ts';

/** The amounts of a price, up to a bound of the quantity if it has several rows. */
export interface PriceRow {
  readonly name?: string;
  /** Inclusive; the last row has no bound. */
  readonly up_to?: DecimalText;
  readonly unit_price?: DecimalText;
  readonly volume_rate?: DecimalText;
  readonly package_size?: number;
  readonly min_amount?: DecimalText;
  readonly max_amount?: DecimalText;
  /** Fixed prices only: the factor of the unit price. */
  readonly quantity?: number;
}

/** A row with its dimensions, or a group of rows with the same dimensions. */
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

/** The quantity that a price counts, and the period of one count. */
export interface Tiering {
  readonly basis?: 'unit' | 'volume' | 'package';
  readonly period: 'lifetime' | 'monthly' | 'quarterly' | 'yearly';
}

/** The names of the price models. */
export type PricingModel = 'flat' | 'tiered' | 'bulk' | 'package';

export interface UsagePrice {
  readonly pricing_model?: PricingModel;
  readonly tiering?: Tiering;
  readonly usage_calculation: UsageCalculation;
  readonly pricing: readonly PricingEntry[];
}

export interface DecimalRow {
  readonly source: PriceRow;
  readonly upTo: Decimal | undefined;
  readonly unitPrice: Decimal | undefined;
  readonly volumeRate: Decimal | undefined;
  readonly packageSize: Decimal;
  readonly minimum: Decimal | undefined;
  readonly maximum: Decimal | undefined;
}

export type DecimalRows = readonly [DecimalRow, ...DecimalRow[]];

/** Rows with the same dimensions. Events that match share one count. */
export interface PriceGroup {
  readonly name: string | undefined;
  /** The value that an event must have in each field; `*` matches any value. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly rows: DecimalRows;
}

/**
 * The groups of an entry, in order. Each plain row is a group, or all plain rows form one group if they are tiers.
 *
 * @assumes A-506
 */
export function groupsOf({ values }: PricingEntry, areTiers: boolean): readonly PriceGroup[] {
  return areTiers && !values.some((value) => value.values)
    ? [{ name: undefined, dimensions: {}, rows: values.map(readRow) as unknown as DecimalRows }]
    : values.map(readGroup);
}

function readGroup(value: PricingValue): PriceGroup {
  const { name, dimensions = {}, values } = value;
  return { name, dimensions, rows: (values ?? [value]).map(readRow) as unknown as DecimalRows };
}

function readRow(source: PriceRow): DecimalRow {
  const read = (text: string | undefined) => (text === undefined ? undefined : decimal(text));
  return {
    source,
    upTo: read(source.up_to),
    unitPrice: read(source.unit_price),
    volumeRate: read(source.volume_rate),
    packageSize: source.package_size === undefined ? ONE : decimal(source.package_size),
    minimum: read(source.min_amount),
    maximum: read(source.max_amount),
  };
}
