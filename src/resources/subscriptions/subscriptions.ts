import { omitNullish, updated } from '../../domain/fields.ts';
import { fixedInterval, fixedTermsRules } from '../../domain/fixed-fees.ts';
import { type Instant, instant } from '../../domain/instant.ts';
import { type Finding, finding, findingIf, throwIfInvalid, violate } from '../../domain/rules.ts';
import { adaptRenewal, beginningOf, isRecurring, moveRenewal } from '../../domain/subscriptions.ts';
import type { Call } from '../../spec/operations.ts';
import type { CustomerRow, ProductRow, SubscriptionRow } from '../../store/records.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { notFound } from '../problems.ts';
import { findProductById } from '../products/product-lookup.ts';
import { deactivateSubscription, openAccounts } from './activation.ts';
import { grantEntitlements, noteNextRefresh } from './entitlements.ts';
import { isFeeRaised } from './fee-collection.ts';
import { missingUrls, openSubscription, subscribe, validateSubscription } from './subscribe.ts';
import {
  feeOf,
  keepSubscription,
  pricesHeld,
  pricesOf,
  validateVersion,
  versionsOf,
} from './subscribed-products.ts';
import { renewSubscription, resumeSubscription, withRenewal } from './subscription-payment.ts';

export const createSubscription: Handler<'createSubscription'> = ({ path, body }, context) => {
  const customer = findCustomer(context, path.customerId);
  const validated = validateSubscription(context, body);
  const unknown = customer ? [] : [finding('customer.unknown', 'customerId')];
  throwIfInvalid([...unknown, ...validated.findings]);
  const subscription = subscribe(context, customer as CustomerRow, validated);
  return { status: 201, body: presentSubscription(context, subscription) };
};

export const updateSubscription: Handler<'updateSubscription'> = ({ path, body }, context) => {
  const subscription = findSubscription(context, path);
  throwIfInvalid(validateTerms(context, subscription, body));
  const changed = context.tables.subscriptions.put(changeTerms(context, subscription, body));
  if (body.status === 'inactive' && changed.status !== 'inactive')
    deactivateSubscription(context, changed);
  if (body.status === 'active' && changed.status === 'inactive')
    resumeSubscription(context, changed);
  return { status: 204 };
};

export const updateSubscriptionProduct: Handler<'updateSubscriptionProduct'> = (
  { path, body },
  context,
) => {
  const subscription = findSubscription(context, path);
  const { products, payment } = subscription;
  const held =
    products.find(({ id }) => id === path.productId) ??
    products.find(({ code }) => code === path.productId) ??
    notFound();
  const product = findProductById(context, held.id) as ProductRow;
  const version = validateVersion(context, product, body.version);
  if (typeof version === 'string') return violate(version, 'version');
  const wanted = products.map((each) =>
    each === held ? { ...held, version: version.version } : each,
  );
  const rules = fixedTermsRules(pricesOf(versionsOf(context, wanted)));
  // The amount of a payment that is processing can no longer change.
  const isLate = payment?.status === 'processing' && version.version !== held.version;
  throwIfInvalid([
    ...rules.map((rule) => finding(rule, 'version')),
    ...findingIf(isLate, 'subscription.payment_processing', 'version'),
  ]);
  changeProducts(context, { ...subscription, products: wanted });
  return { status: 204 };
};

/** The subscription of a path; throws a 404 if there is none. */
function findSubscription(
  context: Context,
  path: { readonly customerId: string; readonly subscriptionId: string },
): SubscriptionRow {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const subscription = context.tables.subscriptions.get(path.subscriptionId);
  return subscription?.customer_id === customer.id ? subscription : notFound();
}

/** A subscription as responses show it. @assumes */
export function presentSubscription(context: Context, subscription: SubscriptionRow) {
  const { id, status, products, started_at, renews_at, payment } = subscription;
  return {
    id,
    status,
    products: [...products],
    ...omitNullish({ started_at, renews_at }),
    required_actions:
      status === 'action_required' && payment
        ? [{ type: 'payment' as const, redirect_url: checkoutUrl(context.baseUrl, payment.token) }]
        : [],
  };
}

/** URL of the hosted payment page. @assumes A-604 */
export const checkoutUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/hosted/checkout/${token}`;

type Update = Call<'updateSubscription'>['body'];

/** Checks an update of a subscription. @assumes */
function validateTerms(context: Context, subscription: SubscriptionRow, body: Update): Finding[] {
  const { status, starts_at } = subscription;
  const activates = body.status === 'active';
  const resumes = activates && status === 'inactive';
  const begin = beginningOf(resumes ? undefined : starts_at, context.now);
  const isEarly = body.renews_at != null && instant(body.renews_at) <= begin;
  return [
    ...findingIf(
      activates && status === 'action_required',
      'subscription.awaits_payment',
      'status',
    ),
    ...findingIf(activates && status === 'scheduled', 'subscription.scheduled', 'status'),
    ...(resumes ? validateVersionsHeld(context, subscription) : []),
    ...findingIf(isEarly, 'subscription.renewal_order', 'renews_at'),
    ...validateUrls(context, subscription, body),
  ];
}

/** Resuming counts as a new subscription, so its versions must not be archived. @assumes A-606 */
function validateVersionsHeld(context: Context, { products }: SubscriptionRow): Finding[] {
  return products.flatMap(({ id, version }) => {
    const product = findProductById(context, id) as ProductRow;
    const validated = validateVersion(context, product, version);
    return typeof validated === 'string' ? [finding(validated, 'status')] : [];
  });
}

/** The subscription with the fields of an update. @assumes */
function changeTerms(
  context: Context,
  subscription: SubscriptionRow,
  body: Update,
): SubscriptionRow {
  const { return_url: _return, failure_url: _failure, ...rest } = subscription;
  const return_url = updated(body.return_url, subscription.return_url);
  const failure_url = updated(body.failure_url, subscription.failure_url);
  const changed: SubscriptionRow = {
    ...rest,
    ...omitNullish({ return_url, failure_url }),
    redirect_to: updated(body.redirect_to, subscription.redirect_to) ?? 'return_url',
  };
  if (body.renews_at === undefined) return changed;
  const asked = body.renews_at === null ? undefined : instant(body.renews_at);
  return changeRenewal(context, changed, asked);
}

/**
 * Applies other versions: to usage immediately, to fees at the next renewal, to entitlements at their next refresh.
 * A subscription that is not running waits for a payment or a start, as the new versions require.
 *
 * @assumes
 */
function changeProducts(context: Context, subscription: SubscriptionRow): SubscriptionRow {
  const { now } = context;
  const { status, anchor, begins_at } = subscription;
  const interval = fixedInterval(pricesHeld(context, subscription));
  const renewal = anchor && adaptRenewal(subscription.renewal, anchor, interval, now);
  const changed = keepSubscription(
    context,
    anchor === undefined ? subscription : withRenewal(subscription, renewal),
  );
  openAccounts(context, changed, versionsOf(context, changed.products));
  const isFeeDue = feeOf(context, changed) !== undefined;
  const isUnpaid = status === 'action_required' && !isFeeDue;
  const isFree = status === 'scheduled' && isFeeDue;
  if (isUnpaid || isFree) return openSubscription(context, changed);
  const current = status === 'active' ? collectOneTimes(context, changed) : changed;
  const isRunning = current.status === 'active' && begins_at === undefined;
  if (!isRunning) return current;
  return isFeeRaised(context, current)
    ? noteNextRefresh(context, current)
    : grantEntitlements(context, current, 'addition');
}

/** Collects one-time prices now if no renewal will. @assumes A-1507 */
function collectOneTimes(context: Context, subscription: SubscriptionRow): SubscriptionRow {
  if (subscription.renewal || !feeOf(context, subscription)) return subscription;
  renewSubscription(context, subscription);
  return context.tables.subscriptions.get(subscription.id) as SubscriptionRow;
}

/** Checks URLs only if the update sets them or the renewal: versions can have become recurring without URLs. */
function validateUrls(context: Context, subscription: SubscriptionRow, body: Update): Finding[] {
  const { renews_at, return_url, failure_url } = body;
  if (renews_at === undefined && return_url === undefined && failure_url === undefined) return [];
  const hasRenewal =
    renews_at === undefined
      ? subscription.renews_at !== undefined || subscription.renewal !== undefined
      : renews_at !== null;
  if (!isRecurring(pricesHeld(context, subscription), hasRenewal)) return [];
  return missingUrls({
    return_url: updated(return_url, subscription.return_url) ?? null,
    failure_url: updated(failure_url, subscription.failure_url) ?? null,
  });
}

/** Sets or clears the next renewal. A subscription that is not running stores it for later. @assumes A-605 */
function changeRenewal(
  context: Context,
  subscription: SubscriptionRow,
  asked: Instant | undefined,
): SubscriptionRow {
  const { status, anchor, renewal } = subscription;
  if (anchor === undefined || status === 'inactive') {
    const { renewal: _stopped, renews_at: _former, ...rest } = subscription;
    return { ...rest, ...(asked !== undefined && { renews_at: asked }) };
  }
  const interval = fixedInterval(pricesHeld(context, subscription));
  const moved =
    asked === undefined
      ? adaptRenewal(undefined, anchor, interval, context.now)
      : moveRenewal(renewal, anchor, interval, asked);
  return withRenewal(subscription, moved);
}
