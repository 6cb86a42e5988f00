import { decimal, format } from '../../domain/decimal.ts';
import type { PriceRow, PricingValue, UsageCalculation } from '../../domain/pricing/price.ts';
import { isGiven } from '../../domain/rules.ts';
import type { components } from '../../spec/openapi.d.ts';
import type { PriceRecord } from '../../state/records.ts';
import { wireNumber } from '../../text/exact-json.ts';

type Schemas = components['schemas'];

/** Amounts of a row, in the order in which answers have them; records hold them as text. */
const AMOUNTS = ['up_to', 'unit_price', 'volume_rate', 'min_amount', 'max_amount'] as const;

/** A price of a request as it is kept, in the nesting that was sent. @assumes A-506, A-1505 */
export function recordPrice(price: Schemas['PriceInput'], id: string): PriceRecord {
  const { name, type, pricing_model, tiering, usage_calculation, pricing } = price;
  return {
    id,
    name,
    type,
    billing_model: recordBillingModel(price.billing_model),
    ...(isGiven(pricing_model) && { pricing_model }),
    ...(isGiven(tiering) && {
      tiering: {
        ...(isGiven(tiering.basis) && { basis: tiering.basis }),
        period: tiering.period ?? 'lifetime',
      },
    }),
    ...(usage_calculation && { usage_calculation: recordCalculation(usage_calculation) }),
    pricing: pricing.map(({ asset, values }) => ({ asset, values: values.map(recordValue) })),
  };
}

function recordBillingModel(model: Schemas['BillingModelInput']): PriceRecord['billing_model'] {
  if (model.type === 'one_time') {
    const { type, one_time } = model;
    return { type, ...(isGiven(one_time) && { one_time }) };
  }
  if (!model.recurring) return { type: 'real_time' };
  const { interval, interval_count } = model.recurring;
  const recurring = { interval, ...(isGiven(interval_count) && { interval_count }) };
  return { type: 'recurring', recurring };
}

function recordCalculation(
  calculation: NonNullable<Schemas['UsageCalculationInput']>,
): UsageCalculation {
  const { event_type, usage_type, billable_dimensions, ...optional } = calculation;
  const given = Object.entries(optional).filter(([, value]) => isGiven(value));
  return {
    event_type,
    usage_type,
    billable_dimensions: billable_dimensions ?? [],
    ...Object.fromEntries(given),
  };
}

function recordValue(value: Schemas['PricingValueInput']): PricingValue {
  const { dimensions, values } = value;
  const texts = Object.entries(dimensions ?? {}).map(([field, asked]) => [
    field,
    typeof asked === 'number' ? format(decimal(asked)) : String(asked),
  ]);
  return {
    ...recordRow(value),
    ...(texts.length > 0 && { dimensions: Object.fromEntries(texts) }),
    ...(values && { values: values.map(recordRow) }),
  };
}

function recordRow(row: Schemas['PriceRowInput']): PriceRow {
  const { name, volume_rate, package_size, quantity } = row;
  const amounts = AMOUNTS.flatMap((field) => {
    const amount = row[field];
    return isGiven(amount) ? [[field, format(decimal(amount))]] : [];
  });
  const size = package_size ?? (isGiven(volume_rate) ? 1 : undefined);
  return {
    ...(isGiven(name) && { name }),
    ...Object.fromEntries(amounts),
    ...(size !== undefined && { package_size: size }),
    ...(isGiven(quantity) && { quantity }),
  };
}

/** A price as answers show it. @assumes A-506 */
export function presentPrice({
  pricing,
  usage_calculation,
  ...price
}: PriceRecord): Schemas['Price'] {
  return {
    ...price,
    ...(usage_calculation && { usage_calculation: presentCalculation(usage_calculation) }),
    pricing: pricing.map(({ asset, values }) => ({
      asset,
      values: values.map(({ values: rows, dimensions, ...row }) => ({
        ...presentRow(row),
        ...(dimensions && { dimensions: { ...dimensions } }),
        ...(rows && { values: rows.map(presentRow) }),
      })),
    })),
  };
}

function presentRow({ name, package_size, quantity, ...row }: PriceRow): Schemas['PriceRow'] {
  const amounts = AMOUNTS.flatMap((field) => {
    const amount = row[field];
    return amount === undefined ? [] : [[field, wireNumber(amount)]];
  });
  return {
    ...(name !== undefined && { name }),
    ...Object.fromEntries(amounts),
    ...(package_size !== undefined && { package_size }),
    ...(quantity !== undefined && { quantity }),
  };
}

/** The source reference is kept and not answered. @assumes A-505 */
function presentCalculation({ source_reference_field: _kept, ...calculation }: UsageCalculation) {
  return { ...calculation, billable_dimensions: [...calculation.billable_dimensions] };
}
