import { given } from '../../domain/given.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CustomerRow, SubscribedProduct, SubscriptionRow } from '../../state/records.ts';
import type { Resumable } from '../../state/resumable.ts';
import type { Context } from '../context.ts';

/**
 * The subscriptions to a product that have a start, one for each customer in the order of the customers'
 * creation: the one by which usage would be billed, else one yet to start, else one that awaits payment.
 *
 * @assumes A-504, A-510
 */
export function* subscriptionsTo(
  context: Context,
  productId: string,
): Resumable<SubscriptionRow[]> {
  const { tables, owner, now } = context;
  const chosen = new Map<string, SubscriptionRow>();
  for (const subscription of [...tables.subscriptions.list('owner', owner)]) {
    yield;
    if (subscription.started_at === undefined || subscription.status === 'inactive') continue;
    if (!holds(subscription, productId)) continue;
    const other = chosen.get(subscription.customer_id);
    if (!other || rankOf(subscription, now) >= rankOf(other, now))
      chosen.set(subscription.customer_id, subscription);
  }
  const placed = [...chosen].map(
    ([id, subscription]) => [tables.customers.get(id)?.seq ?? 0, subscription] as const,
  );
  return placed.sort(([left], [right]) => left - right).map(([, subscription]) => subscription);
}

/** A customer with the subscription that decides what the product costs them. */
export function presentSubscriber(
  context: Context,
  subscription: SubscriptionRow,
  productId: string,
) {
  const customer = context.tables.customers.get(subscription.customer_id) as CustomerRow;
  const { id, status, started_at, renews_at, products } = subscription;
  const { version } = products.find((held) => held.id === productId) as SubscribedProduct;
  const { id: customer_id, name: customer_name, external_id, email } = customer;
  return {
    customer_id,
    customer_name,
    ...given({ external_id, email }),
    subscription_id: id,
    subscription_status: status,
    started_at: started_at as Instant,
    ...given({ renews_at }),
    product_rate_plan_id: productId,
    version,
  };
}

const holds = ({ products }: SubscriptionRow, productId: string): boolean =>
  products.some(({ id }) => id === productId);

/** Text that sorts by standing, then by start. */
function rankOf({ status, started_at }: SubscriptionRow, now: Instant): string {
  if (status !== 'active') return `0 ${started_at}`;
  return `${started_at !== undefined && started_at > now ? 1 : 2} ${started_at}`;
}
