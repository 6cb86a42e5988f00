import { add, type Decimal, decimal, format, subtract, sum, ZERO } from '../domain/decimal.ts';
import { given } from '../domain/given.ts';
import { instant } from '../domain/instant.ts';
import { newestFirst } from '../resources/paging.ts';
import { presentTransaction, transactionType } from '../resources/wallets/wallets.ts';
import { type ReadableTables, readCaptured } from '../state/captured-tables.ts';
import { verifyFees } from '../state/laws/fee-laws.ts';
import { verifyHoldings } from '../state/laws/holding-laws.ts';
import {
  type Breach,
  LAWS,
  ledgerBreaches as verifyTransactions,
} from '../state/laws/ledger-laws.ts';
import { verifyRevenue } from '../state/laws/revenue-laws.ts';
import { verifySums } from '../state/laws/totals-laws.ts';
import type { BookAccount, Posting, TransactionRow } from '../state/records.ts';
import { type Resumable, runToEnd } from '../state/resumable.ts';
import { key } from '../state/schema.ts';
import { wireNumber } from '../text/exact-json.ts';
import type { ControlCall, ControlContext, ControlHandler } from './context.ts';
import { rowsInScope } from './scope.ts';

export const listLedgerTransactions: ControlHandler<'listLedgerTransactions'> = (
  { query },
  context,
) => {
  const conditions = conditionsOf(query);
  const among = candidates(query, context);
  const found =
    conditions.length === 0
      ? among
      : among.filter((row) => conditions.every((isMet) => isMet(row)));
  return { status: 200, body: newestFirst(found, query, presentLedgerTransaction) };
};

export const getTrialBalance: ControlHandler<'getTrialBalance'> = (_call, context) => ({
  status: 200,
  body: { items: trialBalance(context).map(presentLine) },
});

/** Judges what the world holds as it begins. */
export const verifyLedger: ControlHandler<'verifyLedger'> = async (_call, { world }) => ({
  status: 200,
  body: await readCaptured(world, verifying),
});

function* verifying(tables: ReadableTables) {
  const breaches = yield* findingBreaches(tables);
  const { transactions, wallet_accounts, grants, events } = tables;
  const sums = [tables.totals, tables.daily_totals, tables.vendor_days, tables.tasks];
  return {
    sound: breaches.length === 0,
    checked: {
      transactions: transactions.size,
      wallet_accounts: wallet_accounts.size,
      grants: grants.size,
      events: events.size,
      sums: sums.reduce((total, table) => total + table.size, 0),
    },
    finding_count: breaches.length,
    findings: breaches
      .slice(0, MOST_FINDINGS)
      .map((breach) => ({ ...breach, about: LAWS[breach.law] })),
  };
}

/** Everything in a world that does not agree with its own records. */
export const findBreaches = (tables: ReadableTables): Breach[] => runToEnd(findingBreaches(tables));

/** The same bit by bit, for tables that nothing changes meanwhile. */
export function* findingBreaches(tables: ReadableTables): Resumable<Breach[]> {
  const transactions = yield* verifyTransactions(tables);
  const fees = yield* verifyFees(tables);
  const revenue = yield* verifyRevenue(tables);
  const holdings = yield* verifyHoldings(tables);
  const sums = yield* verifySums(tables);
  return [...transactions, ...fees, ...revenue, ...holdings, ...sums];
}

const MOST_FINDINGS = 1_000;

type Query = ControlCall<'listLedgerTransactions'>['query'];
type Condition = (row: TransactionRow) => boolean;

function conditionsOf({
  customer_id,
  asset,
  type,
  source,
  event_id,
  fee_id,
  ...query
}: Query): Condition[] {
  const account = query.account_id?.toLowerCase();
  const code = asset?.toUpperCase();
  const event = event_id?.toLowerCase();
  const from = query.from === undefined ? undefined : instant(query.from);
  const to = query.to === undefined ? undefined : instant(query.to);
  const conditions: (Condition | false)[] = [
    customer_id !== undefined && ((row) => row.customer_id === customer_id),
    account !== undefined && ((row) => row.account_id.toLowerCase() === account),
    code !== undefined && ((row) => row.asset === code),
    type !== undefined && ((row) => transactionType(row) === type),
    source !== undefined && ((row) => row.source === source),
    event !== undefined && ((row) => row.event_id?.toLowerCase() === event),
    fee_id !== undefined && ((row) => row.fee_id === fee_id),
    from !== undefined && ((row) => row.created_at >= from),
    to !== undefined && ((row) => row.created_at <= to),
  ];
  return conditions.filter((condition) => condition !== false);
}

/** The fewest transactions, oldest first, among which all that the query asks for are. */
function candidates(query: Query, context: ControlContext): readonly TransactionRow[] {
  const { world, owner } = context;
  const { customers, transactions } = world.tables;
  const customer = customers.get(query.customer_id ?? '');
  if (customer)
    return owner === world.accountId || customer.owner === owner
      ? transactions.list('customer', customer.id)
      : [];
  return rowsInScope(context, transactions);
}

function presentLedgerTransaction(row: TransactionRow) {
  const { owner, customer_id, source, reason, subject, event_id, fee_id, top_up_id } = row;
  return {
    ...presentTransaction(row),
    owner,
    customer_id,
    source,
    balance_after: wireNumber(row.balance_after),
    ...given({ reason, subject, event_id, fee_id, top_up_id }),
    postings: row.postings.map(presentPosting),
  };
}

export function presentPosting({ from, to, amount, grant_id }: Posting) {
  return { from, to, amount: wireNumber(amount), ...(grant_id !== undefined && { grant_id }) };
}

interface TrialBalanceLine extends Record<BookAccount, Decimal> {
  readonly owner: string;
  readonly asset: string;
  wallets: Decimal;
}

/** What wallets have, by their balances, and what counter-accounts have, by the postings. */
function trialBalance(context: ControlContext): TrialBalanceLine[] {
  const { world, owner } = context;
  const { wallet_accounts, transactions } = world.tables;
  const lines = new Map<string, TrialBalanceLine>();
  const lineOf = (row: { readonly owner: string; readonly asset: string }) => {
    const line = lines.get(key(row.owner, row.asset)) ?? emptyLine(row.owner, row.asset);
    lines.set(key(row.owner, row.asset), line);
    return line;
  };
  for (const account of wallet_accounts.values()) {
    const line = lineOf(account);
    line.wallets = add(line.wallets, decimal(account.available));
  }
  for (const transaction of transactions.values()) {
    const line = lineOf(transaction);
    for (const { from, to, amount } of transaction.postings) {
      if (from !== 'wallet') line[from] = subtract(line[from], decimal(amount));
      if (to !== 'wallet') line[to] = add(line[to], decimal(amount));
    }
  }
  const rank = (line: TrialBalanceLine) => (line.owner === world.accountId ? '' : line.owner);
  return [...lines.values()]
    .filter((line) => owner === world.accountId || line.owner === owner)
    .sort((a, b) => compareText(rank(a), rank(b)) || compareText(a.asset, b.asset));
}

function emptyLine(owner: string, asset: string): TrialBalanceLine {
  const none = { wallets: ZERO, external: ZERO, promotions: ZERO, revenue: ZERO, breakage: ZERO };
  return { owner, asset, ...none };
}

function presentLine({
  owner,
  asset,
  wallets,
  external,
  promotions,
  revenue,
  breakage,
}: TrialBalanceLine) {
  const exact = (value: Decimal) => wireNumber(format(value));
  return {
    owner,
    asset,
    wallets: exact(wallets),
    external: exact(external),
    promotions: exact(promotions),
    revenue: exact(revenue),
    breakage: exact(breakage),
    sum: exact(sum([wallets, external, promotions, revenue, breakage])),
  };
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
