import { mapPresent, omitNullish } from '../domain/fields.ts';
import { instant } from '../domain/instant.ts';
import { INVARIANTS, type Violation } from '../invariants/invariant.ts';
import { recordViolations, verifyIndexes } from '../invariants/violations.ts';
import { customerTitle } from '../resources/customers/customer-lookup.ts';
import { newestFirst } from '../resources/paging.ts';
import { presentTransaction, transactionType } from '../resources/wallets/wallets.ts';
import { readCaptured } from '../store/consistent-reads.ts';
import { ask, type Condition } from '../store/query.ts';
import type { EventRow, FeeRecord, Posting, TransactionRow } from '../store/records.ts';
import { type RecordTables, uuidKey } from '../store/schema.ts';
import { runTimeSliced } from '../store/time-sliced.ts';
import { wireNumber } from '../text/exact-json.ts';
import type { ControlCall, ControlContext, ControlHandler } from './context.ts';
import { customerNamed, findEvent, findFee, isVisible, whoseRows } from './scope.ts';

export const listLedgerTransactions: ControlHandler<'listLedgerTransactions'> = async (
  call,
  context,
) => {
  const query = withCustomerId(call.query, context);
  const { customer_id } = query;
  return ask(
    context.world.tables.transactions,
    {
      where: customer_id === undefined ? whoseRows(context) : { customer_id },
      among: await fewOf(query, context),
      fits: conditionsOf(query),
      facet: isOfWholeParts(query) ? sourceAndAccount : undefined,
    },
    (found) => ({
      status: 200 as const,
      body: newestFirst(found, query, (row) => ({
        ...presentLedgerTransaction(row),
        ...customerOf(context, row.customer_id),
      })),
    }),
  );
};

/** Verifies the state of the world when the call begins. */
export const verifyLedger: ControlHandler<'verifyLedger'> = async (_call, context) => {
  const { world } = context;
  const staleIndexes = await runTimeSliced(verifyIndexes(world.tables));
  const body = await readCaptured(world, (tables) => verifying(tables, staleIndexes, context));
  return { status: 200, body };
};

function* verifying(
  tables: RecordTables,
  staleIndexes: readonly Violation[],
  context: ControlContext,
) {
  const violations = [...staleIndexes, ...(yield* recordViolations(tables))];
  const { transactions, wallet_accounts, grants, events } = tables;
  const sums = [tables.totals, tables.vendor_days, tables.tasks];
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
    findings: violations.slice(0, MAX_FINDINGS).map((violation) => ({
      ...violation,
      ...customerOf(context, violation.customer_id),
      about: INVARIANTS[violation.invariant],
    })),
  };
}

/** The customer of a transaction or finding by name and external id, if there is one. */
function customerOf({ world }: ControlContext, id = ''): { customer?: string } {
  const row = world.tables.customers.get(id);
  return row ? { customer: customerTitle(row) } : {};
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

/** What the other filters look at: the id of an account contains its asset. */
const sourceAndAccount = ({ account_id, source }: TransactionRow) => `${source} ${account_id}`;

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
async function fewOf(
  query: Query,
  context: ControlContext,
): Promise<readonly TransactionRow[] | undefined> {
  if (query.fee_id !== undefined) {
    const found = await findFee(context, query.fee_id);
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
    ...omitNullish({ reason, subject, event_id, fee_id, top_up_id }),
    postings: row.postings.map(presentPosting),
  };
}

export function presentPosting({ from, to, amount, grant_id }: Posting) {
  return { from, to, amount: wireNumber(amount), ...(grant_id !== undefined && { grant_id }) };
}
