import { fixedTermsRules } from '../../domain/fixed-fees.ts';
import { finding, throwIfInvalid, violate } from '../../domain/rules.ts';
import type { CustomerRow, ProductRow, SubscriptionRow } from '../../store/records.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { notFound } from '../problems.ts';
import { findProductById } from '../products/product-lookup.ts';
import { deactivateSubscription } from './activation.ts';
import { presentSubscription } from './present-subscription.ts';
import { subscribe, validateSubscription } from './subscribe.ts';
import { pricesOf, validateVersion, versionsOf } from './subscribed-products.ts';
import { resumeSubscription } from './subscription-payment.ts';
import { changeProducts, changeTerms, validateTerms } from './subscription-terms.ts';

export const createSubscription: Handler<'createSubscription'> = ({ path, body }, context) => {
  const customer = findCustomer(context, path.customerId);
  const judged = validateSubscription(context, body);
  const unknown = customer ? [] : [finding('customer.unknown', 'customerId')];
  throwIfInvalid([...unknown, ...judged.findings]);
  const subscription = subscribe(context, customer as CustomerRow, judged);
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
  const { products } = subscription;
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
  throwIfInvalid(rules.map((rule) => finding(rule, 'version')));
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
