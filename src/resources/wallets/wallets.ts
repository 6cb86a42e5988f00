import { decimal, format, sum } from '../../domain/decimal.ts';
import { mapPresent, omitNullish } from '../../domain/fields.ts';
import { instant } from '../../domain/instant.ts';
import { gainText } from '../../domain/postings.ts';
import type { Call } from '../../spec/operations.ts';
import { listed, rowsOf } from '../../store/query.ts';
import type { GrantRow, TransactionRow, WalletAccountRow } from '../../store/records.ts';
import { key, uuidKey } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { findPending, presentPending } from './ledger.ts';

export const getWallet: Handler<'getWallet'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const accounts = rowsOf(context.tables.wallet_accounts, { customer_id: customer.id });
  return { status: 200, body: { accounts: accounts.map(presentAccount) } };
};

export const getWalletAccount: Handler<'getWalletAccount'> = ({ path }, context) => {
  const account = findAccount(context, path);
  const { top_ups, grants } = context.tables;
  const pendingIn = sum([
    ...top_ups.list('pending', account.id).map((topUp) => decimal(topUp.credit)),
    ...grants
      .list('pending', account.customer_id)
      .filter(({ account_id }) => account_id === account.account_id)
      .map((grant) => decimal(grant.amount)),
  ]);
  return {
    status: 200,
    body: { ...presentAccount(account), pending_in: wireNumber(format(pendingIn)), pending_out: 0 },
  };
};

export const listGrants: Handler<'listGrants'> = ({ path, query }, context) => {
  const account = findAccount(context, path);
  const wanted = grantFilter(query, context);
  const { customer_id, account_id } = account;
  const grants = rowsOf(context.tables.grants, { customer_id, account_id }).filter(wanted);
  return { status: 200, body: newestFirst(listed(grants), query, presentGrant) };
};

export const getWalletTransaction: Handler<'getWalletTransaction'> = ({ path }, context) => {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const transaction = context.tables.transactions.get(uuidKey(customer.id, path.transactionId));
  if (transaction) return { status: 200, body: presentTransaction(transaction) };
  const pending = findPending(context, customer.id, path.transactionId) ?? notFound();
  return { status: 200, body: presentPending(pending) };
};

/** The wallet account of a path; the asset code can be in any case. @assumes A-702 */
function findAccount(
  context: Context,
  path: { readonly customerId: string; readonly accountId: string },
): WalletAccountRow {
  const customer = findCustomer(context, path.customerId) ?? notFound();
  const colon = path.accountId.indexOf(':');
  const id = path.accountId.slice(0, colon + 1) + path.accountId.slice(colon + 1).toUpperCase();
  return context.tables.wallet_accounts.get(key(customer.id, id)) ?? notFound();
}

/** Bounds are inclusive. A grant without expiry does not match a bound of the expiry. @assumes A-704 */
function grantFilter(
  query: Call<'listGrants'>['query'],
  { now }: Context,
): (grant: GrantRow) => boolean {
  const bounds = mapPresent(query, BOUNDS, instant);
  const { effective_from, effective_to, expired_from, expired_to } = bounds;
  return ({ purpose, effective_at, expires_at }) =>
    (query.purpose === undefined || purpose === query.purpose) &&
    !(query.exclude_expired && expires_at !== null && expires_at <= now) &&
    (effective_from === undefined || effective_at >= effective_from) &&
    (effective_to === undefined || effective_at <= effective_to) &&
    (expired_from === undefined || (expires_at !== null && expires_at >= expired_from)) &&
    (expired_to === undefined || (expires_at !== null && expires_at <= expired_to));
}

const BOUNDS = ['effective_from', 'effective_to', 'expired_from', 'expired_to'] as const;

function presentAccount({ account_id, name, asset, available }: WalletAccountRow) {
  return { id: account_id, name, asset, available: wireNumber(available) };
}

/** @assumes A-704 */
function presentGrant(grant: GrantRow) {
  const { id, purpose, remaining, effective_at, expires_at, created_at } = grant;
  return { id, available: wireNumber(remaining), effective_at, expires_at, purpose, created_at };
}

/** Whether a transaction is a fee or another change of the balance. @assumes A-709 */
export const transactionType = ({ source }: TransactionRow): 'fee' | 'adjustment' =>
  source === 'usage' || source === 'charge' ? 'fee' : 'adjustment';

/** A transaction as its customer's wallet shows it. @assumes A-709 */
export function presentTransaction(row: TransactionRow) {
  const { transaction_id: id, account_id, asset, description, metadata, created_at } = row;
  const { requested_at = created_at } = row;
  return {
    id,
    type: transactionType(row),
    account_id,
    asset,
    amount: wireNumber(gainText(row)),
    ...omitNullish({ description, metadata }),
    created_at: requested_at,
    executed_at: created_at,
  };
}
