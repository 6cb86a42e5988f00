import type { Call, Reply } from '../../spec/operations.ts';
import type { Places } from '../../store/indexes/sorted-rows.ts';
import type { CustomerRow, SubscriptionRow } from '../../store/records.ts';
import { isResumable, type Resumable } from '../../store/resumable.ts';
import { key } from '../../store/schema.ts';
import type { Context, Handler } from '../context.ts';
import {
  askForNamed,
  findCustomer,
  findCustomerByExternalId,
  isNamed,
  newestWithout,
} from '../customers/customer-lookup.ts';
import { DEFAULT_LIMIT, newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { areMany, type Condition, replyAbout } from '../walk.ts';
import { cachedCustomerSummary } from './present-customer.ts';
import { askForSubscribers } from './subscribers.ts';

type ListReply = Reply<'listCustomers'>;

export const listCustomers: Handler<'listCustomers'> = ({ query }, context) => {
  if (query.external_id !== undefined) {
    const customer = findCustomerByExternalId(context, query.external_id);
    if (!customer) return notFound();
    return { status: 303, headers: { Location: `${context.baseUrl}/customers/${customer.id}` } };
  }
  const { customer_id, email, name, status } = query;
  const rows = candidatesOf(context, query);
  const ofAll = customer_id === undefined && email === undefined && areMany(rows);
  if (ofAll && name !== undefined) return listNamed(context, query, name);
  if (ofAll && status !== undefined) return listByStatus(context, query, status);
  return replyAbout(rows, conditionsOf(context, query), (found) => page(context, query, found));
};

type Filters = Call<'listCustomers'>['query'];

/** The smallest list from an index that contains all matching customers, in order of creation. */
function candidatesOf(context: Context, { customer_id, email }: Filters): readonly CustomerRow[] {
  const { tables, owner } = context;
  if (customer_id !== undefined) {
    const customer = findCustomer(context, customer_id);
    return customer ? [customer] : [];
  }
  return email === undefined
    ? tables.customers.list('owner', owner)
    : tables.customers.list('email', key(owner, email.toLowerCase()));
}

/** The conditions of the query on each customer. @assumes A-602 */
function conditionsOf({ tables }: Context, filters: Filters): Condition<CustomerRow>[] {
  const { customer_id, email, name, status } = filters;
  const address = email?.toLowerCase();
  const isActive = ({ id }: CustomerRow) => tables.subscriptions.list('active', id).length > 0;
  const conditions: Condition<CustomerRow>[] = [];
  if (customer_id !== undefined && address !== undefined)
    conditions.push((customer) => customer.email?.toLowerCase() === address);
  if (name !== undefined) conditions.push(isNamed(name));
  if (status !== undefined) conditions.push((row) => isActive(row) === (status === 'active'));
  return conditions;
}

/** For many customers: those with a text in their name. */
function* listNamed(context: Context, query: Filters, text: string): Resumable<ListReply> {
  const named = yield* askForNamed(context.tables, text, context.owner);
  const { name: _name, ...others } = query;
  const reply = replyAbout(named, conditionsOf(context, others), (found) =>
    page(context, query, found),
  );
  return isResumable(reply) ? yield* reply : reply;
}

/** For many customers: those with an active subscription, or those without. @assumes A-602 */
function listByStatus(
  context: Context,
  query: Filters,
  status: NonNullable<Filters['status']>,
): Resumable<ListReply> {
  const { tables, owner } = context;
  const { limit = DEFAULT_LIMIT, offset = 0 } = query;
  const isActive = (row: SubscriptionRow) => row.status === 'active';
  return askForSubscribers(context, 'active', isActive, (active) => {
    const { order } = active;
    if (status === 'active')
      return page(context, query, {
        length: order.length,
        at: (place) => tables.customers.get(order.at(place)?.key ?? ''),
      });
    const all = tables.customers.list('owner', owner);
    const idle = newestWithout(all, active.all(), offset + limit).slice(offset);
    const items = idle.map((customer) => cachedCustomerSummary(context, customer));
    return { status: 200, body: { items, total_count: all.length - order.length, limit, offset } };
  });
}

function page(context: Context, query: Filters, customers: Places<CustomerRow>): ListReply {
  return {
    status: 200,
    body: newestFirst(customers, query, (customer) => cachedCustomerSummary(context, customer)),
  };
}
