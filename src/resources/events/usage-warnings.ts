import { type DataValue, quoted } from '../../domain/pricing/event-data.ts';
import type { CustomerRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Warning } from '../warnings.ts';
import type { BillableUsage, FreeUsage } from './usage-billing.ts';
import type { OfferedPrice, PriceList } from './usage-prices.ts';

/** The warning about usage that is accepted but costs nothing. A simulation has no customer. @assumes A-1402 */
export function freeUsageWarning(
  usage: BillableUsage,
  free: FreeUsage,
  customer?: CustomerRow,
): Warning {
  const { event_id } = usage;
  switch (free.why) {
    case 'no_price':
      return { ...noPrice(usage, free.prices, customer), event_id };
    case 'unmatched_usage':
      return { ...noMatch(usage, free.price), kind: free.why, event_id };
    case 'unusable_volume':
      return { ...noVolume(usage, free.price), kind: free.why, event_id };
    case 'rounded_away': {
      const { price_id, price_name } = free.price;
      return {
        kind: free.why,
        place: key(price_id, free.asset),
        message: `${price_name} comes to less than ${free.asset} can hold and is rounded to 0.`,
        field: 'data',
        event_id,
      };
    }
  }
}

function noVolume({ event_id, data }: BillableUsage, price: OfferedPrice) {
  const field = price.usage_calculation.volume_field as string;
  const volume = valueIn(data, field) ?? 'missing';
  return {
    place: key(event_id, field),
    message: `${price.price_name} counts ${field}, which is ${volume}: there is no fee.`,
    field: `data.${field}`,
  };
}

/** Once per set of dimensions. */
function noMatch({ data }: BillableUsage, price: OfferedPrice) {
  const said = price.usage_calculation.billable_dimensions.map((field) => {
    const value = valueIn(data, field);
    return value === undefined ? `no ${field}` : `${field} ${value}`;
  });
  return {
    place: key(price.price_id, ...said),
    message: `${price.price_name} has no value for ${said.join(', ')}: there is no fee.`,
    field: 'data',
  };
}

/** Once per customer without a subscription, or per customer and event type. */
function noPrice(
  { event_type, occurred_at }: BillableUsage,
  { offers, billed_by }: PriceList,
  customer: CustomerRow | undefined,
): Omit<Warning, 'event_id'> {
  if (customer && billed_by.length === 0)
    return {
      kind: 'no_subscription',
      place: customer.id,
      message: `${customer.id} had no subscription that bills usage of ${occurred_at}: there is no fee.`,
      field: 'occurred_at',
    };
  const whose = customer ? ` of ${customer.id}` : '';
  const help = customer
    ? didYouMean(
        event_type,
        offers.flatMap((offer) => [...offer.keys()]),
      )
    : '';
  return {
    kind: 'unknown_event_type',
    place: key(customer?.id ?? '', event_type),
    message: `No price${whose} counts ${event_type}: there is no fee.${help}`,
    field: 'event_type',
  };
}

const valueIn = (data: BillableUsage['data'], field: string): string | undefined =>
  Object.hasOwn(data, field) ? quoted(data[field] as DataValue) : undefined;
