import type { ClientAnswer } from '../../client/index.ts';
import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { writeExport } from '../print.ts';
import { readInput } from '../readers.ts';
import { callVerb, type Verb } from '../verb.ts';

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

/** `billing-emulator export`: writes everything in a world as text that can be stored and compared. */
export const exportVerb: Verb = {
  usage: 'export [file]',
  about: 'Write the whole world as JSON, to a file or, without one or for -, to standard output',
  async run(client, { args: [file] }) {
    const text = await client.read('exportWorld');
    if (file === undefined || file === '-') return { json: text, text };
    writeExport(file, text);
    const records = countRecords(text);
    return {
      json: JSON.stringify({ file, bytes: Buffer.byteLength(text), records }),
      text: `${file}: ${formatRecords(records)}`,
    };
  },
};

function countRecords(text: string): Record<string, number> {
  const { tables } = JSON.parse(text) as { tables: Readonly<Record<string, readonly unknown[]>> };
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]));
}

/** `billing-emulator import`: replaces everything in a world by an export. */
export const importVerb = callVerb('importWorld', {
  usage: 'import <file>',
  about: 'Replace the whole world with an export; - reads standard input',
  request: ({ args: [file = ''] }) => ({ body: readExport(file) }),
  text: formatWorld,
});

/** Reads the text of a JSON file. The emulator validates its contents. */
export function readExport(file: string): string {
  try {
    const text = readInput(file);
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`, EXIT.data);
  }
}
