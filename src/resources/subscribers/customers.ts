import { given, updated } from '../../domain/given.ts';
import { type Finding, findingIf, throwIfInvalid } from '../../domain/rules.ts';
import type { CustomerRow } from '../../store/records.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer, findCustomerByExternalId } from '../customers/customer-lookup.ts';
import { newRecord } from '../owned-records.ts';
import { notFound } from '../problems.ts';
import { presentSubscription } from '../subscriptions/present-subscription.ts';
import { subscribe, validateSubscription } from '../subscriptions/subscribe.ts';
import { presentCustomer } from './present-customer.ts';

export const createCustomer: Handler<'createCustomer'> = ({ body }, context) => {
  const external_id = body.external_id ?? undefined;
  const judged = (body.subscriptions ?? []).map((subscription, place) =>
    validateSubscription(context, subscription, `subscriptions[${place}].`),
  );
  throwIfInvalid([
    ...validateExternalId(context, external_id),
    ...judged.flatMap(({ findings }) => findings),
  ]);

  const customer = context.tables.customers.put(
    newRecord(context, 'customer', {
      name: body.name,
      ...given({ external_id, email: body.email }),
      metadata: body.metadata ?? null,
      external_accounts: body.external_accounts ?? [],
    }),
  );
  const subscriptions = judged.map((each) =>
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
    ...given({ external_id, email }),
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
