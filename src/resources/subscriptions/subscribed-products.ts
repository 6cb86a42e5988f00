import { missingVersionRule } from '../../domain/catalog.ts';
import { type FixedFee, fixedFee, isOneTime } from '../../domain/fixed-fees.ts';
import { type Finding, finding, type Rule } from '../../domain/rules.ts';
import { currentPhase, type Held, startPhase } from '../../domain/subscriptions.ts';
import type { Call } from '../../spec/operations.ts';
import { rowsOf } from '../../store/query.ts';
import type {
  PriceRecord,
  ProductRow,
  SubscribedProduct,
  SubscriptionRow,
  VersionRow,
} from '../../store/records.ts';
import { versionKey } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import { findProductByCode, findProductById, findVersion } from '../products/product-lookup.ts';

/** How a request refers to a product and one of its versions. */
type ProductReference = Call<'createSubscription'>['body']['products'][number];

/** The resolved versions, with the findings for references that cannot be resolved. */
interface ResolvedProducts {
  readonly versions: readonly VersionRow[];
  readonly findings: readonly Finding[];
}

/** Resolves the products of a subscription. @assumes */
export function resolveProducts(
  context: Context,
  references: readonly ProductReference[],
  field: string,
): ResolvedProducts {
  const versions: VersionRow[] = [];
  const findings: Finding[] = [];
  const named = new Set<string>();
  for (const [place, reference] of references.entries()) {
    const at = `${field}[${place}]`;
    const source = `${at}.${reference.id == null ? 'code' : 'id'}`;
    const product = findNamed(context, reference, at);
    if ('message' in product) {
      findings.push(product);
      continue;
    }
    if (named.has(product.id)) findings.push(finding('product.repeated', source));
    named.add(product.id);
    const version = validateVersion(context, product, reference.version ?? 'default');
    if (typeof version !== 'string') versions.push(version);
    else findings.push(finding(version, version === 'product.archived' ? source : `${at}.version`));
  }
  return { versions, findings };
}

/** Returns the version if it can be subscribed to; otherwise the rule that it breaks. @assumes */
export function validateVersion(
  context: Context,
  product: ProductRow,
  reference: number | string,
): VersionRow | Rule {
  if (product.archived) return 'product.archived';
  const version = findVersion(context, product, reference);
  switch (version?.status) {
    case undefined:
      return missingVersionRule(reference);
    case 'draft':
      return 'version.draft';
    case 'archived':
      return 'version.archived';
    default:
      return version as VersionRow;
  }
}

/** The versions of a subscription, in its order. */
export function versionsOf(
  { tables }: Pick<Context, 'tables'>,
  products: readonly SubscribedProduct[],
) {
  return products.map(
    ({ id, version }) => tables.versions.get(versionKey(id, version)) as VersionRow,
  );
}

export const pricesOf = (versions: readonly VersionRow[]): PriceRecord[] =>
  versions.flatMap(({ prices }) => prices);

export const pricesHeld = (
  context: Pick<Context, 'tables'>,
  { products }: SubscriptionRow,
): PriceRecord[] => pricesOf(versionsOf(context, products));

/**
 * The fee of a subscription for its next period, or the part of one of its versions; undefined if there is none.
 *
 * @units   exact
 * @assumes A-1507
 */
export function feeOf(
  context: Context,
  subscription: SubscriptionRow,
  version?: VersionRow,
): FixedFee | undefined {
  const outstanding = oneTimesOutstanding(context, subscription);
  return fixedFee(
    pricesHeld(context, subscription),
    (price) =>
      (version === undefined || version.prices.includes(price)) &&
      (!isOneTime(price) || outstanding.some((each) => each.price === price)),
  );
}

/** The recurring part of that fee. @units exact */
export const recurringFeeOf = (
  context: Context,
  subscription: SubscriptionRow,
): FixedFee | undefined =>
  fixedFee(pricesHeld(context, subscription), (price) => !isOneTime(price));

/** The one-time prices of a subscription that are not paid yet. @assumes A-1507 */
export function oneTimesOutstanding(context: Context, { id, products }: SubscriptionRow) {
  const oneTimes = versionsOf(context, products).flatMap(({ product_id, prices }) =>
    prices.filter(isOneTime).map((price) => ({ product_id, price })),
  );
  if (oneTimes.length === 0) return [];
  const paid = rowsOf(context.tables.fee_payments, { subscription_id: id }).flatMap(
    ({ one_times = [] }) => one_times,
  );
  return oneTimes.filter(
    ({ product_id, price }) =>
      !paid.some((each) => each.product_id === product_id && each.name === price.name),
  );
}

function findNamed(
  context: Context,
  { id, code }: ProductReference,
  at: string,
): ProductRow | Finding {
  if (id == null && code == null) return finding('product.reference_required', `${at}.id`);
  const byId = id == null ? undefined : findProductById(context, id);
  const byCode = code == null ? undefined : findProductByCode(context, code);
  if (id != null && !byId) return finding('product.unknown', `${at}.id`);
  if (code != null && !byCode) return finding('product.unknown', `${at}.code`);
  if (byId && byCode && byId.id !== byCode.id)
    return finding('product.code_mismatch', `${at}.code`);
  return (byId ?? byCode) as ProductRow;
}

/**
 * Stores a subscription whose status or versions can have changed, with its phase from a moment on. Earlier
 * phases stay, because late usage is billed by them.
 *
 * @assumes
 */
export function keepSubscription(
  { tables, now }: Pick<Context, 'tables' | 'now'>,
  subscription: SubscriptionRow,
  from = now,
): SubscriptionRow {
  const history = startPhase(subscription.history, from, heldBy(subscription));
  return tables.subscriptions.put({ ...subscription, history });
}

/** While a subscription waits for a renewal payment, its last phase goes on, as past due. */
function heldBy({ status, begins_at, products, history }: SubscriptionRow): Held | undefined {
  if (status === 'active') return begins_at === undefined ? { products } : undefined;
  const isPastDue = status === 'action_required' && currentPhase(history) !== undefined;
  return isPastDue ? { products, past_due: true } : undefined;
}
