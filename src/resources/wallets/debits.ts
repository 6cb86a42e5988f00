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
  ZERO,
} from '../../domain/decimal.ts';
import { draw, revenueOfDraw } from '../../domain/grants.ts';
import type { Instant } from '../../domain/instant.ts';
import { InternPool } from '../../store/intern-pool.ts';
import type {
  BookAccount,
  GrantRow,
  Posting,
  TransactionRow,
  WalletAccountRow,
} from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import type { WorldLocal } from '../../store/world-local.ts';
import type { Context } from '../context.ts';
import { reportingValue, valuationOf } from '../revenue/revenue.ts';
import { watchBalance } from '../wallet-accounts.ts';
import { recordTransaction, type TransactionNotes } from './transactions.ts';

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
    const grants = debit.grants ?? this.context.tables.grants.list('open', account.id);
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
