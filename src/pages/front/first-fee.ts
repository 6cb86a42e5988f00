import type { Context } from '../../resources/context.ts';
import { activeSubscriptions } from '../../resources/customers/customer-lookup.ts';
import { pricesHeld } from '../../resources/subscriptions/subscribed-products.ts';
import { rowsOf } from '../../store/query.ts';
import type { PriceRecord } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';

/** The id of the example event on the front page. It is fixed, so that sending it again bills nothing more. */
const EVENT_ID = '68e8980c-fd79-46ea-be14-0e9f2be7df0a';

/** An amount of usage that makes a fee with decimals. */
const VOLUME = 417_000;

/** A first request to send, and the customer whose usage it submits. */
export type FirstFeeRequest = NonNullable<ReturnType<typeof firstFee>>;

/** Only the first customers are looked at. */
const MAX_CUSTOMERS = 100;

/** One usage event, now, of the first customer who pays for usage; undefined if nobody does. */
export function firstFee(context: Context) {
  const { tables, owner, now } = context;
  for (const customer of rowsOf(tables.customers, { owner }).slice(0, MAX_CUSTOMERS)) {
    const price = activeSubscriptions(tables, customer.id)
      .flatMap((subscription) => pricesHeld(context, subscription))
      .find(({ usage_calculation }) => usage_calculation !== undefined);
    if (!price?.usage_calculation) continue;
    const { id, external_id } = customer;
    const { event_type } = price.usage_calculation;
    const request = {
      ...(external_id === undefined ? { customer_id: id } : { customer_external_id: external_id }),
      events: [{ id: EVENT_ID, event_type, occurred_at: now, data: dataFor(price) }],
    };
    return { customer, request };
  }
  return undefined;
}

/** Data that the first value of a price counts. */
function dataFor({ usage_calculation, pricing }: PriceRecord): object {
  const dimensions = Object.entries(pricing[0]?.values[0]?.dimensions ?? {});
  const field = usage_calculation?.volume_field;
  return {
    ...Object.fromEntries(dimensions.map(([name, value]) => [name, value === '*' ? 'any' : value])),
    ...(field && { [field]: VOLUME }),
  };
}

/** Returns the event of that request; undefined if it is not there. */
export const firstFeeOf = ({ tables, owner }: Context) =>
  tables.events.get(uuidKey(owner, EVENT_ID));
