import { type DataValue, quoted } from '../../domain/pricing/event-data.ts';
import type { FeeLine } from '../../domain/pricing/price-event.ts';
import { key } from '../../store/schema.ts';
import { didYouMean } from '../../text/nearest.ts';
import { type Warning, warn } from '../warnings.ts';
import type { BillableUsage, Billing } from './billing.ts';
import type { OfferedPrice, PriceList } from './usage-prices.ts';

/** Warnings of usage that is accepted but costs nothing. @assumes A-1402 */

function warnOf(
  { context, onWarning }: Billing,
  { event_id }: BillableUsage,
  warning: Omit<Warning, 'event_id'>,
): void {
  if (onWarning) onWarning({ ...warning, event_id });
  else warn(context, { ...warning, event_id });
}

export function warnOfVolume(billing: Billing, usage: BillableUsage, price: OfferedPrice): void {
  const field = price.usage_calculation.volume_field as string;
  const volume = Object.hasOwn(usage.data, field)
    ? quoted(usage.data[field] as DataValue)
    : 'missing';
  warnOf(billing, usage, {
    kind: 'unusable_volume',
    place: key(usage.event_id, field),
    message: `${price.price_name} counts ${field}, which is ${volume}: there is no fee.`,
    field: `data.${field}`,
  });
}

/** Warns of usage that a price counts but for which it has no matching value, once per set of dimensions. */
export function warnOfNoFit(billing: Billing, usage: BillableUsage, price: OfferedPrice): void {
  const { billable_dimensions } = price.usage_calculation;
  const said = billable_dimensions.map((field) =>
    Object.hasOwn(usage.data, field)
      ? `${field} ${quoted(usage.data[field] as DataValue)}`
      : `no ${field}`,
  );
  warnOf(billing, usage, {
    kind: 'unmatched_usage',
    place: key(price.price_id, ...said),
    message: `${price.price_name} has no value for ${said.join(', ')}: there is no fee.`,
    field: 'data',
  });
}

/** Warns of usage that none of the customer's prices count, once per customer and event type. */
export function warnOfNoPrice(billing: Billing, usage: BillableUsage, prices: PriceList): void {
  const { customer, onWarning } = billing;
  if (!customer || onWarning) return;
  const { event_type, occurred_at } = usage;
  if (prices.billed_by.length === 0) {
    warnOf(billing, usage, {
      kind: 'no_subscription',
      place: customer.id,
      message: `${customer.id} had no subscription that bills usage of ${occurred_at}: there is no fee.`,
      field: 'occurred_at',
    });
    return;
  }
  const help = didYouMean(
    event_type,
    prices.offers.flatMap((offer) => [...offer.keys()]),
  );
  warnOf(billing, usage, {
    kind: 'unknown_event_type',
    place: key(customer.id, event_type),
    message: `No price of ${customer.id} counts ${event_type}: there is no fee.${help}`,
    field: 'event_type',
  });
}

/** Warns of a fee that is rounded to 0, once per price and asset. */
export function warnOfRounding(
  billing: Billing,
  usage: BillableUsage,
  price: OfferedPrice,
  { asset }: FeeLine,
): void {
  if (billing.onWarning) return;
  warnOf(billing, usage, {
    kind: 'rounded_away',
    place: key(price.price_id, asset),
    message: `${price.price_name} comes to less than ${asset} can hold and is rounded to 0.`,
    field: 'data',
  });
}
