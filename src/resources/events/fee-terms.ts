import { dimensionsOf } from '../../domain/pricing/matching.ts';
import type { PriceRow } from '../../domain/pricing/price.ts';
import type { FeeLine } from '../../domain/pricing/price-event.ts';
import { InternPool } from '../../store/intern-pool.ts';
import type { EventRow, FeeTerms, Metadata } from '../../store/records.ts';
import type { OfferedPrice } from './usage-prices.ts';

/** The known terms of each price's fees: of each row or group, by asset and dimensions. */
const known = new WeakMap<OfferedPrice, Map<object, InternPool<FeeTerms>>>();

/** The terms of a fee, with its row if only one row made it. Equal terms are shared. @assumes A-508, A-1502 */
export function termsOf(
  price: OfferedPrice,
  line: FeeLine,
  { data }: Pick<EventRow, 'data'>,
): FeeTerms {
  const { terms, row: reached } = line.breakdown;
  const isOne = terms.every(({ row }) => row === terms[0]?.row);
  const row = isOne ? reached?.source : undefined;
  const dimensions = dimensionsOf(line.group, data);
  const pool = poolOf(price, row ?? line.group);
  const text = line.asset + JSON.stringify(dimensions);
  return pool.find(text) ?? pool.intern(text, makeTerms(price, line, row, dimensions));
}

function poolOf(price: OfferedPrice, place: object): InternPool<FeeTerms> {
  const pools = known.get(price) ?? new Map<object, InternPool<FeeTerms>>();
  const found = pools.get(place);
  if (found) return found;
  const pool = new InternPool<FeeTerms>();
  known.set(price, pools.set(place, pool));
  return pool;
}

function makeTerms(
  price: OfferedPrice,
  { asset, group, volume }: FeeLine,
  row: PriceRow | undefined,
  dimensions: Metadata,
): FeeTerms {
  const { usage_type, volume_field } = price.usage_calculation;
  return {
    product_id: price.product_id,
    product_code: price.product_code,
    product_version: price.product_version,
    price_id: price.price_id,
    price_name: row?.name ?? group.name ?? price.price_name,
    currency: asset,
    usage_type,
    dimensions: Object.keys(dimensions).length > 0 ? dimensions : null,
    ...(volume && volume_field !== undefined && { volume_field }),
    unit_price: row?.unit_price ?? null,
    volume_rate: row?.volume_rate ?? null,
    package_size: row?.package_size ?? (row?.volume_rate === undefined ? null : 1),
  };
}
