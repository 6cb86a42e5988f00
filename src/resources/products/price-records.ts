import { decimal, format } from '../../domain/decimal.ts';
import { given, mapPresent } from '../../domain/given.ts';
import type { PriceRow, PricingValue, UsageCalculation } from '../../domain/pricing/price.ts';
import { isGiven } from '../../domain/rules.ts';
import type { components } from '../../spec/openapi.d.ts';
import type { PriceRecord } from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';

type Schemas = components['schemas'];

/** The amounts of a row, in response order; records store them as text. */
const AMOUNTS = ['up_to', 'unit_price', 'volume_rate', 'min_amount', 'max_amount'] as const;

/** Converts a price of a request to a record, with the nesting as sent. @assumes A-506, A-1505 */
export function recordPrice(price: Schemas['PriceInput'], id: string): PriceRecord {
  const { name, type, pricing_model, tiering, usage_calculation, pricing } = price;
  return {
    id,
    name,
    type,
    billing_model: recordBillingModel(price.billing_model),
    ...given({
      pricing_model,
      tiering: tiering && {
        ...given({ basis: tiering.basis }),
        period: tiering.period ?? 'lifetime',
      },
      usage_calculation: usage_calculation && recordCalculation(usage_calculation),
    }),
    pricing: pricing.map(({ asset, values }) => ({ asset, values: values.map(recordValue) })),
  };
}

function recordBillingModel(model: Schemas['BillingModelInput']): PriceRecord['billing_model'] {
  if (model.type === 'one_time') {
    const { type, one_time } = model;
    return { type, ...given({ one_time }) };
  }
  if (!model.recurring) return { type: 'real_time' };
  const { interval, interval_count } = model.recurring;
  return { type: 'recurring', recurring: { interval, ...given({ interval_count }) } };
}

function recordCalculation(
  calculation: NonNullable<Schemas['UsageCalculationInput']>,
): UsageCalculation {
  const { event_type, usage_type, billable_dimensions, ...optional } = calculation;
  return {
    event_type,
    usage_type,
    billable_dimensions: billable_dimensions ?? [],
    ...given(optional),
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
  const size = package_size ?? (isGiven(volume_rate) ? 1 : undefined);
  return {
    ...given({ name }),
    ...mapPresent(row, AMOUNTS, (amount) => format(decimal(amount))),
    ...given({ package_size: size, quantity }),
  };
}

/** A price as responses show it. @assumes A-506 */
export function presentPrice({
  pricing,
  usage_calculation,
  ...price
}: PriceRecord): Schemas['Price'] {
  return {
    ...price,
    ...(usage_calculation && {
      usage_calculation: {
        ...usage_calculation,
        billable_dimensions: [...usage_calculation.billable_dimensions],
      },
    }),
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
  return {
    ...given({ name }),
    ...mapPresent(row, AMOUNTS, wireNumber),
    ...given({ package_size, quantity }),
  };
}
