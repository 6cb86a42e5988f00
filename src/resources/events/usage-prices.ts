import type { Instant } from '../../domain/instant.ts';
import { dimensionsOf } from '../../domain/pricing/matching.ts';
import type { PriceRow, UsagePrice } from '../../domain/pricing/price.ts';
import type { FeeLine } from '../../domain/pricing/price-event.ts';
import { phaseAt, type SubscriptionPhase } from '../../domain/subscriptions.ts';
import { InternPool } from '../../store/intern-pool.ts';
import type {
  BilledProduct,
  CustomerRow,
  EventRow,
  FeeTerms,
  Metadata,
  ProductRow,
  SubscriptionRow,
  VersionRow,
} from '../../store/records.ts';
import { versionKey } from '../../store/schema.ts';
import type { WorldLocal } from '../../store/world-local.ts';
import type { Context } from '../context.ts';

/** A usage-based price with the fields that its fees show. */
export interface OfferedPrice extends UsagePrice {
  readonly price_id: string;
  readonly price_name: string;
  readonly product_id: string;
  readonly product_code: string;
  readonly product_version: number;
}

/** The usage-based prices of a version by event type. */
type Offer = ReadonlyMap<string, readonly OfferedPrice[]>;

/** Returns the prices in force at a moment. */
export type PricesAt = (occurred_at: Instant) => PriceList;

export interface PriceList {
  /** The versions in force, in the order in which they apply. */
  readonly offers: readonly Offer[];
  /** The products that the prices belong to, including those that another subscription supersedes. */
  readonly billed_by: readonly BilledProduct[];
}

/** A subscription with its phase at a moment. */
interface BillingPhase {
  readonly subscription_id: string;
  readonly phase: SubscriptionPhase;
}

/** The prices for an event type, in the order in which they apply. */
export function pricesFor({ offers }: PriceList, eventType: string): readonly OfferedPrice[] {
  return offers.flatMap((offer) => offer.get(eventType) ?? []);
}

/** Returns a customer's prices by the time of usage. @assumes */
export function pricesOfCustomer(context: Context, customer: CustomerRow): PricesAt {
  const { tables, now } = context;
  const started = [...tables.subscriptions.sorted('started', customer.id)];
  let latest = { at: '', phases: [] as readonly BillingPhase[], prices: NO_PRICES };
  return (occurred_at) => {
    const at = occurred_at > now ? now : occurred_at;
    // Events of a batch often have the same time, or the same prices.
    if (latest.at === at) return latest.prices;
    const phases = billingPhasesAt(context, started, at);
    const prices = isSame(latest.phases, phases) ? latest.prices : listPrices(context, phases);
    latest = { at, phases, prices };
    return prices;
  };
}

/** The subscriptions that bill usage of a moment, by start. @assumes A-611 */
function billingPhasesAt(
  { now, settings }: Context,
  started: readonly SubscriptionRow[],
  at: Instant,
): BillingPhase[] {
  const { event_max_ahead: ahead, past_due_usage } = settings;
  return started.flatMap(({ id, history, started_at }): BillingPhase[] => {
    const phase = phaseAt(history, at, { now, started_at, ahead });
    const isBilled = phase && !(phase.past_due && past_due_usage === 'free');
    return isBilled ? [{ subscription_id: id, phase }] : [];
  });
}

const NO_PRICES: PriceList = { offers: [], billed_by: [] };

function isSame(left: readonly BillingPhase[], right: readonly BillingPhase[]): boolean {
  return (
    left.length === right.length && left.every(({ phase }, place) => phase === right[place]?.phase)
  );
}

/** Shared by the events of a customer, so that each does not keep its own. */
const BILLED_PRODUCTS: WorldLocal<InternPool<readonly BilledProduct[]>> = {
  name: 'billed products',
  open: () => new InternPool(),
};

function listPrices({ tables, world }: Context, phases: readonly BillingPhase[]): PriceList {
  const billed = billedProducts(phases);
  const deciding = billed.filter(({ superseded }) => !superseded);
  return {
    offers: deciding.map((product) =>
      offerOf(tables.versions.get(versionKey(product.id, product.version)) as VersionRow, product),
    ),
    billed_by: world.local(BILLED_PRODUCTS).intern(JSON.stringify(billed), billed),
  };
}

/** Cached, as the prices of a version that is used never change. */
const offers = new WeakMap<VersionRow, Offer>();

/** What a version of a product offers. */
export function offerOf(version: VersionRow, { code }: Pick<ProductRow, 'code'>): Offer {
  const known = offers.get(version);
  if (known) return known;
  const offer = new Map<string, OfferedPrice[]>();
  for (const price of version.prices) {
    const { usage_calculation } = price;
    if (!usage_calculation) continue;
    const { event_type } = usage_calculation;
    const offered = {
      ...price,
      price_id: price.id,
      price_name: price.name,
      product_id: version.product_id,
      product_code: code,
      product_version: version.version,
      usage_calculation,
    };
    offer.set(event_type, [...(offer.get(event_type) ?? []), offered]);
  }
  offers.set(version, offer);
  return offer;
}

/** The products of subscriptions. If several have the same product, the last one that is not past due decides. */
function billedProducts(phases: readonly BillingPhase[]): BilledProduct[] {
  const deciding = new Map<string, BilledProduct>();
  const superseded: BilledProduct[] = [];
  for (const { subscription_id, phase } of phases) {
    const { from: since, past_due } = phase;
    for (const { id, code, version } of phase.products) {
      const billed = { id, code, version, subscription_id, since, ...(past_due && { past_due }) };
      const earlier = deciding.get(id);
      const decides = !past_due || !earlier || earlier.past_due;
      if (earlier) superseded.push({ ...(decides ? earlier : billed), superseded: true });
      if (!decides) continue;
      // Takes its place by the start of its own subscription.
      deciding.delete(id);
      deciding.set(id, billed);
    }
  }
  return [...deciding.values(), ...superseded];
}

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
