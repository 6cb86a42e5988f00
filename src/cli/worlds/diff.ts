import { linesOfDifferences } from '../../client/difference-lines.ts';
import { ApiError } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, describeFailure } from '../failure.ts';
import { type Flags, flag, numberFlag } from '../flags.ts';
import { callVerb, type Verb } from '../verb.ts';
import { readExport } from './exchange.ts';

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

/** The end of the body. */
function settingsOf({ limit, ignore }: Flags): string {
  const tables = typeof ignore === 'string' ? { ignore: ignore.split(',') } : {};
  return JSON.stringify({ limit, ...tables }).slice(1);
}
