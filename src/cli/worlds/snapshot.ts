import { linesOfChanges } from '../../client/change-lines.ts';
import { ApiError } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, describeFailure } from '../failure.ts';
import { type Flags, flag, numberFlag } from '../flags.ts';
import { callVerb, type Verb, type VerbGroup } from '../verb.ts';
import { formatRecords, formatWorld, readExport } from './exchange.ts';

const comparison = callVerb('compareWorlds', {
  usage: 'diff <from> [to]',
  about: `Compare two states: a snapshot, an export file, "previous" (before the latest advance or reset) or "now" (default for the second); exits with ${EXIT.failure} if they differ`,
  flags: [
    numberFlag('--limit <count>', 'Maximum number of changes to list per table', 10),
    flag('--ignore <tables>', 'Tables to ignore, such as clock,requests'),
  ],
  request: ({ args: [from = '', to = 'now'], flags }) => ({
    body: `{"from":${sideOf(from)},"to":${sideOf(to)},${settingsOf(flags)}`,
  }),
  exitCode: ({ equal }) => (equal ? 0 : EXIT.failure),
  text: (comparison) => linesOfChanges(comparison).join('\n'),
});

/** `billing-emulator snapshot diff`. Its exit codes are those of `diff`: a failed comparison is not a difference. */
const diffVerb: Verb = {
  ...comparison,
  run: (client, input) =>
    comparison.run(client, input).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      throw new CommandError(describeFailure(error), EXIT.usage);
    }),
};

/** Matches an argument that is a file and not a snapshot. */
const FILE = /^-$|[/\\]|\.json$/;

function sideOf(given: string): string {
  if (given === 'now') return '{}';
  if (given === 'previous') return '{"previous":true}';
  return FILE.test(given) ? `{"export":${readExport(given)}}` : JSON.stringify({ snapshot: given });
}

function settingsOf({ limit, ignore }: Flags): string {
  const tables = typeof ignore === 'string' ? { ignore: ignore.split(',') } : {};
  return JSON.stringify({ limit, ...tables }).slice(1);
}

/** `billing-emulator undo`: restores the state before the last reset, restore, import, deletion or advance. */
export const undoVerb = callVerb('resetWorld', {
  usage: 'undo',
  about: 'Undo the latest reset, restore, import, deletion or advance of a world',
  request: () => ({ body: { to: 'previous' } }),
  text: formatWorld,
});

/** `billing-emulator reset`: resets a world. */
export const resetVerb = callVerb('resetWorld', {
  usage: 'reset',
  about: 'Reset a world to its initial state, to a fixture, to a snapshot or to nothing',
  body: {
    to: flag('--to <origin>', 'What to reset to (default: the initial state)', {
      choices: ['fixture', 'empty', 'snapshot', 'previous'],
    }),
    name: flag('--name <name>', 'Name of the fixture or snapshot'),
  },
  text: formatWorld,
});

/** `billing-emulator snapshot`: named copies of everything in a world. */
export const snapshotVerbs: VerbGroup = {
  usage: 'snapshot',
  about: 'Save the state of a world, restore it, and see what changed',
  verbs: [
    callVerb('saveSnapshot', {
      usage: 'save <name>',
      about: 'Save the state of the world; replaces a snapshot of the same name',
      request: ({ args: [name] }) => ({ body: { name } }),
      text: ({ name, saved_at, records }) => `${name} at ${saved_at}: ${formatRecords(records)}`,
    }),
    callVerb('resetWorld', {
      usage: 'restore <name>',
      about: 'Restore the state of the world at the time when the snapshot was saved',
      request: ({ args: [name] }) => ({ body: { to: 'snapshot', name } }),
      text: formatWorld,
    }),
    diffVerb,
  ],
};
