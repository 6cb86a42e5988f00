import { decimal, format } from '../../domain/decimal.ts';
import { mapPresent, omitNullish } from '../../domain/fields.ts';
import { numberOf } from '../../domain/pricing/matching.ts';
import type {
  CostRecord,
  CustomerRow,
  EventRow,
  FeeRecord,
  VendorRow,
} from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context } from '../context.ts';
import { presentStats } from '../revenue/revenue.ts';

/** How a cost was calculated, in numbers that are stored as sent. */
export const QUANTITIES = [
  'units',
  'unit_price',
  'input_volume',
  'volume_rate',
  'package_size',
] as const;

/** A usage event as `GET /events/{eventId}` returns it. */
export function presentEvent(context: Context, event: EventRow) {
  return presentOccurrence(event, {
    data: presentFacts(event.data),
    costs: event.costs.map((cost) => presentCost(context, cost)),
    fees: event.fees.map(presentFee),
    stats: presentStats(context.settings, decimal(event.revenue), decimal(event.cost)),
  });
}

/** A usage event as lists show it. @assumes A-806 */
export function presentEventSummary({ tables, settings }: Context, event: EventRow) {
  const { external_id } = tables.customers.get(event.customer_id) as CustomerRow;
  const { total_fees, fee_currency } = event;
  return presentOccurrence(event, {
    external_id: external_id ?? null,
    has_fees: event.fees.length > 0,
    ...(total_fees !== undefined && { total_fees: wireNumber(total_fees) }),
    ...(fee_currency !== undefined && { fee_currency }),
    stats: presentStats(settings, decimal(event.revenue), decimal(event.cost)),
  });
}

function presentFee({ id, terms, amount, input_volume }: FeeRecord) {
  const { product_id, product_code, product_version, price_id, price_name } = terms;
  const { currency, usage_type, volume_field, package_size } = terms;
  return {
    id,
    product_id,
    product_code,
    product_version,
    price_id,
    price_name,
    currency,
    usage_type,
    amount: wireNumber(amount),
    dimensions: terms.dimensions && { ...terms.dimensions },
    ...(volume_field !== undefined && { volume_field }),
    input_volume: wireDecimal(input_volume),
    unit_price: wireDecimal(terms.unit_price),
    volume_rate: wireDecimal(terms.volume_rate),
    package_size,
  };
}

function presentOccurrence<T extends object>(event: EventRow, fields: T) {
  const { subject, description } = event;
  return {
    id: event.event_id,
    customer_id: event.customer_id,
    event_type: event.event_type,
    occurred_at: event.occurred_at,
    created_at: event.created_at,
    ...omitNullish({ subject, description }),
    ...fields,
  };
}

function presentCost({ tables }: Context, record: CostRecord) {
  const { external_id } = tables.vendors.get(record.vendor_id) as VendorRow;
  const { id, vendor_id, amount, currency, category, description, metadata } = record;
  return {
    id,
    vendor_id,
    ...omitNullish({ vendor_external_id: external_id }),
    amount: wireNumber(amount),
    currency,
    ...omitNullish({ category, description, metadata: metadata && presentFacts(metadata) }),
    ...mapPresent(record, QUANTITIES, wireNumber),
  };
}

/** The caller's fields, numbers in plain notation with all their digits. */
export function presentFacts(facts: EventRow['data']): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      const number = numberOf(value);
      return [name, number ? wireNumber(format(number)) : (value as string | boolean)];
    }),
  );
}

const wireDecimal = (text: string | null): number | null =>
  text === null ? null : wireNumber(text);

/** A usage fee of a simulation, which belongs to no stored event. */
export function presentSimulatedFee(usage_id: string, event_type: string, fee: FeeRecord) {
  const { price_id, price_name, currency, usage_type, amount, ...shown } = presentFee(fee);
  const { dimensions, volume_field, input_volume, unit_price, volume_rate, package_size } = shown;
  return {
    usage_id,
    event_type,
    price_id,
    price_name,
    currency,
    usage_type,
    ...omitNullish({
      dimensions,
      volume_field,
      input_volume,
      unit_price,
      volume_rate,
      package_size,
    }),
    amount,
  };
}
