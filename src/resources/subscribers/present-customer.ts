import type { components } from '../../spec/openapi.d.ts';
import { rowsOf } from '../../store/query/rows-of.ts';
import type { CustomerRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { activeSubscriptions } from '../customers/customer-lookup.ts';
import { presentSubscription } from '../subscriptions/present-subscription.ts';

type CustomerSummary = components['schemas']['CustomerSummary'];

/** A customer as lists show it. @assumes A-308 */
export function presentCustomerSummary(
  { tables }: Context,
  { id, external_id, name, email }: CustomerRow,
): CustomerSummary {
  const active_subscription_count = activeSubscriptions(tables, id).length;
  const summary: CustomerSummary = { id, name, active_subscription_count };
  if (external_id !== undefined) summary.external_id = external_id;
  if (email !== undefined) summary.email = email;
  return summary;
}

/** A customer with all its fields. @assumes A-308 */
export function presentCustomer(context: Context, customer: CustomerRow) {
  const { id, created_at, metadata, external_accounts } = customer;
  const subscriptions = rowsOf(context.tables.subscriptions, { customer_id: id });
  return Object.assign(presentCustomerSummary(context, customer), {
    created_at,
    metadata,
    subscriptions: subscriptions.map((row) => presentSubscription(context, row)),
    external_accounts: [...external_accounts],
  });
}
