import { omitNullish, updated } from '../../domain/fields.ts';
import { type Finding, findingIf, throwIfInvalid } from '../../domain/rules.ts';
import type { components } from '../../spec/openapi.d.ts';
import type { Call, Reply } from '../../spec/operations.ts';
import { ask, type Condition, type Listed, listed, rowsOf } from '../../store/query.ts';
import type { CustomerRow, SubscriptionRow } from '../../store/records.ts';
import { type Context, type Handler, newRecord } from '../context.ts';
import {
  activeSubscriptions,
  findCustomer,
  findCustomerByExternalId,
  isNamed,
  newestWithout,
} from '../customers/customer-lookup.ts';
import { DEFAULT_LIMIT, newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { subscribe, validateSubscription } from '../subscriptions/subscribe.ts';
import { presentSubscription } from '../subscriptions/subscriptions.ts';
import { askForSubscribers } from './subscribers.ts';

export const createCustomer: Handler<'createCustomer'> = ({ body }, context) => {
  const external_id = body.external_id ?? undefined;
  const validated = (body.subscriptions ?? []).map((subscription, place) =>
    validateSubscription(context, subscription, `subscriptions[${place}].`),
  );
  throwIfInvalid([
    ...validateExternalId(context, external_id),
    ...validated.flatMap(({ findings }) => findings),
  ]);

  const customer = context.tables.customers.put(
    newRecord(context, 'customer', {
      name: body.name,
      ...omitNullish({ external_id, email: body.email }),
      metadata: body.metadata ?? null,
      external_accounts: body.external_accounts ?? [],
    }),
  );
  const subscriptions = validated.map((each) =>
    presentSubscription(context, subscribe(context, customer, each)),
  );
  return { status: 201, body: { id: customer.id, subscriptions } };
};

export const getCustomer: Handler<'getCustomer'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  return { status: 200, body: presentCustomer(context, customer) };
};

export const updateCustomer: Handler<'updateCustomer'> = ({ path, body }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const { external_id: formerId, email: formerEmail, ...rest } = customer;
  const external_id = updated(body.external_id, formerId);
  const email = updated(body.email, formerEmail);
  throwIfInvalid(validateExternalId(context, external_id, customer));

  context.tables.customers.put({
    ...rest,
    name: body.name ?? customer.name,
    ...omitNullish({ external_id, email }),
    metadata: body.metadata === undefined ? customer.metadata : body.metadata,
    external_accounts: updated(body.external_accounts, customer.external_accounts) ?? [],
  });
  return { status: 204 };
};

/** A finding if another customer has the external id. */
function validateExternalId(
  context: Context,
  externalId: string | undefined,
  self?: CustomerRow,
): Finding[] {
  const holder =
    externalId === undefined ? undefined : findCustomerByExternalId(context, externalId);
  const isTaken = holder !== undefined && holder.id !== self?.id;
  return findingIf(isTaken, 'customer.external_id_taken', 'external_id');
}

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
      alike: customer_id === undefined ? omitNullish({ email }) : {},
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
        listed({
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

function page(context: Context, query: Filters, customers: Listed<CustomerRow>): ListReply {
  return {
    status: 200,
    body: newestFirst(customers, query, (customer) => presentCustomerSummary(context, customer)),
  };
}

type CustomerSummary = components['schemas']['CustomerSummary'];

/** A customer as lists show it. @assumes A-308 */
function presentCustomerSummary(
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
