import {
  add,
  type Decimal,
  type DecimalText,
  decimal,
  format,
  isEqual,
  isZero,
  negate,
  subtract,
  sum,
  ZERO,
} from '../../domain/decimal.ts';
import { omitNullish } from '../../domain/fields.ts';
import { draw, revenueOfDraw } from '../../domain/grants.ts';
import { dayOf, type Instant } from '../../domain/instant.ts';
import { InternPool } from '../../store/intern-pool.ts';
import type {
  BookAccount,
  GrantRow,
  Posting,
  TransactionRow,
  TransactionSource,
  WalletAccountRow,
} from '../../store/records.ts';
import { key, uuidKey } from '../../store/schema.ts';
import type { WorldLocal } from '../../store/world-local.ts';
import type { Context } from '../context.ts';
import { recordRevenue, reportingValue, valuationOf } from '../revenue/revenue.ts';
import { watchBalance } from '../wallet-accounts.ts';

/** The fields of a transaction besides its postings. */
export interface TransactionNotes {
  /** The caller's id; by default a new one. */
  readonly transaction_id?: string;
  readonly source: TransactionSource;
  readonly reason?: string;
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly event_id?: string;
  readonly fee_id?: string;
  readonly top_up_id?: string;
  readonly requested_at?: Instant;
  readonly content?: string;
}

/** Stores a transaction of an account; `balance_after` is the balance after it. */
export function recordTransaction(
  context: Context,
  account: WalletAccountRow,
  postings: readonly Posting[],
  balance_after: DecimalText,
  notes: TransactionNotes,
): TransactionRow {
  const { tables, world, now } = context;
  // The revenue of a fee is already counted with its event.
  if (notes.fee_id === undefined) countRevenue(context, account.customer_id, postings);
  const transaction_id = notes.transaction_id ?? world.nextUuid('transaction', account.owner);
  const { reason, subject, description, metadata, event_id, fee_id, top_up_id } = notes;
  const { requested_at, content } = notes;
  return tables.transactions.put({
    id: uuidKey(account.customer_id, transaction_id),
    seq: world.nextSeq(),
    owner: account.owner,
    created_at: now,
    transaction_id,
    source: notes.source,
    customer_id: account.customer_id,
    account_id: account.account_id,
    asset: account.asset,
    balance_after,
    postings,
    // Separate spreads save memory: each reserves space in the object for one more field.
    ...omitNullish({ reason, subject, description, metadata }),
    ...omitNullish({ event_id, fee_id, top_up_id }),
    ...omitNullish({ requested_at, content }),
  });
}

/** The revenue of a transaction as text; a single posting shares its text. */
export function revenueText(transaction: Pick<TransactionRow, 'postings'>): DecimalText {
  const [first, ...others] = transaction.postings;
  return others.length === 0 ? (first?.revenue ?? '0') : format(revenueOf(transaction));
}

/** The revenue of a transaction. @units the reporting currency */
const revenueOf = ({ postings }: Pick<TransactionRow, 'postings'>): Decimal =>
  sum(postings.map(({ revenue = '0' }) => decimal(revenue)));

function countRevenue(context: Context, customerId: string, postings: readonly Posting[]): void {
  const revenue = revenueOf({ postings });
  if (!isZero(revenue)) recordRevenue(context, customerId, dayOf(context.now), revenue, ZERO);
}

export interface Debit extends TransactionNotes {
  readonly amount: Decimal;
  readonly to: BookAccount;
  /** The grants to draw from before debt; by default all open grants in draw-down order. */
  readonly grants?: readonly GrantRow[];
  /** The time whose rate values the resulting debt; by default now. */
  readonly occurred_at?: Instant;
}

/** An account and the total debited so far. */
interface Balance {
  readonly account: WalletAccountRow;
  taken: Decimal;
  available: Decimal;
}

/** A grant and its rest after the debits. */
interface Remainder {
  readonly grant: GrantRow;
  left: Decimal;
}

type Postings = readonly Posting[];

/** Shared postings of debits that one grant covered; fees of a fixed price repeat them. */
const POSTINGS: WorldLocal<InternPool<Postings>> = {
  name: 'postings',
  open: () => new InternPool(1_000),
};

/**
 * The debits of one commit. Each sees the balances that earlier debits left. Accounts and grants are written once,
 * at the end; nothing else must write them before.
 */
export class Debits {
  readonly #balances = new Map<string, Balance>();
  readonly #remainders = new Map<string, Remainder>();

  constructor(private readonly context: Context) {}

  available(accountId: string): DecimalText {
    const balance = this.#balances.get(accountId);
    if (balance) return format(balance.available);
    return this.context.tables.wallet_accounts.get(accountId)?.available ?? '0';
  }

  /** Debits an amount from an account: from grants, the rest as debt. @assumes */
  take(account: WalletAccountRow, debit: Debit): TransactionRow {
    const { amount, to } = debit;
    const balance = this.#balanceOf(account);
    const grants = debit.grants ?? this.context.tables.grants.sorted('open', account.id);
    const { draws, uncovered } = draw(amount, grants, (grant) => this.#remainderOf(grant).left);
    const postings = draws.map((each) => this.#takeFrom(each.grant, each.amount, to));
    if (!isZero(uncovered)) postings.push(owe(this.context, account, uncovered, debit));
    balance.taken = add(balance.taken, amount);
    balance.available = subtract(balance.available, amount);
    const shared = this.#shared(postings);
    return recordTransaction(this.context, account, shared, format(balance.available), debit);
  }

  /** Returns equal postings of an earlier debit, to save memory, if one grant covered the debit. */
  #shared(postings: Postings): Postings {
    const [posting, second] = postings;
    if (posting?.grant_id === undefined || second) return postings;
    const { grant_id, to, amount, revenue = '' } = posting;
    return this.context.world.local(POSTINGS).intern(key(grant_id, to, amount, revenue), postings);
  }

  /** Writes the changes of all debits. */
  write(): void {
    const { grants, wallet_accounts } = this.context.tables;
    for (const { grant, left } of this.#remainders.values())
      grants.put({ ...grant, remaining: format(left) });
    for (const { account, taken, available } of this.#balances.values()) {
      const lowered = wallet_accounts.put({ ...account, available: format(available) });
      watchBalance(this.context, lowered, negate(taken));
    }
  }

  #balanceOf({ id }: WalletAccountRow): Balance {
    const known = this.#balances.get(id);
    if (known) return known;
    const account = this.context.tables.wallet_accounts.get(id) as WalletAccountRow;
    const balance = { account, taken: ZERO, available: decimal(account.available) };
    this.#balances.set(id, balance);
    return balance;
  }

  #remainderOf(grant: GrantRow): Remainder {
    const known = this.#remainders.get(grant.id);
    if (known) return known;
    const remainder = { grant, left: decimal(grant.remaining) };
    this.#remainders.set(grant.id, remainder);
    return remainder;
  }

  /** Takes an amount from a grant and calculates its revenue. @assumes */
  #takeFrom(grant: GrantRow, taken: Decimal, to: BookAccount): Posting {
    const remainder = this.#remainderOf(grant);
    const before = remainder.left;
    remainder.left = subtract(before, taken);
    const counted = revenueOfDraw(grant, before, remainder.left, to);
    const [amount, grant_id] = [format(taken), grant.id];
    if (isZero(counted)) return { from: 'wallet', to, amount, grant_id };
    const revenue = isEqual(counted, taken) ? amount : format(counted);
    return { from: 'wallet', to, amount, grant_id, revenue };
  }
}

/** Creates debt. Debt from usage or a charge counts as revenue immediately. @assumes */
function owe(
  context: Context,
  { asset }: WalletAccountRow,
  amount: Decimal,
  { to, occurred_at = context.now }: Debit,
): Posting {
  const posting: Posting = { from: 'wallet', to, amount: format(amount) };
  if (to !== 'revenue') return posting;
  const counted = reportingValue(context, asset, amount, occurred_at);
  if (isZero(counted)) return posting;
  const revenue = format(counted);
  if (asset === context.settings.reporting_currency)
    return { from: 'wallet', to, amount: posting.amount, revenue };
  const valuation = valuationOf(context, asset, occurred_at);
  return { ...posting, revenue, ...(valuation && { valuation }) };
}
