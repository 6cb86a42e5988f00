import { given } from '../../domain/given.ts';
import type { Call, Reply } from '../../spec/operations.ts';
import { ask } from '../../store/query/ask.ts';
import { type Found, foundInRows } from '../../store/query/found.ts';
import type { Condition } from '../../store/query/query.ts';
import { rowsOf } from '../../store/query/rows-of.ts';
import type { CustomerRow, SubscriptionRow } from '../../store/records.ts';
import type { Context, Handler } from '../context.ts';
import {
  activeSubscriptions,
  findCustomer,
  findCustomerByExternalId,
  isNamed,
  newestWithout,
} from '../customers/customer-lookup.ts';
import { DEFAULT_LIMIT, newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { presentCustomerSummary } from './present-customer.ts';
import { askForSubscribers } from './subscribers.ts';

type ListReply = Reply<'listCustomers'>;

export const listCustomers: Handler<'listCustomers'> = ({ query }, context) => {
  if (query.external_id !== undefined) {
    const customer = findCustomerByExternalId(context, query.external_id);
    if (!customer) return notFound();
    return { status: 303, headers: { Location: `${context.baseUrl}/customers/${customer.id}` } };
  }
  const { tables, owner } = context;
  const { customer_id, email, name, status } = query;
  const ofAll = customer_id === undefined && email === undefined && name === undefined;
  if (ofAll && status !== undefined) return listByStatus(context, query, status);
  const customer = customer_id === undefined ? undefined : findCustomer(context, customer_id);
  return ask(
    tables.customers,
    {
      where: { owner },
      alike: customer_id === undefined ? given({ email }) : {},
      among: customer_id === undefined ? undefined : customer ? [customer] : [],
      fits: conditionsOf(context, query),
      named: status === undefined && name !== undefined ? `named ${name.toLowerCase()}` : undefined,
    },
    (found) => page(context, query, found),
  );
};

type Filters = Call<'listCustomers'>['query'];

/** The conditions of the query on each customer. @assumes A-602 */
function conditionsOf({ tables }: Context, filters: Filters): Condition<CustomerRow>[] {
  const { customer_id, email, name, status } = filters;
  const address = email?.toLowerCase();
  const isActive = ({ id }: CustomerRow) => activeSubscriptions(tables, id).length > 0;
  const conditions: Condition<CustomerRow>[] = [];
  if (customer_id !== undefined && address !== undefined)
    conditions.push((customer) => customer.email?.toLowerCase() === address);
  if (name !== undefined) conditions.push(isNamed(name));
  if (status !== undefined) conditions.push((row) => isActive(row) === (status === 'active'));
  return conditions;
}

/** Those with an active subscription, or those without. @assumes A-602 */
function listByStatus(
  context: Context,
  query: Filters,
  status: NonNullable<Filters['status']>,
): ListReply | Promise<ListReply> {
  const { tables, owner } = context;
  const { limit = DEFAULT_LIMIT, offset = 0 } = query;
  const isActive = (row: SubscriptionRow) => row.status === 'active';
  return askForSubscribers(context, 'active', isActive, (active) => {
    const { order } = active;
    if (status === 'active')
      return page(
        context,
        query,
        foundInRows({
          length: order.length,
          at: (place) => tables.customers.get(order.at(place)?.key ?? ''),
        }),
      );
    const all = rowsOf(tables.customers, { owner });
    const idle = newestWithout(all, active, offset + limit).slice(offset);
    const items = idle.map((customer) => presentCustomerSummary(context, customer));
    return { status: 200, body: { items, total_count: all.length - order.length, limit, offset } };
  });
}

function page(context: Context, query: Filters, customers: Found<CustomerRow>): ListReply {
  return {
    status: 200,
    body: newestFirst(customers, query, (customer) => presentCustomerSummary(context, customer)),
  };
}
