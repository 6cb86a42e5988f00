import type { ClientAnswer } from '../../client/index.ts';
import { plural } from '../../text/plural.ts';

type WorldSummary = Pick<
  ClientAnswer<'resetWorld'>,
  'sandbox' | 'environment' | 'now' | 'mode' | 'records'
>;

/** What a world holds, in a line. */
export function formatWorld({ sandbox, environment, now, mode, records }: WorldSummary): string {
  return `${sandbox} (${environment}) at ${now}, ${mode}: ${formatRecords(records)}`;
}

/** How many records there are of what people look for. */
export function formatRecords(records: Readonly<Record<string, number>>): string {
  const counts = ['customers', 'products', 'subscriptions', 'events']
    .filter((table) => (records[table] ?? 0) > 0)
    .map((table) => plural(records[table] ?? 0, table.slice(0, -1)));
  return counts.length === 0 ? 'no customers, products or usage' : counts.join(', ');
}
