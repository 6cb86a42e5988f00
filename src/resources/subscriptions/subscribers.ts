import { FIRST_INSTANT, type Instant } from '../../domain/instant.ts';
import type { CustomerRow, SubscribedProduct, SubscriptionRow } from '../../state/records.ts';
import type { Context } from '../context.ts';
import { presentCustomerSummary } from '../customers/present-customer.ts';

/**
 * The subscriptions to a product, one for each customer in the order of the customers' creation:
 * the one by which usage would be billed, else one yet to start, else one that awaits payment.
 *
 * @assumes A-504, A-510
 */
export function subscriptionsTo(context: Context, productId: string): SubscriptionRow[] {
  const { tables, owner, now } = context;
  const chosen = new Map<string, SubscriptionRow>();
  for (const subscription of tables.subscriptions.list('owner', owner)) {
    if (subscription.status === 'inactive' || !holds(subscription, productId)) continue;
    const other = chosen.get(subscription.customer_id);
    if (!other || rankOf(subscription, now) >= rankOf(other, now))
      chosen.set(subscription.customer_id, subscription);
  }
  const placeOf = ({ customer_id }: SubscriptionRow) => tables.customers.get(customer_id)?.seq ?? 0;
  return [...chosen.values()].sort((left, right) => placeOf(left) - placeOf(right));
}

/** A customer with the subscription that decides what the product costs them. */
export function presentSubscriber(
  context: Context,
  subscription: SubscriptionRow,
  productId: string,
) {
  const customer = context.tables.customers.get(subscription.customer_id) as CustomerRow;
  const product = subscription.products.find((subscribed) => subscribed.id === productId);
  return {
    ...presentCustomerSummary(context, customer),
    subscription_id: subscription.id,
    subscription_status: subscription.status as 'active' | 'action_required',
    product_version: (product as SubscribedProduct).version,
  };
}

const holds = ({ products }: SubscriptionRow, productId: string): boolean =>
  products.some(({ id }) => id === productId);

/** Text that sorts by standing, then by start. */
function rankOf({ status, started_at = FIRST_INSTANT }: SubscriptionRow, now: Instant): string {
  if (status !== 'active') return `0 ${started_at}`;
  return `${started_at > now ? 1 : 2} ${started_at}`;
}
