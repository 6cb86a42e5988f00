import { type DataValue, type EventData, quoted } from '../../domain/pricing/matching.ts';
import type { UsageCalculation } from '../../domain/pricing/price.ts';
import type { NoFee } from '../../domain/pricing/price-event.ts';
import type { CustomerRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { didYouMean } from '../../text/wording.ts';
import { customerTitle } from '../customers/customer-lookup.ts';
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
        message: `${price_name} ${roundedAwayText(free.asset)}.`,
        field: 'data',
        event_id,
      };
    }
  }
}

/** Why a price has no fee for this data; it continues a sentence that begins with the price. */
export function noFeeText(
  why: NoFee,
  { billable_dimensions, volume_field = '' }: UsageCalculation,
  data: EventData,
): string {
  if (why === 'unmatched_usage')
    return `has no value for ${saidOf(billable_dimensions, data).join(', ') || 'any usage'}`;
  return `counts ${volume_field}, which is ${valueIn(data, volume_field) ?? 'missing'} and must be a number of 0 or more`;
}

/** Why a price that costs something has a fee of 0. */
export const roundedAwayText = (asset: string): string =>
  `comes to less than ${asset} can hold and is rounded to 0`;

function noVolume({ event_id, data }: BillableUsage, price: OfferedPrice) {
  const field = price.usage_calculation.volume_field as string;
  return {
    place: key(event_id, field),
    message: noFeeMessage('unusable_volume', price, data),
    field: `data.${field}`,
  };
}

/** Once per set of dimensions. */
function noMatch({ data }: BillableUsage, price: OfferedPrice) {
  return {
    place: key(price.price_id, ...saidOf(price.usage_calculation.billable_dimensions, data)),
    message: noFeeMessage('unmatched_usage', price, data),
    field: 'data',
  };
}

const noFeeMessage = (why: NoFee, price: OfferedPrice, data: EventData): string =>
  `${price.price_name} ${noFeeText(why, price.usage_calculation, data)}: there is no fee.`;

/** What the data says of each dimension. */
const saidOf = (dimensions: readonly string[], data: EventData): string[] =>
  dimensions.map((field) => {
    const value = valueIn(data, field);
    return value === undefined ? `no ${field}` : `${field} ${value}`;
  });

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
      message: `${customerTitle(customer)} had no subscription that bills usage of ${occurred_at}: there is no fee.`,
      field: 'occurred_at',
    };
  const whose = customer ? ` of ${customerTitle(customer)}` : '';
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

const valueIn = (data: EventData, field: string): string | undefined =>
  Object.hasOwn(data, field) ? quoted(data[field] as DataValue) : undefined;
