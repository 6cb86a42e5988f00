import { mapPresent, omitNullish } from '../../domain/fields.ts';
import { fixedTermsRules } from '../../domain/fixed-fees.ts';
import { instant } from '../../domain/instant.ts';
import { type Finding, finding, findingIf } from '../../domain/rules.ts';
import { beginningOf, isRecurring } from '../../domain/subscriptions.ts';
import type { Call } from '../../spec/operations.ts';
import type { CustomerRow, ProductRow, SubscriptionRow, VersionRow } from '../../store/records.ts';
import { type Context, newRecord } from '../context.ts';
import { activateSubscription, openAccounts } from './activation.ts';
import { feeOf, keepSubscription, pricesOf, resolveProducts } from './subscribed-products.ts';
import { awaitPayment } from './subscription-payment.ts';

type SubscriptionBody = Call<'createSubscription'>['body'];

/** A requested subscription, with its resolved versions and all findings. */
interface ValidatedSubscription {
  readonly body: SubscriptionBody;
  readonly versions: readonly VersionRow[];
  readonly findings: readonly Finding[];
}

/**
 * Checks a subscription before anything is written. `prefix` precedes each field name, such as `subscriptions[0].`.
 *
 * @assumes
 */
export function validateSubscription(
  context: Context,
  body: SubscriptionBody,
  prefix = '',
): ValidatedSubscription {
  const { versions, findings } = resolveProducts(context, body.products, `${prefix}products`);
  const prices = pricesOf(versions);
  const terms = fixedTermsRules(prices).map((rule) => finding(rule, `${prefix}products`));
  const { starts_at, renews_at } = momentsOf(body);
  const isEarly = renews_at !== undefined && renews_at <= beginningOf(starts_at, context.now);
  const order = findingIf(isEarly, 'subscription.renewal_order', `${prefix}renews_at`);
  const urls = isRecurring(prices, renews_at !== undefined) ? missingUrls(body, prefix) : [];
  return { body, versions, findings: [...findings, ...terms, ...order, ...urls] };
}

/** A finding for each URL that a recurring subscription lacks. @assumes A-603 */
export function missingUrls(
  urls: { readonly return_url?: string | null; readonly failure_url?: string | null },
  prefix = '',
): Finding[] {
  return (['return_url', 'failure_url'] as const)
    .filter((name) => urls[name] == null)
    .map((name) => finding('subscription.url_required', prefix + name));
}

/**
 * Creates a valid subscription of a customer. It is active at once, waits for its start, or waits for a payment.
 *
 * @assumes
 */
export function subscribe(
  context: Context,
  customer: CustomerRow,
  { body, versions }: ValidatedSubscription,
): SubscriptionRow {
  const { return_url, failure_url } = body;
  const subscription: SubscriptionRow = newRecord(context, 'subscription', {
    customer_id: customer.id,
    status: 'scheduled',
    products: versions.map((version) => useProduct(context, version)),
    history: [],
    redirect_to: body.redirect_to ?? 'return_url',
    ...momentsOf(body),
    ...omitNullish({ return_url, failure_url }),
  });
  openAccounts(context, subscription, versions);
  return openSubscription(context, subscription);
}

/** Activates a subscription that is not running, or makes it wait for its payment or its start. @assumes A-603 */
export function openSubscription(context: Context, subscription: SubscriptionRow): SubscriptionRow {
  const { payment: _link, begins_at: _start, ...rest } = subscription;
  if (feeOf(context, rest)) return awaitPayment(context, rest);
  const begins_at = beginningOf(rest.starts_at, context.now);
  if (rest.status !== 'scheduled' || begins_at <= context.now)
    return activateSubscription(context, rest);
  return keepSubscription(context, { ...rest, begins_at });
}

const momentsOf = (body: SubscriptionBody) =>
  mapPresent(body, ['starts_at', 'renews_at'] as const, instant);

/** Marks a product as used, so that it is never deleted. @assumes A-503 */
function useProduct({ tables }: Context, { product_id, version }: VersionRow) {
  const product = tables.products.get(product_id) as ProductRow;
  if (!product.used) tables.products.put({ ...product, used: true });
  return { id: product_id, code: product.code, version };
}
