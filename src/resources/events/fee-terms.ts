import { dimensionsOf } from '../../domain/pricing/matching.ts';
import type { PriceRow } from '../../domain/pricing/price.ts';
import type { FeeLine } from '../../domain/pricing/price-event.ts';
import type { EventRow, FeeTerms, Metadata } from '../../state/records.ts';
import type { OfferedPrice } from './usage-prices.ts';

/** The cached terms of a price's fees, by their row or group and by asset and dimensions. */
type KnownTerms = Map<object, Map<string, FeeTerms>>;

const known = new WeakMap<OfferedPrice, KnownTerms>();

/** The terms of a fee, with its row if only one row made it. Equal terms are shared. @assumes A-508, A-1502 */
export function termsOf(
  price: OfferedPrice,
  line: FeeLine,
  { data }: Pick<EventRow, 'data'>,
): FeeTerms {
  const { terms, row: reached } = line.reckoning;
  const isOne = terms.every(({ row }) => row === terms[0]?.row);
  const row = isOne ? reached?.source : undefined;
  const dimensions = dimensionsOf(line.group, data);
  const ofPrice = obtain(known, price, () => new Map());
  const ofRow = obtain(ofPrice, row ?? line.group, () => new Map());
  return obtain(ofRow, line.asset + JSON.stringify(dimensions), () =>
    makeTerms(price, line, row, dimensions),
  );
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
    ...(price.subscription_id !== undefined && { subscription_id: price.subscription_id }),
  };
}

function obtain<K, V>(
  values: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const found = values.get(key);
  if (found !== undefined) return found;
  const made = make();
  values.set(key, made);
  return made;
}
