import { groupBy } from '../../../domain/collections.ts';
import { gainText } from '../../../domain/postings.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { singularOf, wordsOf } from '../../../store/record-changes.ts';
import type {
  EventRow,
  FeePaymentRow,
  GrantRow,
  ProductRow,
  TopUpRow,
  TransactionRow,
} from '../../../store/records.ts';
import { type Change, mergeChanges } from '../../../store/row.ts';
import { jsonIn } from '../../../text/exact-json.ts';
import { Amount, type AmountProps, sumsByAsset } from '../../amount.tsx';
import { TableSection } from '../../data-table.tsx';
import { numberText, shortName } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { RequestLink } from './request-link.tsx';

/** Tables whose changes follow from those of other tables. */
const FOLLOWING = new Set(['wallet_accounts', 'deliveries', 'tasks', 'links', 'grants']);

const AMOUNTS: Readonly<Record<string, (row: never) => readonly AmountProps[]>> = {
  events: ({ owner, fees }: EventRow) =>
    fees.map(({ amount, terms }) => ({ owner, amount, asset: terms.currency })),
  fee_payments: amountPaid,
  grants: ({ owner, amount, asset }: GrantRow) => [{ owner, amount, asset }],
  top_ups: amountPaid,
  transactions: (row: TransactionRow) => [
    { owner: row.owner, amount: gainText(row), asset: row.asset, isSigned: true },
  ],
};

function amountPaid({ owner, amount, currency }: FeePaymentRow | TopUpRow): AmountProps[] {
  return [{ owner, amount, asset: currency }];
}

interface EffectProps {
  readonly exchange: Exchange;
  /** The name of the customer that it concerns, if that is shown. */
  readonly of?: string | undefined;
  /** What stands before the words, if there are any. */
  readonly before?: string;
}

/** Says what a request did, such as `3 usage events, $3.00`, or why it was refused. Nothing if it changed nothing. */
export function RequestEffect({ exchange, of, before }: EffectProps) {
  const { text, amounts } = describeEffect(exchange);
  if (text === '') return null;
  return (
    <>
      {before}
      <bdi>{of === undefined ? text : `${text} of ${shortName(of)}`}</bdi>
      {amounts.map((each) => [', ', <Amount key={each.asset} {...each} />])}
    </>
  );
}

/** What a request did in words, with the amounts that it moved. */
function describeEffect(exchange: Exchange) {
  const { status, fault } = exchange.rawResponse;
  if (status < 400) return changesOf(exchange);
  return { text: fault ? `Fault: ${fault.name}` : rejectionText(exchange), amounts: [] };
}

function changesOf({ changes }: Exchange) {
  const all = mergeChanges(changes);
  const told = all.filter((change) => isListed(change) && !isAside(change));
  // A link is only of interest alone: each payment has one.
  const merged = told.length > 0 ? told : all.filter(({ table }) => table === 'links');
  const isUsage = merged.some(({ table }) => table === 'events');
  const tables = groupBy(
    merged.filter(({ table }) => !isUsage || table !== 'transactions'),
    ({ table }) => table,
  );
  return {
    text: [...tables].flatMap(([table, members]) => tableText(table, members)).join(', '),
    amounts: sumsByAsset(
      [...tables.values()]
        .flat()
        .flatMap(({ table, before, after }) => (before || !after ? [] : amountsOf(table, after))),
    ),
  };
}

/** Whether a change is listed: it is neither derived, nor does it follow from another one. */
export const isListed = ({ table }: Pick<Change, 'table'>): boolean =>
  !wordsOf(table).isDerived && !FOLLOWING.has(table);

/** Whether only the `used` flag of a product changed, which is not of interest. */
export const isAside = ({ table, before, after }: Change): boolean =>
  table === 'products' &&
  before !== undefined &&
  (before as ProductRow).used !== (after as ProductRow | undefined)?.used;

/** How many records of a table were added, changed and removed. */
function tableText(table: string, changes: readonly Change[]): string[] {
  const kinds = groupBy(changes, ({ before, after }) =>
    before === undefined ? '' : after === undefined ? ' removed' : ' changed',
  );
  return [...kinds].map(([kind, { length }]) => `${rowsText(length, table)}${kind}`);
}

/** A count of rows of a table in words. */
export function rowsText(count: number, table: string): string {
  return `${numberText(count)} ${count === 1 ? singularOf(table) : wordsOf(table).words}`;
}

/** The amounts that a row of a table brings. */
export const amountsOf = (table: string, row: object): readonly AmountProps[] =>
  (Object.hasOwn(AMOUNTS, table) && AMOUNTS[table]?.(row as never)) || [];

const MAX_TEXT = 90;

/** The first finding of a rejected request, else what the problem says. */
function rejectionText({ rawResponse }: Exchange): string {
  const problem = (jsonIn(rawResponse.text) ?? {}) as Problem;
  const [[field, [message]] = ['', []]] = Object.entries(problem.errors ?? {});
  const text = message ? `${field}: ${message}` : (problem.detail ?? problem.title ?? '');
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** Only the latest requests are searched. */
const MAX_REQUESTS = 2_000;

const MAX_SHOWN = 20;

/** The requests in the log that created or changed a record, newest first. */
export function RequestsBehind({ table, id }: Record<'table' | 'id', string>) {
  const { control, world } = useRequest();
  const isOf = (change: Change) => change.table === table && change.id === id && !isAside(change);
  return (
    <TableSection
      id="origin"
      title="Caused by requests"
      rows={control.requests
        .list(world)
        .slice(0, MAX_REQUESTS)
        .filter(({ changes }) => changes.some(isOf))}
      most={MAX_SHOWN}
      time={{ of: ({ at }) => at, as: 'request', isDated: true }}
      columns={{
        Request: (exchange) => <RequestLink exchange={exchange} />,
        'What it did': (exchange) => <RequestEffect exchange={exchange} />,
      }}
    />
  );
}
