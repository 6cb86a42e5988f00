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
} from '../domain/decimal.ts';
import { gainOf } from '../domain/postings.ts';
import type { GrantRow, TransactionRow, WalletAccountRow } from '../store/records.ts';
import { key, type RecordTables } from '../store/schema.ts';
import { inOrderOfCreation, type TimeSliced } from '../store/time-sliced.ts';
import { differing, findInEach, type Invariant, type Violation } from './invariant.ts';

/** The history of a grant by its postings. */
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
export function* ledgerViolations(tables: RecordTables): TimeSliced<Violation[]> {
  const replay: Replay = { balances: new Map(), grants: new Map() };
  const left = new Map<string, Decimal>();
  const transactions = yield* inOrderOfCreation(tables.transactions.values());
  return [
    ...(yield* findInEach(transactions, (transaction) => [
      ...validatePostings(transaction),
      ...validateRepayment(tables, transaction, replay),
      ...replayTransaction(transaction, replay),
    ])),
    ...(yield* findInEach(tables.grants.values(), (grant) => {
      const account = key(grant.customer_id, grant.account_id);
      left.set(account, add(left.get(account) ?? ZERO, decimal(grant.remaining)));
      return validateGrant(grant, replay);
    })),
    ...(yield* findInEach(tables.wallet_accounts.values(), (account) => [
      ...validateBalance(account, replay),
      ...validateCover(account, left.get(account.id) ?? ZERO),
    ])),
  ];
}

/** What is wrong with the postings of one transaction by themselves. */
function validatePostings(transaction: TransactionRow): Violation[] {
  const { postings, customer_id, transaction_id: id } = transaction;
  const strange = postings.filter(
    ({ from, to, amount }) =>
      !isPositive(decimal(amount)) || (from === 'wallet') === (to === 'wallet'),
  );
  return strange.map((posting) => ({
    invariant: 'transaction_balanced',
    id,
    customer_id,
    message: `Expected a positive amount in or out of the wallet, got ${JSON.stringify(posting)}.`,
  }));
}

/** Whether the stored amounts of a grant are within bounds. */
function validateBounds(grant: GrantRow): Violation[] {
  const { amount, remaining, repaid } = grant;
  const isWithin = (value: Decimal) => !isNegative(value) && compare(value, decimal(amount)) <= 0;
  if (isWithin(decimal(remaining)) && isWithin(decimal(repaid))) return [];
  const got = `${remaining} left and ${repaid} repaid`;
  return differing('grant_not_overdrawn', grant, `from 0 to ${amount}`, got);
}

/** Whether an account has what its grants have left or, without any, a debt. */
function validateCover(account: WalletAccountRow, left: Decimal): Violation[] {
  const available = decimal(account.available);
  const isCovered = isZero(left) ? !isPositive(available) : compare(left, available) === 0;
  return isCovered ? [] : validateAvailable('available_covered', account, format(left));
}

function validateRepayment(
  tables: RecordTables,
  { customer_id, account_id, postings }: TransactionRow,
  { balances }: Replay,
): Violation[] {
  const balance = balances.get(key(customer_id, account_id)) ?? ZERO;
  const debt = isNegative(balance) ? negate(balance) : ZERO;
  return postings.flatMap(({ from, grant_id, amount }): Violation[] => {
    if (from === 'wallet') return [];
    const grant = tables.grants.get(grant_id ?? '');
    const repaid = format(minimum(debt, decimal(amount)));
    const place = { id: grant_id ?? '', customer_id };
    return differing('debt_repaid_first', place, repaid, grant?.repaid ?? 'no grant');
  });
}

function replayTransaction(transaction: TransactionRow, { balances, grants }: Replay): Violation[] {
  const { customer_id, account_id, transaction_id: id, postings, balance_after } = transaction;
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
  return differing('balance_replayed', { id, customer_id }, format(balance), balance_after);
}

const validateBalance = (account: WalletAccountRow, { balances }: Replay): Violation[] =>
  validateAvailable('balance_replayed', account, format(balances.get(account.id) ?? ZERO));

function validateGrant(grant: GrantRow, { grants }: Replay): Violation[] {
  const { id, repaid, remaining, pending } = grant;
  const amount = pending ? '0' : grant.amount;
  const { given, drawn, expired } = grants.get(id) ?? { given: ZERO, drawn: ZERO, expired: ZERO };
  const gone = add(decimal(repaid), add(drawn, expired));
  const left = subtract(decimal(amount), gone);
  return [
    ...validateBounds(grant),
    ...differing('grant_accounted', grant, format(given), amount, `${amount} given`),
    ...differing('grant_accounted', grant, format(left), remaining, `${remaining} left`),
  ];
}

/** Whether an account has what is due. */
function validateAvailable(
  invariant: Invariant,
  { customer_id, account_id: id, available }: WalletAccountRow,
  due: string,
): Violation[] {
  return differing(invariant, { id, customer_id }, due, available);
}
