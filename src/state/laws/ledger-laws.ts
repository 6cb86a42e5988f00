import {
  add,
  compare,
  type Decimal,
  decimal,
  format,
  isNegative,
  isPositive,
  isZero,
  minimum,
  negate,
  subtract,
  ZERO,
} from '../../domain/decimal.ts';
import { gainOf } from '../../domain/postings.ts';
import type { RecordTables } from '../captured-tables.ts';
import type { GrantRow, Posting, TransactionRow, WalletAccountRow } from '../records.ts';
import { inOrderOfCreation, type Resumable } from '../resumable.ts';
import { key } from '../schema.ts';

/** What must hold in every ledger, and where it does not. */
export const LAWS = {
  transaction_balanced: 'A posting moves a positive amount into the wallet or out of it.',
  balance_replayed: 'A balance is the sum of the postings before it.',
  grant_accounted: 'What a grant has left is its amount less what was repaid, drawn and expired.',
  grant_not_overdrawn: 'No grant gives more than it has.',
  debt_repaid_first: 'A credit repays debt before anything of it is left.',
  draw_valued: 'What is drawn counts what it is worth, and debt its value at a rate.',
  fee_deferred:
    'A collected fee has counted, waits for credit, or went with credit that was given.',
  revenue_complete:
    'Revenue is fees collected less shares carried or given up, and credit and debt counted.',
  available_covered: 'What is available is what grants have left or, without any, minus the debt.',
  id_unique: 'An id is assigned once.',
  fee_posted: 'Each fee has one transaction of its amount, a fee of 0 none.',
  holdings_in_order: 'A subscription held one version after the other, the last of them its own.',
  sum_recounted: 'A stored sum equals its recount.',
  index_complete: 'An index holds the rows of its table, each where it belongs.',
} as const;

export type Law = keyof typeof LAWS;

/** One place where a law does not hold. */
export interface Breach {
  readonly law: Law;
  /** The record: a transaction, a grant, a wallet account, a fee or a sum. */
  readonly id: string;
  readonly customer_id?: string;
  /** What was expected and what is there. */
  readonly message: string;
}

/** What the postings say a grant went through. */
interface GrantHistory {
  given: Decimal;
  drawn: Decimal;
  expired: Decimal;
}

interface Replay {
  readonly balances: Map<string, Decimal>;
  readonly grants: Map<string, GrantHistory>;
}

/**
 * Replays every transaction from the first and compares what it comes to with what is kept.
 *
 * @assumes
 */
export function* ledgerBreaches(tables: RecordTables): Resumable<Breach[]> {
  const replay: Replay = { balances: new Map(), grants: new Map() };
  const transactions = yield* inOrderOfCreation(tables.transactions.values());
  const breaches: Breach[] = [];
  for (const transaction of transactions) {
    breaches.push(
      ...judgePostings(transaction),
      ...judgeRepayment(tables, transaction, replay),
      ...replayTransaction(transaction, replay),
    );
    yield;
  }
  const left = new Map<string, Decimal>();
  for (const grant of tables.grants.values()) {
    const account = key(grant.customer_id, grant.account_id);
    left.set(account, add(left.get(account) ?? ZERO, decimal(grant.remaining)));
    breaches.push(...judgeGrant(grant, replay));
    yield;
  }
  for (const account of tables.wallet_accounts.values()) {
    const covered = judgeCover(account, left.get(account.id) ?? ZERO);
    breaches.push(...judgeBalance(account, replay), ...covered);
    yield;
  }
  return breaches;
}

/** What is wrong with the postings of one transaction by themselves. */
export function judgePostings(transaction: TransactionRow): Breach[] {
  const { postings, customer_id, transaction_id: id } = transaction;
  const strange = postings.filter(
    ({ from, to, amount }) =>
      !isPositive(decimal(amount)) || (from === 'wallet') === (to === 'wallet'),
  );
  return strange.map((posting) => ({
    law: 'transaction_balanced',
    id,
    customer_id,
    message: `Expected a positive amount in or out of the wallet, got ${JSON.stringify(posting)}.`,
  }));
}

/** Whether a grant kept within bounds, by what it says itself. */
export function judgeBounds(grant: GrantRow): Breach[] {
  const { id, customer_id, amount, remaining, repaid } = grant;
  const isWithin = (value: Decimal) => !isNegative(value) && compare(value, decimal(amount)) <= 0;
  const message = `Expected from 0 to ${amount}, got ${remaining} left and ${repaid} repaid.`;
  return isWithin(decimal(remaining)) && isWithin(decimal(repaid))
    ? []
    : [{ law: 'grant_not_overdrawn', id, customer_id, message }];
}

/** Whether an account has what its grants have left or, without any, a debt. */
export function judgeCover(account: WalletAccountRow, left: Decimal): Breach[] {
  const available = decimal(account.available);
  const isCovered = isZero(left) ? !isPositive(available) : compare(left, available) === 0;
  return isCovered ? [] : [accountBreach('available_covered', account, format(left))];
}

function judgeRepayment(
  tables: RecordTables,
  { customer_id, account_id, postings }: TransactionRow,
  { balances }: Replay,
): Breach[] {
  const balance = balances.get(key(customer_id, account_id)) ?? ZERO;
  const debt = isNegative(balance) ? negate(balance) : ZERO;
  return postings.flatMap(({ from, grant_id, amount }): Breach[] => {
    if (from === 'wallet') return [];
    const grant = tables.grants.get(grant_id ?? '');
    const repaid = format(minimum(debt, decimal(amount)));
    if (grant?.repaid === repaid) return [];
    const message = expected(repaid, grant?.repaid ?? 'no grant');
    return [{ law: 'debt_repaid_first', id: grant_id ?? '', customer_id, message }];
  });
}

/** Moves the replay on by one transaction. */
function replayTransaction(transaction: TransactionRow, { balances, grants }: Replay): Breach[] {
  const { customer_id, account_id, postings, balance_after } = transaction;
  const account = key(customer_id, account_id);
  const balance = add(balances.get(account) ?? ZERO, gainOf(transaction));
  balances.set(account, balance);
  for (const { from, to, amount, grant_id } of postings) {
    if (grant_id === undefined) continue;
    const history = grants.get(grant_id) ?? { given: ZERO, drawn: ZERO, expired: ZERO };
    const kind = from !== 'wallet' ? 'given' : to === 'breakage' ? 'expired' : 'drawn';
    history[kind] = add(history[kind], decimal(amount));
    grants.set(grant_id, history);
  }
  if (format(balance) === balance_after) return [];
  const message = expected(format(balance), balance_after);
  return [{ law: 'balance_replayed', id: transaction.transaction_id, customer_id, message }];
}

function judgeBalance(account: WalletAccountRow, { balances }: Replay): Breach[] {
  const balance = format(balances.get(account.id) ?? ZERO);
  return balance === account.available ? [] : [accountBreach('balance_replayed', account, balance)];
}

function judgeGrant(grant: GrantRow, { grants }: Replay): Breach[] {
  const { id, customer_id, repaid, remaining, pending } = grant;
  const amount = pending ? '0' : grant.amount;
  const { given, drawn, expired } = grants.get(id) ?? { given: ZERO, drawn: ZERO, expired: ZERO };
  const gone = add(decimal(repaid), add(drawn, expired));
  const left = format(subtract(decimal(amount), gone));
  const breaches = judgeBounds(grant);
  if (format(given) !== amount)
    breaches.push({
      law: 'grant_accounted',
      id,
      customer_id,
      message: expected(format(given), `${amount} given`),
    });
  if (left !== remaining)
    breaches.push({
      law: 'grant_accounted',
      id,
      customer_id,
      message: expected(left, `${remaining} left`),
    });
  return breaches;
}

function accountBreach(
  law: Law,
  { customer_id, account_id, available }: WalletAccountRow,
  wanted: string,
): Breach {
  return { law, id: account_id, customer_id, message: expected(wanted, available) };
}

export const expected = (wanted: string, got: string): string => `Expected ${wanted}, got ${got}.`;
