import { linesOfDifferences } from '../../client/difference-lines.ts';
import { ApiError } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, describeFailure } from '../failure.ts';
import { type Flags, flag, numberFlag } from '../flags.ts';
import { printPage } from '../print.ts';
import { callVerb, type Verb, type VerbGroup } from '../verb.ts';
import { readExport } from './exchange.ts';
import { formatRecords, formatWorld } from './world-text.ts';

const comparison = callVerb('compareWorlds', {
  usage: 'diff <from> [to]',
  about: `Compare two of: snapshots, files of exports, "now", which is the second unless told; exits ${EXIT.failure} where they differ`,
  flags: [
    numberFlag('--limit <count>', 'Most rows of a table to name', 10),
    flag('--ignore <tables>', 'Tables to leave out, such as clock,requests'),
  ],
  request: ({ args: [from = '', to = 'now'], flags }) => ({
    body: `{"from":${sideOf(from)},"to":${sideOf(to)},${settingsOf(flags)}`,
  }),
  exitCode: ({ equal }) => (equal ? 0 : EXIT.failure),
  text: ({ differences }) => linesOfDifferences(differences).join('\n'),
});

/** `billing-emulator snapshot diff`, which ends as `diff` does: what cannot be compared is no difference. */
export const diffVerb: Verb = {
  ...comparison,
  run: (client, input) =>
    comparison.run(client, input).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      throw new CommandError(describeFailure(error), EXIT.usage);
    }),
};

/** What names a file rather than a snapshot. */
const FILE = /^-$|[/\\]|\.json$/;

function sideOf(given: string): string {
  if (given === 'now') return '{}';
  return FILE.test(given) ? `{"export":${readExport(given)}}` : JSON.stringify({ snapshot: given });
}

function settingsOf({ limit, ignore }: Flags): string {
  const tables = typeof ignore === 'string' ? { ignore: ignore.split(',') } : {};
  return JSON.stringify({ limit, ...tables }).slice(1);
}

/** `billing-emulator undo`: takes a world back to what it held before something took its place. */
export const undoVerb = callVerb('undoWorld', {
  usage: 'undo',
  about: 'Take a world back to what it held before the latest reset, restore, import or deletion',
  body: {
    sandbox: flag('--sandbox <name>', 'A sandbox that was deleted, to bring back'),
    snapshot: flag('--snapshot <name>', 'The snapshot that was deleted last, to bring back'),
  },
  text(world, { flags: { sandbox, snapshot } }) {
    const deleted = sandbox ?? snapshot;
    return deleted === undefined ? formatWorld(world) : `${deleted} is back.`;
  },
});

/** `billing-emulator reset`: takes a world back to where it was. */
export const resetVerb = callVerb('resetWorld', {
  usage: 'reset',
  about: 'Take a world back to what it opened with, or to something else',
  body: {
    to: flag('--to <origin>', 'What to go back to', { choices: ['fixture', 'empty', 'snapshot'] }),
    name: flag('--name <name>', 'The fixture or the snapshot'),
  },
  text: formatWorld,
});

/** `billing-emulator snapshot`: named copies of all that a world holds. */
export const snapshotVerbs: VerbGroup = {
  usage: 'snapshot',
  about: 'Save all that a world holds under a name, go back to it, and see what changed',
  verbs: [
    callVerb('saveSnapshot', {
      usage: 'save <name>',
      about: 'Save what the world holds; a snapshot of the same name gives way',
      request: ({ args: [name] }) => ({ body: { name } }),
      text: ({ name, saved_at, records }) => `${name} at ${saved_at}: ${formatRecords(records)}`,
    }),
    callVerb('listSnapshots', {
      usage: 'list',
      isDefault: true,
      about: 'List the snapshots of the world',
      text: (page) =>
        printPage(
          page,
          ({ name, saved_at, records }) => [[name, saved_at, formatRecords(records)]],
          'No snapshots.',
        ),
    }),
    callVerb('restoreSnapshot', {
      usage: 'restore <name>',
      about: 'Replace what the world holds by what it held when the snapshot was saved',
      request: ({ args: [name] }) => ({ path: { name } }),
      text: formatWorld,
    }),
    diffVerb,
    callVerb('deleteSnapshot', {
      usage: 'delete <name>',
      about: 'Delete a snapshot',
      request: ({ args: [name] }) => ({ path: { name } }),
      text: (_, { args: [name] }) => `${name} is deleted.`,
      json: ({ args: [deleted] }) => ({ deleted }),
    }),
  ],
};
