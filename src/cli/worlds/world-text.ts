import type { ClientAnswer } from '../../client/index.ts';
import { plural } from '../../text/plural.ts';

type WorldSummary = Pick<
  ClientAnswer<'resetWorld'>,
  'sandbox' | 'environment' | 'now' | 'mode' | 'records'
>;

/** Describes a world in one line. */
export const formatWorld = ({ sandbox, environment, now, mode, records }: WorldSummary): string =>
  `${sandbox} (${environment}) at ${now}, ${mode}: ${formatRecords(records)}`;

/** Counts the main kinds of records. */
export function formatRecords(records: Readonly<Record<string, number>>): string {
  const counts = ['customers', 'products', 'subscriptions', 'events']
    .filter((table) => (records[table] ?? 0) > 0)
    .map((table) => plural(records[table] ?? 0, table.slice(0, -1)));
  return counts.length === 0 ? 'no customers, products or usage' : counts.join(', ');
}
