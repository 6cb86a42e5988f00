import type { UsagePrice } from '../domain/pricing.ts';
import type { CustomerRow, SubscribedProduct, VersionRow } from '../state/records.ts';
import type { Context } from './context.ts';
import { versionKey } from './product-lookup.ts';

/** A usage-based price with what a fee tells of it and its product. */
export interface OfferedPrice extends UsagePrice {
  readonly price_id: string;
  readonly price_name: string;
  readonly product_id: string;
  readonly product_code: string;
  readonly product_version: number;
}

/** The prices that count events of a type, in the order in which they are worked. */
export type PriceList = ReadonlyMap<string, readonly OfferedPrice[]>;

/** What usage of a customer costs at present. @assumes */
export function pricesOfCustomer(context: Context, customer: CustomerRow): PriceList {
  return priceList(
    billedProducts(context, customer).map((product) => ({
      product,
      version: context.tables.versions.get(versionKey(product.id, product.version)) as VersionRow,
    })),
  );
}

interface OfferedVersion {
  readonly product: Pick<SubscribedProduct, 'id' | 'code'>;
  readonly version: VersionRow;
}

/** The usage-based prices of versions by the type of event that they count. */
export function priceList(versions: readonly OfferedVersion[]): PriceList {
  const byType = new Map<string, OfferedPrice[]>();
  for (const { product, version } of versions)
    for (const { id, name, usage_calculation, pricing } of version.prices) {
      if (!usage_calculation) continue;
      const price = {
        price_id: id,
        price_name: name,
        product_id: product.id,
        product_code: product.code,
        product_version: version.version,
        usage_calculation,
        pricing,
      };
      const { event_type } = usage_calculation;
      byType.set(event_type, [...(byType.get(event_type) ?? []), price]);
    }
  return byType;
}

/** Each product once, by when it was first subscribed to; the latest subscription decides its version. */
function billedProducts({ tables, now }: Context, { id }: CustomerRow): SubscribedProduct[] {
  const products = new Map<string, SubscribedProduct>();
  for (const { products: held, started_at } of tables.subscriptions.list('active', id)) {
    if (started_at !== undefined && started_at > now) continue;
    for (const product of held) products.set(product.id, product);
  }
  return [...products.values()];
}
