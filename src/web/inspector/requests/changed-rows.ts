import type { Exchange } from '../../../http/log/exchange.ts';
import type { ProductRow } from '../../../state/records.ts';
import type { Change, Row } from '../../../state/table.ts';

/** What a request changed, by table: rows as they were and as they became. */
export interface Changed<R> {
  readonly before: R | undefined;
  readonly after: R;
}

/** Tables whose rows only sum up, find or report what other rows say. */
const DERIVED = new Set([
  'ordinals',
  'totals',
  'daily_totals',
  'vendor_days',
  'price_quantities',
  'cost_claims',
  'wallet_accounts',
  'deliveries',
  'tasks',
  'payment_links',
  'webhook_events',
]);

/** Whether nothing changed that a reader would look for: a product merely came into use. */
const isAside = ({ table, before, after }: Change): boolean =>
  table === 'products' && (before as ProductRow | undefined)?.used !== (after as ProductRow).used;

/** The rows of a table that a request added or changed. */
export function changedRows<R extends Row>({ rawResponse }: Exchange, table: string) {
  return (rawResponse.changes ?? []).filter(
    (change) => change.table === table && change.after !== undefined && !isAside(change),
  ) as unknown as readonly Changed<R>[];
}

/** Tables of which a request changed something that says more than other rows do. */
export function otherTables({ rawResponse }: Exchange): readonly string[] {
  const tables = new Set((rawResponse.changes ?? []).map(({ table }) => table));
  return [...tables].filter((table) => !DERIVED.has(table));
}
