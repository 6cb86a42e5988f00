import { add, type Decimal, decimal, format, ZERO } from '../../domain/decimal.ts';
import type { AssetFee } from '../../domain/pricing/price-event.ts';
import type { Count } from '../../domain/pricing/quantity.ts';
import type { CustomerRow, FeeRecord } from '../../state/records.ts';
import { priceQuantityKey } from '../../state/schema.ts';
import type { Context } from '../context.ts';
import type { OfferedPrice } from './usage-prices.ts';

/**
 * What a customer used of a price before, in whatever version or subscription; what nobody in particular
 * used stands for itself, as it is undone with the simulation.
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

/** Adds what an event counts to the quantity so far; answers what its fee keeps of it. @assumes A-1501 */
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
