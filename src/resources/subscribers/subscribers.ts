import { omitNullish } from '../../domain/fields.ts';
import type { Instant } from '../../domain/instant.ts';
import { currentPhase } from '../../domain/subscriptions.ts';
import { type Condition, listed, type Rankings, rank, rowsOf } from '../../store/query.ts';
import type { CustomerRow, SubscribedProduct, SubscriptionRow } from '../../store/records.ts';
import type { Context, Handler } from '../context.ts';
import { newestFirst } from '../paging.ts';

export const listSubscribers: Handler<'listSubscribers'> = ({ path, query }, context) => {
  const { productId } = path;
  const name = `subscribers of ${productId}`;
  return askForSubscribers(context, name, isSubscribedTo(productId), ({ order }) => ({
    status: 200,
    body: newestFirst(listed(order), query, ({ key }) =>
      presentSubscriber(context, decidingSubscription(context, key, productId), productId),
    ),
  }));
};

/** Calls `answer` with the customers that have a matching subscription, the oldest first. `name` identifies the query. */
export function askForSubscribers<T>(
  { tables, owner }: Context,
  name: string,
  fits: Condition<SubscriptionRow>,
  answer: (customers: Rankings) => T,
): T | Promise<T> {
  const seqOf = (id: string) => tables.customers.get(id)?.seq ?? 0;
  return rank(
    tables.subscriptions,
    {
      named: `${name} of ${owner}`,
      key: (row) => (row.owner === owner && fits(row) ? row.customer_id : undefined),
      amounts: () => [],
      compare: (left, right) => seqOf(left.key) - seqOf(right.key),
    },
    answer,
  );
}

/** Whether a subscription to a product has a start and has not ended. */
const isSubscribedTo =
  (productId: string): Condition<SubscriptionRow> =>
  ({ started_at, status, products }) =>
    started_at !== undefined &&
    status !== 'inactive' &&
    products.some(({ id }) => id === productId);

/**
 * The subscription of a customer that decides the product's prices: the one that bills usage; otherwise one that has
 * not started yet; otherwise one that awaits payment.
 *
 * @assumes
 */
function decidingSubscription(
  { tables, settings }: Context,
  customerId: string,
  productId: string,
): SubscriptionRow {
  const rank = (row: SubscriptionRow) => rankOf(row, settings.past_due_usage);
  return rowsOf(tables.subscriptions, { customer_id: customerId })
    .filter(isSubscribedTo(productId))
    .reduce((chosen, other) => (rank(other) >= rank(chosen) ? other : chosen));
}

/** A customer with the subscription that decides the product's prices. */
function presentSubscriber(context: Context, subscription: SubscriptionRow, productId: string) {
  const customer = context.tables.customers.get(subscription.customer_id) as CustomerRow;
  const { id, status, started_at, renews_at, products } = subscription;
  const { version } = products.find((held) => held.id === productId) as SubscribedProduct;
  const { id: customer_id, name: customer_name, external_id, email } = customer;
  return {
    customer_id,
    customer_name,
    ...omitNullish({ external_id, email }),
    subscription_id: id,
    subscription_status: status,
    started_at: started_at as Instant,
    ...omitNullish({ renews_at }),
    product_rate_plan_id: productId,
    version,
  };
}

/** A sort key: what it bills now, then its start, which is the latest for one that starts later. @assumes A-611 */
function rankOf(
  { history, started_at }: SubscriptionRow,
  past_due_usage: Context['settings']['past_due_usage'],
): string {
  const held = currentPhase(history);
  const rank = held && !held.past_due ? 2 : held && past_due_usage === 'bill' ? 1 : 0;
  return `${rank} ${started_at}`;
}
