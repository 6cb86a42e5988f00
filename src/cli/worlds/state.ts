import { linesOfChanges } from '../../client/change-lines.ts';
import { ApiError, type ClientResponse } from '../../client/index.ts';
import { plural } from '../../text/wording.ts';
import { type CommandGroup, operationCommand, type WorldCommand } from '../command.ts';
import { CommandError, describeFailure, EXIT } from '../failure.ts';
import { type Flags, flag, numberFlag, readInput } from '../flags.ts';
import { writeExport } from '../print.ts';

type WorldSummary = Pick<
  ClientResponse<'resetWorld'>,
  'sandbox' | 'environment' | 'now' | 'mode' | 'records'
>;

/** Describes a world in one line. */
const formatWorld = ({ sandbox, environment, now, mode, records }: WorldSummary): string =>
  `${sandbox} (${environment}) at ${now}, ${mode}: ${formatRecords(records)}`;

/** Counts the main kinds of records. */
function formatRecords(records: Readonly<Record<string, number>>): string {
  const counts = ['customers', 'products', 'subscriptions', 'events']
    .filter((table) => (records[table] ?? 0) > 0)
    .map((table) => plural(records[table] ?? 0, table.slice(0, -1)));
  return counts.length === 0 ? 'no customers, products or usage' : counts.join(', ');
}

/** `billing-emulator export`: writes everything in a world as text that can be stored and compared. */
export const exportCommand: WorldCommand = {
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
export const importCommand = operationCommand('importWorld', {
  usage: 'import <file>',
  about: 'Replace the whole world with an export; - reads standard input',
  request: ({ args: [file = ''] }) => ({ body: readExport(file) }),
  text: formatWorld,
});

/** Reads the text of a JSON file. The emulator validates its contents. */
function readExport(file: string): string {
  try {
    const text = readInput(file);
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`, EXIT.data);
  }
}

const comparison = operationCommand('compareWorlds', {
  usage: 'diff <from> [to]',
  about: `Compare two states: a snapshot, "previous" (before the latest advance, reset, restore or import) or "now" (default for the second); exits with ${EXIT.failure} if they differ`,
  flags: [
    numberFlag('--limit <count>', 'Maximum number of changes to list per table', 10),
    flag('--ignore <tables>', 'Tables to ignore, such as clock,requests'),
  ],
  request: ({ args: [from = '', to = 'now'], flags }) => ({
    body: { from: sideOf(from), to: sideOf(to), ...settingsOf(flags) },
  }),
  exitCode: ({ equal }) => (equal ? 0 : EXIT.failure),
  text: (comparison) => linesOfChanges(comparison).join('\n'),
});

/** `billing-emulator snapshot diff`. Its exit codes are those of `diff`: a failed comparison is not a difference. */
const diffCommand: WorldCommand = {
  ...comparison,
  run: (client, input) =>
    comparison.run(client, input).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      throw new CommandError(describeFailure(error), EXIT.usage);
    }),
};

function sideOf(given: string): object {
  if (given === 'now') return {};
  return given === 'previous' ? { previous: true } : { snapshot: given };
}

function settingsOf({ limit, ignore }: Flags): object {
  return { limit, ...(typeof ignore === 'string' && { ignore: ignore.split(',') }) };
}

/** `billing-emulator undo`: restores the state before the last reset, restore, import, deletion or advance. */
export const undoCommand = operationCommand('resetWorld', {
  usage: 'undo',
  about: 'Undo the latest reset, restore, import, deletion or advance of a world',
  request: () => ({ body: { to: 'previous' } }),
  text: formatWorld,
});

/** `billing-emulator reset`: resets a world. */
export const resetCommand = operationCommand('resetWorld', {
  usage: 'reset',
  about: 'Reset a world to its initial state, to a fixture, to a snapshot or to nothing',
  flags: [
    flag('--to <origin>', 'What to reset to (default: the initial state)', {
      choices: ['fixture', 'empty', 'snapshot', 'previous'],
    }),
    flag('--name <name>', 'Name of the fixture or snapshot'),
  ],
  request: ({ flags: { to, name } }) => ({ body: { to, name } }),
  text: formatWorld,
});

/** `billing-emulator snapshot`: named copies of everything in a world. */
export const snapshotCommands: CommandGroup = {
  usage: 'snapshot',
  about: 'Save the state of a world, restore it, and see what changed',
  commands: [
    operationCommand('saveSnapshot', {
      usage: 'save <name>',
      about: 'Save the state of the world; replaces a snapshot of the same name',
      request: ({ args: [name] }) => ({ body: { name } }),
      text: ({ name, saved_at, records }) => `${name} at ${saved_at}: ${formatRecords(records)}`,
    }),
    operationCommand('resetWorld', {
      usage: 'restore <name>',
      about: 'Restore the state of the world at the time when the snapshot was saved',
      request: ({ args: [name] }) => ({ body: { to: 'snapshot', name } }),
      text: formatWorld,
    }),
    diffCommand,
  ],
};
