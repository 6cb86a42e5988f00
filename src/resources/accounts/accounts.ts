import { omitNullish } from '../../domain/fields.ts';
import { violate } from '../../domain/rules.ts';
import { ask, rowsOf } from '../../store/query.ts';
import type { ConnectedAccountRow } from '../../store/records.ts';
import { type Handler, newRecord, owned } from '../context.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';

export const createConnectedAccount: Handler<'createConnectedAccount'> = ({ body }, context) => {
  const { tables, world, owner, settings } = context;
  if (owner !== world.accountId) violate('account.nested', `X-${settings.service_name}-Account`);

  const external_id = body.external_id ?? undefined;
  if (external_id !== undefined && rowsOf(tables.accounts, { owner, external_id }).length > 0)
    violate('account.external_id_taken', 'external_id');

  const account = tables.accounts.put(
    newRecord(context, 'account', {
      name: body.name,
      metadata: body.metadata ?? null,
      ...omitNullish({ external_id }),
    }),
  );
  return { status: 201, body: { id: account.id } };
};

export const listConnectedAccounts: Handler<'listConnectedAccounts'> = (
  { query },
  { tables, owner },
) => {
  const where = omitNullish({ owner, external_id: query.external_id });
  return ask(tables.accounts, { where }, (found) => ({
    status: 200 as const,
    body: newestFirst(found, query, presentAccount),
  }));
};

export const getAccountContext: Handler<'getAccountContext'> = (_, { tables, world, owner }) => {
  const name = tables.accounts.get(owner)?.name ?? world.sandbox;
  const { environment, organisationId: org_id } = world;
  return { status: 200, body: { account_id: owner, environment, org_id, name } };
};

export const getConnectedAccount: Handler<'getConnectedAccount'> = ({ path }, context) => {
  const account = owned(context, context.tables.accounts.get(path.accountId)) ?? notFound();
  return { status: 200, body: presentAccount(account) };
};

function presentAccount({ id, name, external_id, metadata, created_at }: ConnectedAccountRow) {
  return { id, name, ...omitNullish({ external_id, metadata }), created_at };
}
