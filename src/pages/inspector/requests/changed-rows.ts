import type { Exchange } from '../../../http/log/exchange.ts';
import { wordsOf } from '../../../store/changes/table-words.ts';
import type { ProductRow } from '../../../store/records.ts';
import { type Change, mergeChanges, type Row } from '../../../store/row.ts';

/** A row before and after a request. A new row has no `before`. */
export interface Changed<R> {
  readonly before: R | undefined;
  readonly after: R;
}

/** Tables, not derived ones, whose changes show in those of other tables. */
const TOLD_BY_OTHERS = new Set([
  'wallet_accounts',
  'deliveries',
  'tasks',
  'links',
  'webhook_events',
]);

/** Whether only the `used` flag of a product changed, which is not of interest. */
const isAside = ({ table, before, after }: Change): boolean =>
  table === 'products' && (before as ProductRow | undefined)?.used !== (after as ProductRow).used;

/** Returns the rows of a table that a request added or changed. */
export function changedRows<R extends Row>({ changes }: Exchange, table: string) {
  return mergeChanges(changes).filter(
    (change) => change.table === table && change.after !== undefined && !isAside(change),
  ) as unknown as readonly Changed<R>[];
}

/** Returns the tables that a request changed and whose changes show nowhere else. */
export function otherTables({ changes }: Exchange): readonly string[] {
  const tables = new Set(mergeChanges(changes).map(({ table }) => table));
  return [...tables].filter((table) => !wordsOf(table).isDerived && !TOLD_BY_OTHERS.has(table));
}
