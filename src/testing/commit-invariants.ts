import {
  add,
  type Decimal,
  decimal,
  format,
  negate,
  subtract,
  sum,
  ZERO,
} from '../domain/decimal.ts';
import { gainOf } from '../domain/postings.ts';
import { validateHistory } from '../invariants/holdings.ts';
import { differing, type Violation } from '../invariants/invariant.ts';
import { validateBounds, validateCover, validatePostings } from '../invariants/ledger.ts';
import {
  countedOf,
  givenOf,
  handedOver,
  sharesGiven,
  validateDebt,
  validateDraw,
  validateWaiting,
} from '../invariants/revenue.ts';
import { revenueOf } from '../resources/wallets/transactions.ts';
import { rowsOf } from '../store/query/rows-of.ts';
import type {
  FeePaymentRow,
  GrantRow,
  SubscriptionRow,
  TotalsRow,
  TransactionRow,
  WalletAccountRow,
} from '../store/records.ts';
import type { Change, Row } from '../store/row.ts';
import { key, type TableName, type Tables } from '../store/schema.ts';
import { runToCompletion } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';

/**
 * For tests: checks the ledger invariants on the rows that one commit changed.
 *
 * @throws Error if an invariant is broken, which rolls back the commit and fails its request
 */
export function assertInvariants(changes: readonly Change[], { tables }: World): void {
  const changed = netChanges(changes);
  const violations = [
    ...changed.flatMap((change) => validateChange(change, changed, tables)),
    ...validateFees(changed),
    ...validateDeferrals(changed, tables),
    ...validateRevenue(changed),
  ];
  if (violations.length > 0)
    throw new Error(`A commit breaks the ledger: ${JSON.stringify(violations)}`);
}

/** Returns each changed row once, with its value before and after the commit. */
function netChanges(changes: readonly Change[]): Change[] {
  const net = new Map<string, Change>();
  for (const change of changes) {
    const id = key(change.table, change.id);
    net.set(id, { ...change, before: (net.get(id) ?? change).before });
  }
  return [...net.values()];
}

function validateChange(change: Change, all: readonly Change[], tables: Tables): Violation[] {
  switch (change.table) {
    case 'transactions':
      return validateTransaction(change as Change<TransactionRow & Row>);
    case 'grants':
      return change.after ? validateGrant(change as Change<GrantRow & Row>, all) : [];
    case 'wallet_accounts':
      return change.after
        ? validateAccount(change as Change<WalletAccountRow & Row>, all, tables)
        : [];
    case 'subscriptions':
      return change.after ? validateHistory(change.after as SubscriptionRow & Row) : [];
    default:
      return [];
  }
}

/** A transaction never changes after it is created. @assumes A-701 */
function validateTransaction({ id, before, after }: Change<TransactionRow>): Violation[] {
  if (before)
    return [{ invariant: 'transaction_balanced', id, message: 'A transaction was changed.' }];
  return after ? [...validatePostings(after), ...validateDebt(after)] : [];
}

function validateGrant({ before, after }: Change<GrantRow>, all: readonly Change[]): Violation[] {
  const grant = after as GrantRow;
  const drawn = transactionsOf(all)
    .flatMap(({ postings }) => postings)
    .filter(({ from, grant_id }) => from === 'wallet' && grant_id === grant.id);
  const violations = validateBounds(grant);
  const start = before && !before.pending ? decimal(before.remaining) : givenOf(grant);
  let left = grant.pending ? ZERO : start;
  for (const posting of drawn) {
    violations.push(...validateDraw(grant, left, posting));
    left = subtract(left, decimal(posting.amount));
  }
  return [...violations, ...differing('grant_accounted', grant, format(left), grant.remaining)];
}

/** What collected fees defer to grants equals the shares of the grants made in the commit. @assumes A-903 */
function validateFees(all: readonly Change[]): Violation[] {
  const given = runToCompletion(
    sharesGiven(
      changesOf<GrantRow>(all, 'grants').flatMap(({ before, after }) =>
        after && !before ? [after] : [],
      ),
    ),
  );
  return changesOf<FeePaymentRow>(all, 'fee_payments').flatMap(({ id, before, after }) => {
    const [is, was] = [after, before].map((row) => (row ? handedOver(row) : ZERO));
    const got = subtract(is ?? ZERO, was ?? ZERO);
    return differing('fee_deferred', { id }, format(given.get(id) ?? ZERO), format(got));
  });
}

/** Shares that wait have due work of their subscription, after a change of either. @assumes A-903 */
function validateDeferrals(all: readonly Change[], tables: Tables): Violation[] {
  const changed = changesOf<SubscriptionRow>(all, 'subscriptions').map(({ id }) => id);
  const collected = changesOf<FeePaymentRow>(all, 'fee_payments').map(
    ({ after }) => after?.subscription_id ?? '',
  );
  return [...new Set([...changed, ...collected])].flatMap((id) =>
    rowsOf(tables.fee_payments, { subscription_id: id })
      .filter(({ deferred }) => deferred.length > 0)
      .flatMap((payment) => validateWaiting(payment, tables.subscriptions.get(id))),
  );
}

/** A customer's revenue grows by its new transactions and collected fees. @assumes */
function validateRevenue(all: readonly Change[]): Violation[] {
  const counted = new Map<string, Decimal>();
  const book = (id: string, amount: Decimal) =>
    counted.set(id, add(counted.get(id) ?? ZERO, amount));
  for (const transaction of transactionsOf(all))
    book(transaction.customer_id, revenueOf(transaction));
  for (const { before, after } of changesOf<FeePaymentRow>(all, 'fee_payments')) {
    if (after) book(after.customer_id, countedOf(after));
    if (before) book(before.customer_id, negate(countedOf(before)));
  }
  const grown = new Map(
    changesOf<TotalsRow>(all, 'totals')
      .filter(({ before, after }) => (after ?? before)?.day === undefined)
      .map(({ id, before, after }) => [
        id,
        subtract(decimal(after?.revenue ?? '0'), decimal(before?.revenue ?? '0')),
      ]),
  );
  return [...new Set([...counted.keys(), ...grown.keys()])].flatMap((id) =>
    differing(
      'revenue_complete',
      { id },
      format(counted.get(id) ?? ZERO),
      format(grown.get(id) ?? ZERO),
    ),
  );
}

function validateAccount(
  { before, after }: Change<WalletAccountRow>,
  all: readonly Change[],
  tables: Tables,
): Violation[] {
  const account = after as WalletAccountRow;
  const balance = transactionsOf(all)
    .filter((row) => key(row.customer_id, row.account_id) === account.id)
    .reduce((total, row) => add(total, gainOf(row)), decimal(before?.available ?? '0'));
  const left = tables.grants.list('open', account.id).map(({ remaining }) => decimal(remaining));
  return [
    ...differing('balance_replayed', { id: account.id }, format(balance), account.available),
    ...validateCover(account, sum(left)),
  ];
}

const transactionsOf = (changes: readonly Change[]): TransactionRow[] =>
  changesOf<TransactionRow>(changes, 'transactions').flatMap(({ after }) => after ?? []);

const changesOf = <R extends Row>(changes: readonly Change[], table: TableName): Change<R>[] =>
  changes.filter((change) => change.table === table) as Change<R>[];
