import { type Decimal, format, sum, ZERO } from '../domain/decimal.ts';
import { given, mapPresent } from '../domain/given.ts';
import { instant } from '../domain/instant.ts';
import { verifyIndexes } from '../invariants/indexes.ts';
import { INVARIANTS, type Violation } from '../invariants/invariant.ts';
import { findingViolations } from '../invariants/violations.ts';
import { newestFirst } from '../resources/paging.ts';
import { presentTransaction, transactionType } from '../resources/wallets/wallets.ts';
import { type ReadableTables, readCaptured } from '../store/captured-tables.ts';
import type { Sums } from '../store/indexes/row-index.ts';
import { ask } from '../store/query/ask.ts';
import { FACETS } from '../store/query/facets.ts';
import type { Condition } from '../store/query/query.ts';
import type { EventRow, FeeRecord, Posting, TransactionRow } from '../store/records.ts';
import { uuidKey } from '../store/schema.ts';
import { isTimeSliced, runTimeSliced, type TimeSliced } from '../store/time-sliced.ts';
import { wireNumber } from '../text/exact-json.ts';
import type { ControlCall, ControlContext, ControlHandler } from './context.ts';
import { findEvent, findFee } from './explain/find-usage.ts';
import { customerNamed, isVisible } from './scope.ts';

export const listLedgerTransactions: ControlHandler<'listLedgerTransactions'> = async (
  call,
  context,
) => {
  const query = withCustomerId(call.query, context);
  const { owner, world } = context;
  const { customer_id } = query;
  const whose = owner === world.accountId ? {} : { owner };
  const reply = ask(
    world.tables.transactions,
    {
      where: customer_id === undefined ? whose : { customer_id },
      among: await runTimeSliced(fewOf(query, context)),
      fits: conditionsOf(query),
      facet: isOfWholeParts(query) ? FACETS.transaction : undefined,
    },
    (found) => ({
      status: 200 as const,
      body: newestFirst(found, query, presentLedgerTransaction),
    }),
  );
  return isTimeSliced(reply) ? runTimeSliced(reply) : reply;
};

/** Verifies the state of the world when the call begins. */
export const verifyLedger: ControlHandler<'verifyLedger'> = async (_call, context) => {
  const { world } = context;
  const staleIndexes = await runTimeSliced(verifyIndexes(world.tables));
  const trial_balance = trialBalance(context).map(presentLine);
  const report = await readCaptured(world, (tables) => verifying(tables, staleIndexes));
  return { status: 200, body: { ...report, trial_balance } };
};

function* verifying(tables: ReadableTables, staleIndexes: readonly Violation[]) {
  const violations = [...staleIndexes, ...(yield* findingViolations(tables))];
  const { transactions, wallet_accounts, grants, events } = tables;
  const sums = [tables.totals, tables.daily_totals, tables.vendor_days, tables.tasks];
  return {
    sound: violations.length === 0,
    checked: {
      transactions: transactions.size,
      wallet_accounts: wallet_accounts.size,
      grants: grants.size,
      events: events.size,
      sums: sums.reduce((total, table) => total + table.size, 0),
    },
    finding_count: violations.length,
    findings: violations
      .slice(0, MAX_FINDINGS)
      .map((violation) => ({ ...violation, about: INVARIANTS[violation.invariant] })),
  };
}

const MAX_FINDINGS = 1_000;

type Query = ControlCall<'listLedgerTransactions'>['query'];

/** The query with the id of a customer that it names by an external id. */
function withCustomerId(query: Query, context: ControlContext): Query {
  if (query.customer_id === undefined) return query;
  const customer = customerNamed(context, query.customer_id);
  return customer ? { ...query, customer_id: customer.id } : query;
}

/** Whether the filters, apart from the customer, select whole groups of transactions. */
const isOfWholeParts = ({ event_id, fee_id, from, to }: Query): boolean =>
  [event_id, fee_id, from, to].every((each) => each === undefined);

function conditionsOf(query: Query): Condition<TransactionRow>[] {
  const { type, source, fee_id } = query;
  const account = query.account_id?.toLowerCase();
  const code = query.asset?.toUpperCase();
  const event = query.event_id?.toLowerCase();
  const { from, to } = mapPresent(query, ['from', 'to'], instant);
  const conditions: (Condition<TransactionRow> | false)[] = [
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

/** The few transactions of a fee, an event or a customer that is not seen; undefined if the query names none. */
function* fewOf(
  query: Query,
  context: ControlContext,
): TimeSliced<readonly TransactionRow[] | undefined> {
  if (query.fee_id !== undefined) {
    const found = yield* findFee(context, query.fee_id);
    return found ? transactionsOf(found.event, [found.fee], context) : [];
  }
  if (query.event_id !== undefined) {
    const event = findEvent(context, query.event_id);
    return event ? transactionsOf(event, event.fees, context) : [];
  }
  if (query.customer_id === undefined) return undefined;
  const customer = context.world.tables.customers.get(query.customer_id);
  return customer && isVisible(context, customer) ? undefined : [];
}

function transactionsOf(
  { customer_id }: EventRow,
  fees: readonly FeeRecord[],
  { world }: ControlContext,
): TransactionRow[] {
  return fees.flatMap(({ transaction_id }) => {
    const row = world.tables.transactions.get(uuidKey(customer_id, transaction_id ?? ''));
    return row ?? [];
  });
}

export function presentLedgerTransaction(row: TransactionRow) {
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

type TrialBalanceLine = readonly [owner: string, asset: string, sums: Sums];

/** The sums of wallets, by their balances, and of counter-accounts, by the postings. */
function trialBalance(context: ControlContext): TrialBalanceLine[] {
  const { accountId, tables } = context.world;
  const [wallets, books] = [
    tables.wallet_accounts.sums('balances'),
    tables.transactions.sums('books'),
  ];
  const orderOf = ([owner, asset]: TrialBalanceLine) =>
    `${owner === accountId ? '' : owner}\n${asset}`;
  return [...new Set([...wallets.keys(), ...books.keys()])]
    .map((place): TrialBalanceLine => {
      const [owner, asset] = place.split('\n') as [string, string];
      return [owner, asset, new Map([...(books.get(place) ?? []), ...(wallets.get(place) ?? [])])];
    })
    .filter(([owner]) => isVisible(context, { owner }))
    .sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
}

const BOOKS = ['wallets', 'external', 'promotions', 'revenue', 'breakage'] as const;
type Book = (typeof BOOKS)[number];

function presentLine([owner, asset, sums]: TrialBalanceLine) {
  const exact = (value: Decimal) => wireNumber(format(value));
  const amountIn = (book: Book) => sums.get(book) ?? ZERO;
  const shown = BOOKS.map((book) => [book, exact(amountIn(book))] as const);
  const books = Object.fromEntries(shown) as Readonly<Record<Book, number>>;
  return { owner, asset, ...books, sum: exact(sum(BOOKS.map(amountIn))) };
}
