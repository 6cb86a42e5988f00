import type { CustomerRow } from '../state/records.ts';
import type { Context } from './context.ts';
import { keptItem } from './kept-items.ts';
import { presentSubscription } from './present-subscription.ts';

/** A customer as lists show it. @assumes A-308 */
export function presentCustomerSummary({ tables }: Context, customer: CustomerRow) {
  const { id, external_id, name, email } = customer;
  return {
    id,
    ...(external_id !== undefined && { external_id }),
    name,
    ...(email !== undefined && { email }),
    active_subscription_count: tables.subscriptions.list('active', id).length,
  };
}

/** The same, kept while neither the customer nor the count changes. */
export function keptCustomerSummary(context: Context, customer: CustomerRow) {
  const count = context.tables.subscriptions.list('active', customer.id).length;
  return keptItem(customer, count, (row) => presentCustomerSummary(context, row));
}

/** A customer with everything that is known of it. @assumes A-308 */
export function presentCustomer(context: Context, customer: CustomerRow) {
  const { id, created_at, metadata, external_accounts } = customer;
  const subscriptions = context.tables.subscriptions.list('customer', id);
  return {
    ...presentCustomerSummary(context, customer),
    created_at,
    metadata,
    subscriptions: subscriptions.map((row) => presentSubscription(context, row)),
    external_accounts: [...external_accounts],
  };
}
