import { add, type Decimal, decimal, format, isPositive, subtract } from '../../domain/decimal.ts';
import { given } from '../../domain/given.ts';
import { afterRepayment } from '../../domain/grants.ts';
import { after, type Instant, instant } from '../../domain/instant.ts';
import type {
  BookAccount,
  GrantPurpose,
  GrantRow,
  GrantSource,
  GrantWorth,
  Posting,
  TransactionRow,
  WalletAccountRow,
} from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { watchBalance } from '../auto-top-up-watch.ts';
import type { Context } from '../context.ts';
import { type Debit, Debits } from './debits.ts';
import { recordTransaction, type TransactionNotes } from './transactions.ts';

/**
 * Movements of wallets. Each movement is one balanced transaction. Balances and remaining amounts of grants are
 * stored in addition to the postings and equal their sums.
 */

export interface Credit extends TransactionNotes {
  readonly amount: Decimal;
  readonly from: BookAccount;
  readonly purpose: GrantPurpose;
  readonly source: GrantSource;
  /** From when the credit is effective; by default now. */
  readonly effective_at?: Instant | undefined;
  readonly expires_at?: Instant | null;
  readonly worth?: GrantWorth | undefined;
  readonly priority?: number | undefined;
  readonly rolls_over?: boolean;
  readonly entitlement?: GrantRow['entitlement'];
}

export const DEFAULT_ACCOUNT_NAME = 'default';

/** The wallet account of a customer for an asset and a name, created on first use. @assumes A-702 */
export function openAccount(
  { tables, world, now }: Context,
  customer: { readonly id: string; readonly owner: string },
  asset: string,
  name: string = DEFAULT_ACCOUNT_NAME,
): WalletAccountRow {
  const account_id = `${name}:${asset}`;
  const id = key(customer.id, account_id);
  return (
    tables.wallet_accounts.get(id) ??
    tables.wallet_accounts.put({
      id,
      seq: world.nextSeq(),
      owner: customer.owner,
      created_at: now,
      account_id,
      customer_id: customer.id,
      name,
      asset,
      available: '0',
    })
  );
}

/** When credit ends: as asked, or for paid credit after the lifetime of the settings; null if never. @assumes A-704 */
export function endOfGrant(
  { settings: { top_up_credit_lifetime: lifetime } }: Context,
  purpose: GrantPurpose,
  effective_at: Instant,
  asked: string | null | undefined,
): Instant | null {
  if (asked) return instant(asked);
  return purpose === 'paid' && lifetime !== 'none' ? after(effective_at, lifetime) : null;
}

/** Adds credit to an account as a grant; the credit first repays the account's debt. @assumes */
export function credit(
  context: Context,
  account: WalletAccountRow,
  terms: Credit,
): { readonly transaction: TransactionRow; readonly grant: GrantRow } {
  return giveCredit(context, newGrant(context, account, terms), terms);
}

/**
 * Carries out a grant, new or pending, with the account's current balance. What credit that has already ended leaves
 * after repaying debt is removed at once.
 *
 * @assumes A-706
 */
export function giveCredit(
  context: Context,
  { pending: _awaited, ...row }: GrantRow,
  notes: Pick<Credit, 'from'> & TransactionNotes,
): { readonly transaction: TransactionRow; readonly grant: GrantRow } {
  const { tables } = context;
  const id = key(row.customer_id, row.account_id);
  const account = tables.wallet_accounts.get(id) as WalletAccountRow;
  const amount = decimal(row.amount);
  const remaining = afterRepayment(amount, decimal(account.available));
  const repaid = format(subtract(amount, remaining));
  const grant = tables.grants.put({ ...row, remaining: format(remaining), repaid });
  const { transaction_id, expires_at } = grant;
  const posting: Posting = {
    from: notes.from,
    to: 'wallet',
    amount: grant.amount,
    grant_id: grant.id,
    ...(expires_at && { expires_at }),
  };
  const available = format(add(decimal(account.available), amount));
  const lifted = tables.wallet_accounts.put({ ...account, available });
  watchBalance(context, lifted, amount);
  const said = { ...notes, transaction_id };
  const transaction = recordTransaction(context, lifted, [posting], available, said);
  if (expires_at !== null && expires_at <= context.now) expireGrant(context, grant);
  return { transaction, grant };
}

/** A grant that is not carried out yet. */
export function newGrant(
  { world, now }: Context,
  account: WalletAccountRow,
  terms: Credit,
): GrantRow {
  const { worth, priority, rolls_over, entitlement } = terms;
  return {
    id: world.nextId('grant', account.owner),
    seq: world.nextSeq(),
    owner: account.owner,
    created_at: now,
    customer_id: account.customer_id,
    account_id: account.account_id,
    asset: account.asset,
    purpose: terms.purpose,
    amount: format(terms.amount),
    remaining: '0',
    repaid: '0',
    effective_at: terms.effective_at ?? now,
    expires_at: terms.expires_at ?? null,
    transaction_id: terms.transaction_id ?? world.nextUuid('transaction', account.owner),
    source: terms.source,
    ...given({ worth, priority, rolls_over: rolls_over || undefined, entitlement }),
  };
}

/** Debits an amount from an account: from grants in draw-down order, the rest as debt. @assumes */
export function debit(context: Context, account: WalletAccountRow, taken: Debit): TransactionRow {
  const debits = new Debits(context);
  const transaction = debits.take(account, taken);
  debits.write();
  return transaction;
}

/** Removes the rest of a grant from its account. A used-up grant stays unchanged. @assumes A-706 */
export function expireGrant(context: Context, grant: GrantRow): TransactionRow | undefined {
  const amount = decimal(grant.remaining);
  if (!isPositive(amount)) return undefined;
  const id = key(grant.customer_id, grant.account_id);
  const account = context.tables.wallet_accounts.get(id) as WalletAccountRow;
  return debit(context, account, { amount, to: 'breakage', grants: [grant], source: 'expiry' });
}
