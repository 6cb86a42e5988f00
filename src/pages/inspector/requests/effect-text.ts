import { groupBy } from '../../../domain/lists.ts';
import { gainText } from '../../../domain/postings.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import { wordsOf } from '../../../store/changes/table-words.ts';
import type { EventRow, FeePaymentRow, TopUpRow, TransactionRow } from '../../../store/records.ts';
import { type Change, mergeChanges } from '../../../store/row.ts';
import { type AmountProps, sumsByAsset } from '../../amount.tsx';
import { quantity } from '../../wording.ts';
import type { InspectorRequest } from '../inspector-request.ts';

/** Tables whose changes follow from those of other tables. */
const FOLLOWING = new Set(['wallet_accounts', 'deliveries', 'tasks', 'links', 'grants']);

/** The amounts that the new rows of a table bring. */
const AMOUNTS: Readonly<Record<string, (row: never) => readonly AmountProps[]>> = {
  events: ({ fees }: EventRow) =>
    fees.map(({ amount, terms }) => ({ amount, asset: terms.currency })),
  fee_payments: ({ amount, currency }: FeePaymentRow) => [{ amount, asset: currency }],
  top_ups: ({ amount, currency }: TopUpRow) => [{ amount, asset: currency }],
  transactions: (row: TransactionRow) => [{ amount: gainText(row), asset: row.asset }],
};

/** Says what a request did, such as `3 usage events, $3.00`, or why it was refused. */
export function effectText(request: InspectorRequest, exchange: Exchange): string {
  const { status, fault } = exchange.rawResponse;
  if (status < 400) return changesText(request, exchange);
  return fault ? `Fault: ${fault.name}` : refusalText(exchange);
}

function changesText(request: InspectorRequest, { changes, owner }: Exchange): string {
  const all = mergeChanges(changes);
  const told = all.filter(isTold);
  // A link is only of interest alone: each payment has one.
  const merged = told.length > 0 ? told : all.filter(({ table }) => table === 'links');
  const isUsage = merged.some(({ table }) => table === 'events');
  const tables = groupBy(
    merged.filter(({ table }) => !isUsage || table !== 'transactions'),
    ({ table }) => table,
  );
  const texts = [...tables].flatMap(([table, members]) => tableText(table, members));
  const amounts = [...tables].flatMap(([table, members]) => amountsOf(table, members));
  const context = request.contextOf(owner);
  const sums = sumsByAsset(amounts).map(({ amount, asset }) => quantity(context, amount, asset));
  return [...texts, ...sums].join(', ');
}

/** Whether a change is told of: it is neither derived, nor does it follow from another one. */
export const isTold = ({ table }: Pick<Change, 'table'>): boolean =>
  !wordsOf(table).isDerived && !FOLLOWING.has(table);

/** How many records of a table were added, changed and removed. */
function tableText(table: string, changes: readonly Change[]): string[] {
  const kinds = groupBy(changes, ({ before, after }) =>
    before === undefined ? '' : after === undefined ? ' removed' : ' changed',
  );
  return [...kinds].map(
    ([kind, { length }]) => `${countText(length, wordsOf(table).words)}${kind}`,
  );
}

/** A count with a noun that is given in the plural. */
const countText = (count: number, words: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? words.replace(/s$/, '') : words}`;

function amountsOf(table: string, changes: readonly Change[]): readonly AmountProps[] {
  const read = Object.hasOwn(AMOUNTS, table) ? AMOUNTS[table] : undefined;
  if (!read) return [];
  return changes.flatMap(({ before, after }) =>
    before === undefined && after !== undefined ? read(after as never) : [],
  );
}

const MAX_TEXT = 90;

/** The first finding of a rejected request, else what the problem says. */
function refusalText({ rawResponse }: Exchange): string {
  const problem = problemIn(rawResponse.text);
  const [[field, [message]] = ['', []]] = Object.entries(problem.errors ?? {});
  const text = message ? `${field}: ${message}` : (problem.detail ?? problem.title ?? '');
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

function problemIn(text: string): Problem {
  try {
    return (JSON.parse(text) as Problem | null) ?? {};
  } catch {
    return {};
  }
}
