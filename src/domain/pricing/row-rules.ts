import { type Finding, finding, findingIf, isGiven, type Rule } from '../rules.ts';
import type { UsageType } from './price.ts';

const ROW_FIELDS = [
  'up_to',
  'unit_price',
  'volume_rate',
  'package_size',
  'min_amount',
  'max_amount',
  'quantity',
] as const;

type RowField = (typeof ROW_FIELDS)[number];

/** A row of a request, with JSON numbers. */
export type RowInput = { readonly [N in RowField]?: number | null };

/** A pricing value of a request: a row, or a group of rows. */
export interface ValueInput extends RowInput {
  readonly dimensions?: Readonly<Record<string, string | number | boolean>> | null;
  readonly values?: readonly RowInput[] | null;
}

export interface PlacedRow {
  readonly row: RowInput;
  readonly field: string;
}

/** The rows of a value: its nested rows, or the value itself. */
export function placedRows(value: ValueInput, field: string): PlacedRow[] {
  if (!value.values) return [{ row: value, field }];
  return value.values.map((row, index) => ({ row, field: `${field}.values[${index}]` }));
}

/** The fields that a row must have and must not have, each with the rule that it breaks otherwise. */
export interface RowTerms {
  readonly required?: readonly (readonly [RowField, Rule])[];
  readonly refused?: readonly (readonly [RowField, Rule])[];
}

const FIXED_ROW: RowTerms = {
  required: [['unit_price', 'price.unit_price_required']],
  refused: (['volume_rate', 'package_size', 'up_to', 'min_amount', 'max_amount'] as const).map(
    (name) => [name, 'price.fixed_value'],
  ),
};

/** The allowed amounts of a usage-based price, by usage type. */
export const USAGE_ROWS: Readonly<Record<UsageType, RowTerms>> = {
  unit: {
    required: [['unit_price', 'price.unit_price_required']],
    refused: [['volume_rate', 'price.volume_rate_unexpected']],
  },
  volume: {
    required: [['volume_rate', 'price.volume_rate_required']],
    refused: [['unit_price', 'price.unit_price_unexpected']],
  },
  unit_and_volume: {},
};

/** A finding for each field that is missing or not allowed. */
export function validateFields({ row, field }: PlacedRow, terms: RowTerms): Finding[] {
  const { required = [], refused = [] } = terms;
  return [
    ...required.filter(([name]) => !isGiven(row[name])),
    ...refused.filter(([name]) => isGiven(row[name])),
  ].map(([name, rule]) => finding(rule, `${field}.${name}`));
}

/** Checks the values of a fixed price in one asset: rows without groups or dimensions. @assumes A-505, A-1506 */
export function validateFixedValues(values: readonly ValueInput[], field: string): Finding[] {
  return values.flatMap((value, index) => {
    const place = `${field}[${index}]`;
    const hasDimensions = Object.keys(value.dimensions ?? {}).length > 0;
    const amounts = isGiven(value.values)
      ? [finding('price.fixed_value', `${place}.values`)]
      : validateFields({ row: value, field: place }, FIXED_ROW);
    return [...amounts, ...findingIf(hasDimensions, 'price.fixed_value', `${place}.dimensions`)];
  });
}

/** A group has no amounts of its own. @assumes A-506 */
export function validateGroup(value: ValueInput, field: string): Finding[] {
  const isBoth = isGiven(value.values) && ROW_FIELDS.some((name) => isGiven(value[name]));
  return findingIf(isBoth, 'price.nested_values', `${field}.values`);
}
