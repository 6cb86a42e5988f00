import {
  add,
  type Decimal,
  type DecimalText,
  decimal,
  format,
  isPositive,
  isZero,
  negate,
  subtract,
} from '../../domain/decimal.ts';
import { afterRepayment, type Draw, draw } from '../../domain/grants.ts';
import type { Instant } from '../../domain/instant.ts';
import type {
  BookAccount,
  GrantPurpose,
  GrantRow,
  GrantSource,
  Posting,
  TransactionRow,
  TransactionType,
  WalletAccountRow,
} from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import type { Context } from '../context.ts';
import { watchBalance } from '../payments/auto-top-up-watch.ts';

/**
 * What moves wallets. Every movement is one balanced transaction; balances and what grants have left are
 * kept beside the postings and equal their sums.
 */

/** What a transaction says of itself beside its postings. */
export interface TransactionNotes {
  /** The caller's id, else one is made. */
  readonly transaction_id?: string;
  readonly type: TransactionType;
  readonly reason?: string;
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly event_id?: string;
  readonly fee_id?: string;
  readonly top_up_id?: string;
  readonly content?: string;
}

export interface Credit extends TransactionNotes {
  readonly amount: Decimal;
  readonly from: BookAccount;
  readonly purpose: GrantPurpose;
  readonly source: GrantSource;
  readonly expires_at?: Instant | null;
  readonly revenue_basis?: DecimalText;
  readonly entitlement?: GrantRow['entitlement'];
}

export interface Debit extends TransactionNotes {
  readonly amount: Decimal;
  readonly to: BookAccount;
  /** Draws paid credit before the rest, as refunds do. */
  readonly paidFirst?: boolean;
}

export interface Movement {
  readonly transaction: TransactionRow;
  readonly draws: readonly Draw<GrantRow>[];
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
): Movement & { grant: GrantRow } {
  const { tables, world, now } = context;
  const current = tables.wallet_accounts.get(account.id) as WalletAccountRow;
  const remaining = afterRepayment(given.amount, decimal(current.available));
  const transaction_id = given.transaction_id ?? world.nextUuid('transaction', account.owner);
  const grant = tables.grants.put({
    id: world.nextId('grant', account.owner),
    seq: world.nextSeq(),
    owner: account.owner,
    created_at: now,
    customer_id: account.customer_id,
    account_id: account.account_id,
    asset: account.asset,
    purpose: given.purpose,
    amount: format(given.amount),
    remaining: format(remaining),
    repaid: format(subtract(given.amount, remaining)),
    effective_at: now,
    expires_at: given.expires_at ?? null,
    transaction_id,
    source: given.source,
    ...(given.revenue_basis !== undefined && { revenue_basis: given.revenue_basis }),
    ...(given.entitlement && { entitlement: given.entitlement }),
  });
  const postings: Posting[] = [
    {
      from: given.from,
      to: 'wallet',
      amount: grant.amount,
      grant_id: grant.id,
      ...(given.expires_at && { expires_at: given.expires_at }),
    },
  ];
  const transaction = post(context, current, given.amount, postings, { ...given, transaction_id });
  return { transaction, grant, draws: [] };
}

/** Takes an amount out of an account, from grants in draw-down order and the rest as debt. @assumes */
export function debit(context: Context, account: WalletAccountRow, taken: Debit): Movement {
  const { tables } = context;
  const current = tables.wallet_accounts.get(account.id) as WalletAccountRow;
  const listed = tables.grants.list('open', account.id);
  const open = taken.paidFirst ? listed.toSorted((a, b) => paidRank(a) - paidRank(b)) : listed;
  const { draws, uncovered } = draw(taken.amount, open, (grant) => decimal(grant.remaining));
  const postings: Posting[] = draws.map(({ grant, amount }) => {
    tables.grants.put({ ...grant, remaining: format(subtract(decimal(grant.remaining), amount)) });
    return { from: 'wallet', to: taken.to, amount: format(amount), grant_id: grant.id };
  });
  if (!isZero(uncovered))
    postings.push({ from: 'wallet', to: taken.to, amount: format(uncovered) });
  const transaction = post(context, current, negate(taken.amount), postings, taken);
  return { transaction, draws };
}

/** Takes what is left of a grant out of its account. Nothing happens to a grant that is used up. @assumes A-706 */
export function expireGrant(context: Context, grant: GrantRow): TransactionRow | undefined {
  const { tables } = context;
  const remaining = decimal(grant.remaining);
  if (!isPositive(remaining)) return undefined;
  const account = tables.wallet_accounts.get(
    key(grant.customer_id, grant.account_id),
  ) as WalletAccountRow;
  tables.grants.put({ ...grant, remaining: '0' });
  const postings: Posting[] = [
    { from: 'wallet', to: 'breakage', amount: grant.remaining, grant_id: grant.id },
  ];
  return post(context, account, negate(remaining), postings, { type: 'expiry' });
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
  const transaction_id = notes.transaction_id ?? world.nextUuid('transaction', account.owner);
  return tables.transactions.put(
    withNotes(notes, {
      id: key(account.customer_id, transaction_id),
      seq: world.nextSeq(),
      owner: account.owner,
      created_at: now,
      transaction_id,
      type: notes.type,
      customer_id: account.customer_id,
      account_id: account.account_id,
      asset: account.asset,
      amount: format(gained),
      balance_after: available,
      postings,
    }),
  );
}

const NOTES = [
  'reason',
  'subject',
  'description',
  'metadata',
  'event_id',
  'fee_id',
  'top_up_id',
  'content',
] as const;

/** The row with what was noted, written into it as rows are many and most notes are absent. */
function withNotes(notes: TransactionNotes, row: TransactionRow): TransactionRow {
  const noted: Record<string, unknown> = row as never;
  for (const name of NOTES) if (notes[name] !== undefined) noted[name] = notes[name];
  return row;
}

const paidRank = (grant: GrantRow): number => (grant.purpose === 'paid' ? 0 : 1);
