import { revenueOfDraw } from '../../domain/credit-worth.ts';
import {
  add,
  type Decimal,
  decimal,
  format,
  isPositive,
  isZero,
  negate,
  subtract,
  sum,
  ZERO,
} from '../../domain/decimal.ts';
import { afterRepayment, draw } from '../../domain/grants.ts';
import { dayOf, type Instant } from '../../domain/instant.ts';
import type {
  BookAccount,
  GrantPurpose,
  GrantRow,
  GrantSource,
  GrantWorth,
  Posting,
  TransactionRow,
  WalletAccountRow,
} from '../../state/records.ts';
import { key, uuidKey } from '../../state/schema.ts';
import type { Context } from '../context.ts';
import { watchBalance } from '../payments/auto-top-up-watch.ts';
import { reportingValue, valuationOf } from '../stats/reporting.ts';
import { recordRevenue } from '../stats/totals.ts';
import { type TransactionNotes, withNotes } from './transaction-notes.ts';

/**
 * What moves wallets. Every movement is one balanced transaction; balances and what grants have left are
 * kept beside the postings and equal their sums.
 */

export interface Credit extends TransactionNotes {
  readonly amount: Decimal;
  readonly from: BookAccount;
  readonly purpose: GrantPurpose;
  readonly source: GrantSource;
  /** When it counts as given: now unless told. */
  readonly effective_at?: Instant | undefined;
  readonly expires_at?: Instant | null;
  readonly worth?: GrantWorth | undefined;
  readonly priority?: number | undefined;
  readonly rolls_over?: boolean;
  readonly entitlement?: GrantRow['entitlement'];
}

export interface Debit extends TransactionNotes {
  readonly amount: Decimal;
  readonly to: BookAccount;
  /** Draws paid credit before the rest, as refunds do. */
  readonly paidFirst?: boolean;
  /** Whose rate values the debt that it makes; now unless told. */
  readonly occurred_at?: Instant;
}

export const DEFAULT_ACCOUNT_NAME = 'default';

/** The wallet account of a customer in one asset under one name, made when it is first needed. @assumes A-702 */
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

/** Gives credit to an account as a grant, which first repays the account's debt. @assumes */
export function credit(
  context: Context,
  account: WalletAccountRow,
  given: Credit,
): { readonly transaction: TransactionRow; readonly grant: GrantRow } {
  return giveCredit(context, newGrant(context, account, given), given);
}

/** Grants what was given, or put off, as the account's balance is now. */
export function giveCredit(
  context: Context,
  { pending: _awaited, ...row }: GrantRow,
  given: Pick<Credit, 'from'> & TransactionNotes,
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
    from: given.from,
    to: 'wallet',
    amount: grant.amount,
    grant_id: grant.id,
    ...(expires_at && { expires_at }),
  };
  const transaction = post(context, account, amount, [posting], { ...given, transaction_id });
  return { transaction, grant };
}

/** A grant of which nothing was given yet. */
export function newGrant(
  { world, now }: Context,
  account: WalletAccountRow,
  given: Credit,
): GrantRow {
  return {
    id: world.nextId('grant', account.owner),
    seq: world.nextSeq(),
    owner: account.owner,
    created_at: now,
    customer_id: account.customer_id,
    account_id: account.account_id,
    asset: account.asset,
    purpose: given.purpose,
    amount: format(given.amount),
    remaining: '0',
    repaid: '0',
    effective_at: given.effective_at ?? now,
    expires_at: given.expires_at ?? null,
    transaction_id: given.transaction_id ?? world.nextUuid('transaction', account.owner),
    source: given.source,
    ...(given.worth && { worth: given.worth }),
    ...(given.priority !== undefined && { priority: given.priority }),
    ...(given.rolls_over && { rolls_over: true }),
    ...(given.entitlement && { entitlement: given.entitlement }),
  };
}

/** Takes an amount out of an account, from grants in draw-down order and the rest as debt. @assumes */
export function debit(context: Context, account: WalletAccountRow, taken: Debit): TransactionRow {
  const { tables } = context;
  const current = tables.wallet_accounts.get(account.id) as WalletAccountRow;
  const listed = tables.grants.list('open', account.id);
  const open = taken.paidFirst ? listed.toSorted((a, b) => paidRank(a) - paidRank(b)) : listed;
  const { draws, uncovered } = draw(taken.amount, open, (grant) => decimal(grant.remaining));
  const postings = draws.map(({ grant, amount }) => takeFrom(context, grant, amount, taken.to));
  if (!isZero(uncovered)) postings.push(owe(context, account, uncovered, taken));
  return post(context, current, negate(taken.amount), postings, taken);
}

/** Takes what is left of a grant out of its account. Nothing happens to a grant that is used up. @assumes A-706 */
export function expireGrant(context: Context, grant: GrantRow): TransactionRow | undefined {
  const remaining = decimal(grant.remaining);
  if (!isPositive(remaining)) return undefined;
  const account = context.tables.wallet_accounts.get(
    key(grant.customer_id, grant.account_id),
  ) as WalletAccountRow;
  const postings = [takeFrom(context, grant, remaining, 'breakage')];
  return post(context, account, negate(remaining), postings, { source: 'expiry' });
}

/** What the postings of a transaction count as revenue. @units the reporting currency */
export function revenueOf({ postings }: Pick<TransactionRow, 'postings'>): Decimal {
  return sum(postings.map(({ revenue = '0' }) => decimal(revenue)));
}

/** Takes an amount that a grant has out of it, counting what that brings in. @assumes */
function takeFrom({ tables }: Context, grant: GrantRow, amount: Decimal, to: BookAccount): Posting {
  const before = decimal(grant.remaining);
  const left = subtract(before, amount);
  tables.grants.put({ ...grant, remaining: format(left) });
  const revenue = revenueOfDraw(grant, before, left, to);
  const posting: Posting = { from: 'wallet', to, amount: format(amount), grant_id: grant.id };
  return isZero(revenue) ? posting : { ...posting, revenue: format(revenue) };
}

/** Makes debt, which counts at once where it is made by usage or a charge. @assumes */
function owe(
  context: Context,
  { asset }: WalletAccountRow,
  amount: Decimal,
  { to, occurred_at = context.now }: Debit,
): Posting {
  const posting: Posting = { from: 'wallet', to, amount: format(amount) };
  if (to !== 'revenue') return posting;
  const revenue = reportingValue(context, asset, amount, occurred_at);
  if (isZero(revenue)) return posting;
  const isReported = asset === context.settings.reporting_currency;
  const valuation = isReported ? undefined : valuationOf(context, asset, occurred_at);
  return { ...posting, revenue: format(revenue), ...(valuation && { valuation }) };
}

function post(
  context: Context,
  account: WalletAccountRow,
  gained: Decimal,
  postings: readonly Posting[],
  notes: TransactionNotes,
): TransactionRow {
  const { tables, world, now } = context;
  const available = format(add(decimal(account.available), gained));
  watchBalance(context, tables.wallet_accounts.put({ ...account, available }), gained);
  // What a fee counts is part of its event's revenue.
  if (notes.fee_id === undefined) countRevenue(context, account.customer_id, postings);
  const transaction_id = notes.transaction_id ?? world.nextUuid('transaction', account.owner);
  return tables.transactions.put(
    withNotes(notes, {
      id: uuidKey(account.customer_id, transaction_id),
      seq: world.nextSeq(),
      owner: account.owner,
      created_at: now,
      transaction_id,
      source: notes.source,
      customer_id: account.customer_id,
      account_id: account.account_id,
      asset: account.asset,
      amount: format(gained),
      balance_after: available,
      postings,
    }),
  );
}

function countRevenue(context: Context, customerId: string, postings: readonly Posting[]): void {
  const revenue = revenueOf({ postings });
  if (!isZero(revenue)) recordRevenue(context, customerId, dayOf(context.now), revenue, ZERO);
}

const paidRank = (grant: GrantRow): number => (grant.purpose === 'paid' ? 0 : 1);
