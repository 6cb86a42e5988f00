import { type Decimal, decimal, ONE } from '../decimal.ts';
import type { PriceRow, PricingEntry, PricingValue } from './price.ts';

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
