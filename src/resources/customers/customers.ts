import { type Finding, finding, refuseAll } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import type { CustomerRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import type { Context, Handler } from '../context.ts';
import { updated } from '../field-update.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { presentSubscription } from '../subscriptions/present-subscription.ts';
import { judgeSubscription, subscribe } from '../subscriptions/subscribe.ts';
import { findCustomer, findCustomerByExternalId } from './customer-lookup.ts';
import { cachedCustomerSummary, presentCustomer } from './present-customer.ts';

export const createCustomer: Handler<'createCustomer'> = ({ body }, context) => {
  const { tables, world, owner, now } = context;
  const external_id = body.external_id ?? undefined;
  const judged = (body.subscriptions ?? []).map((subscription, place) =>
    judgeSubscription(context, subscription, `subscriptions[${place}].`),
  );
  refuseAll([
    ...judgeExternalId(context, external_id),
    ...judged.flatMap(({ findings }) => findings),
  ]);

  const customer = tables.customers.put({
    id: world.nextId('customer', owner),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    name: body.name,
    ...(external_id !== undefined && { external_id }),
    ...(body.email != null && { email: body.email }),
    metadata: body.metadata ?? null,
    external_accounts: body.external_accounts ?? [],
  });
  const subscriptions = judged.map((each) =>
    presentSubscription(context, subscribe(context, customer, each)),
  );
  return { status: 201, body: { id: customer.id, subscriptions } };
};

export const listCustomers: Handler<'listCustomers'> = ({ query }, context) => {
  if (query.external_id !== undefined) {
    const customer = findCustomerByExternalId(context, query.external_id);
    if (!customer) return notFound();
    return { status: 303, headers: { Location: `${context.baseUrl}/customers/${customer.id}` } };
  }
  const { customer_id, name, status } = query;
  const candidates = candidatesOf(context, query);
  const isFiltered = [customer_id, name, status].some((filter) => filter !== undefined);
  const rows = isFiltered
    ? candidates.filter((customer) => passes(context, query, customer))
    : candidates;
  return {
    status: 200,
    body: newestFirst(rows, query, (customer) => cachedCustomerSummary(context, customer)),
  };
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
  refuseAll(judgeExternalId(context, external_id, customer));

  context.tables.customers.put({
    ...rest,
    name: body.name ?? customer.name,
    ...(external_id !== undefined && { external_id }),
    ...(email !== undefined && { email }),
    metadata: body.metadata === undefined ? customer.metadata : body.metadata,
    external_accounts:
      body.external_accounts === undefined
        ? customer.external_accounts
        : (body.external_accounts ?? []),
  });
  return { status: 204 };
};

/** What is wrong with an external id: nothing, or that another customer has it. */
function judgeExternalId(
  context: Context,
  externalId: string | undefined,
  self?: CustomerRow,
): Finding[] {
  const holder =
    externalId === undefined ? undefined : findCustomerByExternalId(context, externalId);
  const isTaken = holder !== undefined && holder.id !== self?.id;
  return isTaken ? [finding('customer.external_id_taken', 'external_id')] : [];
}

type Filters = Call<'listCustomers'>['query'];

/** As few customers as an index gives, those that fit in creation order among them. */
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

/** Whether a customer fits every filter given. @assumes A-602 */
function passes({ tables }: Context, filters: Filters, customer: CustomerRow): boolean {
  const { customer_id, email, name, status } = filters;
  const isActive = () => tables.subscriptions.list('active', customer.id).length > 0;
  return (
    (customer_id === undefined || customer.id === customer_id) &&
    (email === undefined || customer.email?.toLowerCase() === email.toLowerCase()) &&
    (name === undefined || customer.name.toLowerCase().includes(name.toLowerCase())) &&
    (status === undefined || isActive() === (status === 'active'))
  );
}
