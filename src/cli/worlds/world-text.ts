/** A world as the control interface describes it, as far as a line of text tells it. */
interface ToldWorld {
  readonly sandbox: string;
  readonly environment: string;
  readonly now: string;
  readonly mode: string;
  readonly records: Readonly<Record<string, number>>;
}

/** What a world holds, in a line. */
export function formatWorld({ sandbox, environment, now, mode, records }: ToldWorld): string {
  return `${sandbox} (${environment}) at ${now}, ${mode}: ${formatRecords(records)}`;
}

/** How many records there are of what people look for. */
export function formatRecords(records: Readonly<Record<string, number>>): string {
  const told = ['customers', 'products', 'subscriptions', 'events']
    .filter((table) => (records[table] ?? 0) > 0)
    .map((table) => `${records[table]} ${records[table] === 1 ? table.slice(0, -1) : table}`);
  return told.length === 0 ? 'no customers, products or usage' : told.join(', ');
}
