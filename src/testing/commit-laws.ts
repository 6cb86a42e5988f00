import { add, decimal, format, ZERO } from '../domain/decimal.ts';
import { judgeHistory } from '../state/holding-laws.ts';
import {
  type Breach,
  expected,
  judgeBounds,
  judgeCover,
  judgePostings,
} from '../state/ledger-laws.ts';
import type {
  GrantRow,
  SubscriptionRow,
  TransactionRow,
  WalletAccountRow,
} from '../state/records.ts';
import { givenOf, judgeDebt, judgeDraw } from '../state/revenue-laws.ts';
import { key, type Tables } from '../state/schema.ts';
import type { Change, Row } from '../state/table.ts';
import type { World } from '../state/world.ts';

/**
 * For tests: judges what one commit changed by the laws of the ledger, at the cost of the change alone.
 *
 * @throws Error where a law is broken, which undoes the commit and fails its request
 */
export function insistOnLaws(changes: readonly Change[], { tables }: World): void {
  const changed = netChanges(changes);
  const breaches = changed.flatMap((change) => judgeChange(change, changed, tables));
  if (breaches.length > 0)
    throw new Error(`A commit breaks the ledger: ${JSON.stringify(breaches)}`);
}

/** Each changed row once, from what it was before the commit to what it is after. */
function netChanges(changes: readonly Change[]): Change[] {
  const net = new Map<string, Change>();
  for (const change of changes) {
    const id = key(change.table, change.id);
    net.set(id, { ...change, before: (net.get(id) ?? change).before });
  }
  return [...net.values()];
}

function judgeChange(change: Change, all: readonly Change[], tables: Tables): Breach[] {
  switch (change.table) {
    case 'transactions':
      return judgeTransaction(change as Change<TransactionRow & Row>);
    case 'grants':
      return change.after ? judgeGrant(change as Change<GrantRow & Row>, all) : [];
    case 'wallet_accounts':
      return change.after
        ? judgeAccount(change as Change<WalletAccountRow & Row>, all, tables)
        : [];
    case 'subscriptions':
      return change.after ? judgeHistory(change.after as SubscriptionRow & Row) : [];
    default:
      return [];
  }
}

/** A transaction is made once and stays as it is. @assumes A-701 */
function judgeTransaction({ id, before, after }: Change<TransactionRow>): Breach[] {
  if (before) return [{ law: 'transaction_balanced', id, message: 'A transaction was changed.' }];
  return after ? [...judgePostings(after), ...judgeDebt(after)] : [];
}

function judgeGrant({ before, after }: Change<GrantRow>, all: readonly Change[]): Breach[] {
  const grant = after as GrantRow;
  const drawn = transactionsOf(all)
    .flatMap(({ postings }) => postings)
    .filter(({ from, grant_id }) => from === 'wallet' && grant_id === grant.id);
  const breaches = judgeBounds(grant);
  const start = before && !before.pending ? decimal(before.remaining) : givenOf(grant);
  let left = grant.pending ? ZERO : start;
  for (const posting of drawn) {
    breaches.push(...judgeDraw(grant, left, posting));
    left = left.minus(posting.amount);
  }
  if (format(left) === grant.remaining) return breaches;
  const message = expected(format(left), grant.remaining);
  return [...breaches, { law: 'grant_accounted', id: grant.id, message }];
}

function judgeAccount(
  { before, after }: Change<WalletAccountRow>,
  all: readonly Change[],
  tables: Tables,
): Breach[] {
  const account = after as WalletAccountRow;
  const balance = transactionsOf(all)
    .filter((row) => key(row.customer_id, row.account_id) === account.id)
    .reduce((total, row) => add(total, decimal(row.amount)), decimal(before?.available ?? '0'));
  if (format(balance) === account.available)
    return judgeCover(account, tables.grants.list('open', account.id));
  const { id, available } = account;
  return [{ law: 'balance_replayed', id, message: expected(format(balance), available) }];
}

function transactionsOf(changes: readonly Change[]): TransactionRow[] {
  return changes
    .filter(({ table }) => table === 'transactions')
    .flatMap(({ after }) => (after ? [after as TransactionRow & Row] : []));
}
