import { type Finding, finding, findingIf, isGiven, type Rule } from '../rules.ts';
import type { Tiering, UsageType } from './price.ts';

/** A usage-based price of a request that has a usage calculation. */
export interface UsagePriceInput {
  readonly tiering?: { readonly [N in keyof Tiering]?: Tiering[N] | null } | null | undefined;
  readonly usage_calculation: UsageTerms;
  readonly pricing: readonly { readonly asset: string; readonly values: readonly ValueInput[] }[];
}

export interface UsageTerms {
  readonly usage_type: UsageType;
  readonly billable_dimensions?: readonly string[] | null;
}

/** What a price model requires of its prices. */
export interface ModelTraits {
  /** `period`: only the period can be given, since the model counts packages. */
  readonly tiering: 'refused' | 'required' | 'period';
  /** How many rows a group can have. */
  readonly rows: 'one' | 'many';
}

/** The maximum number of rows in a group; it limits the time to price an event. */
const MAX_ROWS = 100;

/**
 * Returns the rules that a usage-based price breaks, given the requirements of its model.
 *
 * @assumes, A-1501, A-1505
 */
export function validateUsagePrice(
  price: UsagePriceInput,
  field: string,
  traits: ModelTraits,
): Finding[] {
  return [
    ...validateTiering(price, field, traits),
    ...price.pricing.flatMap(({ values }, index) =>
      validateEntry(price, values, `${field}.pricing[${index}].values`, traits),
    ),
  ];
}

function validateTiering(
  { tiering, usage_calculation: { usage_type } }: UsagePriceInput,
  field: string,
  { tiering: wanted }: ModelTraits,
): Finding[] {
  const place = `${field}.tiering`;
  const basis = tiering?.basis;
  if (wanted === 'refused') return findingIf(isGiven(tiering), 'price.tiering_unexpected', place);
  if (wanted === 'period') {
    const type = `${field}.usage_calculation.usage_type`;
    return [
      ...findingIf(isGiven(basis), 'price.tiering_basis_unexpected', `${place}.basis`),
      ...findingIf(usage_type === 'unit_and_volume', 'price.package_usage', type),
    ];
  }
  if (!isGiven(tiering)) return [finding('price.tiering_required', place)];
  if (!isGiven(basis)) return [finding('price.tiering_basis_required', `${place}.basis`)];
  const isUncounted = basis === 'volume' && usage_type === 'unit';
  return findingIf(isUncounted, 'price.basis_not_counted', `${place}.basis`);
}

function validateEntry(
  price: UsagePriceInput,
  values: readonly ValueInput[],
  field: string,
  traits: ModelTraits,
): Finding[] {
  const place = (index: number) => `${field}[${index}]`;
  const isGrouped = isGiven(values[0]?.values);
  const groups = values.map((value, index) => placedRows(value, place(index)));
  const areTiers = traits.tiering !== 'refused' && !isGrouped;
  return [
    ...values.flatMap((value, index) => [
      ...findingIf(isGiven(value.values) !== isGrouped, 'price.values_mixed', place(index)),
      ...validateGroup(value, place(index)),
      ...validateDimensions(value, place(index), price.usage_calculation, areTiers),
    ]),
    ...(areTiers ? [groups.flat()] : groups).flatMap((rows) => validateRows(price, rows, traits)),
  ];
}

function validateDimensions(
  { dimensions }: ValueInput,
  field: string,
  { billable_dimensions }: UsageTerms,
  areTiers: boolean,
): Finding[] {
  const names = Object.keys(dimensions ?? {});
  if (areTiers && names.length > 0)
    return [finding('price.tier_dimensions', `${field}.dimensions`)];
  return names
    .filter((name) => !billable_dimensions?.includes(name))
    .map((name) => finding('dimension.not_billable', `${field}.dimensions.${name}`));
}

/** Checks the rows that share one count. */
function validateRows(price: UsagePriceInput, rows: readonly PlacedRow[], traits: ModelTraits) {
  const [first, second] = rows;
  const excess = traits.rows === 'one' ? second : rows[MAX_ROWS];
  const rule = traits.rows === 'one' ? 'price.one_row' : 'price.rows_too_many';
  return [
    ...rows.flatMap((row) => validateRow(price, row, traits)),
    ...(excess ? [finding(rule, excess.field)] : []),
    ...(traits.rows === 'many' ? validateOrder(rows) : []),
    ...(countsPackages(price, traits)
      ? rows
          .filter(({ row }) => isGiven(row.package_size))
          .filter(({ row }) => row.package_size !== first?.row.package_size)
          .map(({ field }) => finding('price.package_size_mixed', `${field}.package_size`))
      : []),
  ];
}

function validateRow(
  { usage_calculation: { usage_type }, ...price }: UsagePriceInput,
  placed: PlacedRow,
  traits: ModelTraits,
): Finding[] {
  const { row, field } = placed;
  const { unit_price, volume_rate, package_size, min_amount, max_amount } = row;
  const areCounted = countsPackages(price, traits);
  const isFree = usage_type === 'unit_and_volume' && !isGiven(unit_price) && !isGiven(volume_rate);
  const isSizeAlone = !areCounted && isGiven(package_size) && !isGiven(volume_rate);
  const isReversed = isGiven(min_amount) && isGiven(max_amount) && min_amount > max_amount;
  return [
    ...validateFields(placed, USAGE_ROWS[usage_type]),
    ...validateFields(placed, {
      required: areCounted ? [['package_size', 'price.package_size_required']] : [],
      refused: [
        ['quantity', 'price.quantity_unexpected'],
        ...(traits.rows === 'one' ? [['up_to', 'price.up_to_unexpected'] as const] : []),
      ],
    }),
    ...findingIf(isFree, 'price.value_amount_required', field),
    ...findingIf(isSizeAlone, 'price.package_size_alone', `${field}.package_size`),
    ...findingIf(isReversed, 'price.bounds_order', `${field}.max_amount`),
  ];
}

/** Each bound must be greater than the one before; only the last row has none. */
function validateOrder(rows: readonly PlacedRow[]): Finding[] {
  return rows.flatMap(({ row, field }, index) => {
    const isLast = index === rows.length - 1;
    const before = rows[index - 1]?.row.up_to ?? 0;
    const isInOrder = isGiven(row.up_to) ? !isLast && row.up_to > before : isLast;
    return findingIf(!isInOrder, 'price.up_to_order', `${field}.up_to`);
  });
}

const countsPackages = (
  { tiering }: Pick<UsagePriceInput, 'tiering'>,
  traits: ModelTraits,
): boolean => traits.tiering === 'period' || tiering?.basis === 'package';

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
type RowInput = { readonly [N in RowField]?: number | null };

/** A pricing value of a request: a row, or a group of rows. */
export interface ValueInput extends RowInput {
  readonly dimensions?: Readonly<Record<string, string | number | boolean>> | null;
  readonly values?: readonly RowInput[] | null;
}

interface PlacedRow {
  readonly row: RowInput;
  readonly field: string;
}

/** The rows of a value: its nested rows, or the value itself. */
function placedRows(value: ValueInput, field: string): PlacedRow[] {
  if (!value.values) return [{ row: value, field }];
  return value.values.map((row, index) => ({ row, field: `${field}.values[${index}]` }));
}

/** The fields that a row must have and must not have, each with the rule that it breaks otherwise. */
interface RowTerms {
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
const USAGE_ROWS: Readonly<Record<UsageType, RowTerms>> = {
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
function validateFields({ row, field }: PlacedRow, terms: RowTerms): Finding[] {
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
function validateGroup(value: ValueInput, field: string): Finding[] {
  const isBoth = isGiven(value.values) && ROW_FIELDS.some((name) => isGiven(value[name]));
  return findingIf(isBoth, 'price.nested_values', `${field}.values`);
}
