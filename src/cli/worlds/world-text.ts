import type { ClientAnswer } from '../../client/index.ts';

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
    .map((table) => `${records[table]} ${records[table] === 1 ? table.slice(0, -1) : table}`);
  return counts.length === 0 ? 'no customers, products or usage' : counts.join(', ');
}
