import { type Holding, heldAt } from '../../domain/holdings.ts';
import type { Instant } from '../../domain/instant.ts';
import type { UsagePrice } from '../../domain/pricing/price.ts';
import type {
  BilledProduct,
  CustomerRow,
  SubscriptionRow,
  VersionRow,
} from '../../state/records.ts';
import type { Context } from '../context.ts';
import { versionKey } from '../products/product-lookup.ts';

/** A usage-based price with the fields that its fees show. */
export interface OfferedPrice extends UsagePrice {
  readonly price_id: string;
  readonly price_name: string;
  readonly product_id: string;
  readonly product_code: string;
  readonly product_version: number;
  /** Absent in a simulation. */
  readonly subscription_id?: string;
}

/** Returns the prices in force at a moment. */
export type PricesAt = (occurred_at: Instant) => PriceList;

export interface PriceList {
  /** The prices for each event type, in the order in which they apply. */
  readonly byType: ReadonlyMap<string, readonly OfferedPrice[]>;
  /** The products that the prices belong to, including those that another subscription supersedes. */
  readonly billed_by: readonly BilledProduct[];
}

/** A subscription with its holding at a moment. */
interface Holder {
  readonly subscription_id: string;
  readonly holding: Holding;
}

/** Returns a customer's prices by the time of usage. @assumes */
export function pricesOfCustomer(context: Context, customer: CustomerRow): PricesAt {
  const { tables, now } = context;
  const started = tables.subscriptions.list('started', customer.id);
  let latest: { readonly at: Instant; readonly prices: PriceList } | undefined;
  return (occurred_at) => {
    const at = occurred_at > now ? now : occurred_at;
    // Each event reads the prices twice, and events of a batch often have the same time.
    if (latest?.at !== at)
      latest = { at, prices: pricesOf(context, holdersAt(context, started, at)) };
    return latest.prices;
  };
}

function pricesOf(context: Context, holders: readonly Holder[]): PriceList {
  const newest = holders.at(-1);
  if (!newest) return NO_PRICES;
  const known = lists.get(newest.holding);
  if (known && isSame(known.holders, holders)) return known.prices;
  const prices = listPrices(context, holders);
  lists.set(newest.holding, { holders, prices });
  return prices;
}

/** The subscriptions that bill usage of a moment, by start. @assumes A-611 */
function holdersAt(
  { now, settings }: Context,
  started: readonly SubscriptionRow[],
  at: Instant,
): Holder[] {
  const { event_max_ahead: ahead, past_due_usage } = settings;
  return started.flatMap(({ id, history, started_at }): Holder[] => {
    const holding = heldAt(history, at, { now, started_at, ahead });
    const isBilled = holding && !(holding.past_due && past_due_usage === 'free');
    return isBilled ? [{ subscription_id: id, holding }] : [];
  });
}

const NO_PRICES: PriceList = { byType: new Map(), billed_by: [] };

/**
 * Cached prices by the newest holding. They stay valid while the holdings are the same, since the prices of a
 * subscribed version never change.
 */
const lists = new WeakMap<
  Holding,
  { readonly holders: readonly Holder[]; readonly prices: PriceList }
>();

function isSame(left: readonly Holder[], right: readonly Holder[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ holding }, place) => holding === right[place]?.holding)
  );
}

function listPrices(context: Context, holders: readonly Holder[]): PriceList {
  const billed_by = billedProducts(holders);
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

/** The usage-based prices of versions by event type. */
export function pricesByType(versions: readonly OfferedVersion[]): PriceList['byType'] {
  const byType = new Map<string, OfferedPrice[]>();
  for (const { product, version } of versions)
    for (const price of version.prices) {
      const { usage_calculation } = price;
      if (!usage_calculation) continue;
      const offered = {
        ...price,
        price_id: price.id,
        price_name: price.name,
        product_id: product.id,
        product_code: product.code,
        product_version: version.version,
        ...(product.subscription_id !== undefined && { subscription_id: product.subscription_id }),
        usage_calculation,
      };
      const { event_type } = usage_calculation;
      byType.set(event_type, [...(byType.get(event_type) ?? []), offered]);
    }
  return byType;
}

/** The products of subscriptions. If several have the same product, the last one that is not past due decides. */
function billedProducts(holders: readonly Holder[]): BilledProduct[] {
  const deciding = new Map<string, BilledProduct>();
  const superseded: BilledProduct[] = [];
  for (const { subscription_id, holding } of holders) {
    const { from: since, past_due } = holding;
    for (const { id, code, version } of holding.products) {
      const billed = { id, code, version, subscription_id, since, ...(past_due && { past_due }) };
      const earlier = deciding.get(id);
      const decides = !past_due || !earlier || earlier.past_due;
      if (earlier) superseded.push({ ...(decides ? earlier : billed), superseded: true });
      if (decides) deciding.set(id, billed);
    }
  }
  return [...deciding.values(), ...superseded];
}
