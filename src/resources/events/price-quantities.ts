import { add, type Decimal, decimal, format, ZERO } from '../../domain/decimal.ts';
import type { AssetFee } from '../../domain/pricing/price-event.ts';
import type { Count } from '../../domain/pricing/quantity.ts';
import type { CustomerRow, FeeRecord } from '../../store/records.ts';
import { priceQuantityKey } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import type { OfferedPrice } from './usage-prices.ts';

/**
 * The quantity that a customer has used of a price so far, in all versions and subscriptions. Simulated usage
 * without a customer has its own quantity, which is rolled back with the simulation.
 *
 * @assumes A-1501
 */
export function quantitySoFar(
  { tables }: Context,
  customer: CustomerRow | undefined,
  price: OfferedPrice,
  count: Count,
): Decimal {
  const row = tables.price_quantities.get(priceQuantityKey(fieldsOf(customer, price, count)));
  return row ? decimal(row.quantity) : ZERO;
}

/** Adds an event's quantity to the quantity so far; returns the part that the fee stores. @assumes A-1501 */
export function countUsage(
  { tables, world, owner, now }: Context,
  customer: CustomerRow | undefined,
  price: OfferedPrice,
  { count, before, quantity }: NonNullable<AssetFee['counted']>,
): NonNullable<FeeRecord['counted']> {
  const fields = fieldsOf(customer, price, count);
  const id = priceQuantityKey(fields);
  const earlier = tables.price_quantities.get(id);
  tables.price_quantities.put({
    ...fields,
    id,
    seq: earlier?.seq ?? world.nextSeq(),
    owner,
    created_at: earlier?.created_at ?? now,
    quantity: format(add(before, quantity)),
  });
  return { quantity_id: id, before: format(before), quantity: format(quantity) };
}

function fieldsOf(
  customer: CustomerRow | undefined,
  { product_id, price_name }: OfferedPrice,
  count: Count,
) {
  return { customer_id: customer?.id ?? '', product_id, price_name, ...count };
}
