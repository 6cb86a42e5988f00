import type { UsagePrice } from '../../domain/pricing/price.ts';
import type {
  BilledProduct,
  CustomerRow,
  SubscriptionRow,
  VersionRow,
} from '../../state/records.ts';
import type { Context } from '../context.ts';
import { versionKey } from '../products/product-lookup.ts';

/** A usage-based price with what a fee tells of it and its product. */
export interface OfferedPrice extends UsagePrice {
  readonly price_id: string;
  readonly price_name: string;
  readonly product_id: string;
  readonly product_code: string;
  readonly product_version: number;
  /** Absent where prices are only tried out. */
  readonly subscription_id?: string;
}

export interface PriceList {
  /** The prices that count events of a type, in the order in which they are worked. */
  readonly byType: ReadonlyMap<string, readonly OfferedPrice[]>;
  /** What these are the prices of, the products that another subscription decides among them. */
  readonly billed_by: readonly BilledProduct[];
}

/** What usage of a customer costs at present. @assumes */
export function pricesOfCustomer(context: Context, customer: CustomerRow): PriceList {
  const { tables, now } = context;
  const started = tables.subscriptions
    .list('active', customer.id)
    .filter(({ started_at }) => started_at === undefined || started_at <= now);
  const newest = started.at(-1);
  if (!newest) return NO_PRICES;
  const known = lists.get(newest);
  if (known && isSame(known.started, started)) return known.prices;
  const prices = listPrices(context, started);
  lists.set(newest, { started, prices });
  return prices;
}

const NO_PRICES: PriceList = { byType: new Map(), billed_by: [] };

/**
 * The prices of some subscriptions by the last of them. They hold as long as the rows stay, since the
 * prices of a version that is subscribed to never change.
 */
const lists = new WeakMap<
  SubscriptionRow,
  { readonly started: readonly SubscriptionRow[]; readonly prices: PriceList }
>();

function isSame(left: readonly SubscriptionRow[], right: readonly SubscriptionRow[]): boolean {
  return left.length === right.length && left.every((row, place) => row === right[place]);
}

function listPrices(context: Context, started: readonly SubscriptionRow[]): PriceList {
  const billed_by = billedProducts(started);
  const deciding = billed_by.filter(({ superseded }) => !superseded);
  const versions = deciding.map((product) => ({
    product,
    version: context.tables.versions.get(versionKey(product.id, product.version)) as VersionRow,
  }));
  return { byType: pricesByType(versions), billed_by };
}

export interface OfferedVersion {
  readonly product: Pick<BilledProduct, 'id' | 'code'> & { readonly subscription_id?: string };
  readonly version: VersionRow;
}

/** The usage-based prices of versions by the type of event that they count. */
export function pricesByType(versions: readonly OfferedVersion[]): PriceList['byType'] {
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
        ...(product.subscription_id !== undefined && { subscription_id: product.subscription_id }),
        usage_calculation,
        pricing,
      };
      const { event_type } = usage_calculation;
      byType.set(event_type, [...(byType.get(event_type) ?? []), price]);
    }
  return byType;
}

/**
 * What active subscriptions hold, by when each product was first subscribed to; of those that hold the same,
 * the latest decides.
 */
function billedProducts(started: readonly SubscriptionRow[]): BilledProduct[] {
  const deciding = new Map<string, BilledProduct>();
  const superseded: BilledProduct[] = [];
  for (const subscription of started) {
    for (const { id, code, version } of subscription.products) {
      const earlier = deciding.get(id);
      if (earlier) superseded.push({ ...earlier, superseded: true });
      deciding.set(id, { id, code, version, subscription_id: subscription.id });
    }
  }
  return [...deciding.values(), ...superseded];
}
