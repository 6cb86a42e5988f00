import { given } from '../../domain/given.ts';
import type { GrantRow, PendingCredit, WalletAccountRow } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context } from '../context.ts';
import { type Credit, giveCredit, newGrant } from './ledger.ts';

/**
 * Stores credit that becomes effective later. Until then it is listed with nothing available, and its transaction is
 * pending.
 *
 * @assumes A-704
 */
export function putOffCredit(
  context: Context,
  account: WalletAccountRow,
  terms: Credit & Omit<PendingCredit, 'from'>,
): GrantRow {
  const { from, reason, description, metadata, content } = terms;
  const pending = { from, reason, content, ...given({ description, metadata }) };
  return context.tables.grants.put({ ...newGrant(context, account, terms), pending });
}

/** Pending credit becomes available and repays debt. @assumes A-704, A-1302 */
export function beginCredit(context: Context, grant: GrantRow): void {
  if (!grant.pending) return;
  const { source, created_at: requested_at } = grant;
  giveCredit(context, grant, { ...grant.pending, source, requested_at });
}

/** The pending credit of a transaction; undefined if the transaction was carried out or does not exist. */
export function findPending(
  { tables }: Context,
  customerId: string,
  transactionId: string,
): GrantRow | undefined {
  const id = uuidKey(customerId, transactionId);
  const pending = tables.grants.list('pending', customerId);
  return pending.find(({ transaction_id }) => uuidKey(customerId, transaction_id) === id);
}

/** A pending transaction, as its customer's wallet shows it. @assumes A-709 */
export function presentPending({ transaction_id: id, account_id, asset, ...grant }: GrantRow) {
  const { description, metadata } = grant.pending ?? {};
  return {
    id,
    type: 'adjustment' as const,
    account_id,
    asset,
    amount: wireNumber(grant.amount),
    ...given({ description, metadata: metadata && { ...metadata } }),
    created_at: grant.created_at,
  };
}
