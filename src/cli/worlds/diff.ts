import { ApiError, type ClientAnswer } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, describeFailure } from '../failure.ts';
import { type Flags, flag, numberFlag } from '../flags.ts';
import { callVerb, type Verb } from '../verb.ts';
import { readExport } from './exchange.ts';

type Difference = ClientAnswer<'compareWorlds'>['differences'][number];
type RowDifference = Difference['rows'][number];
type FieldChange = RowDifference['fields'][number];

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
  text: ({ differences }) => differences.flatMap(formatTable).join('\n'),
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

/** A table in lines; rows that only sum up others are counted. */
function formatTable(difference: Difference): readonly string[] {
  const { words, derived, figures, figure_count, rows } = difference;
  const [only] = rows;
  if (only?.name === '') return [`${words}: ${only.fields.map(formatField).join(', ')}`];
  const lines = figures.map(
    (figure) => `${figure.of}${figure.in === undefined ? '' : ` ${figure.in}`} ${arrow(figure)}`,
  );
  const { added, removed, changed } = difference;
  const named = derived ? [] : rows.map(formatRow);
  const more = derived ? 0 : added + removed + changed - rows.length;
  const inset = [...lines, ...moreOf(figure_count - figures.length, 'figures'), ...named];
  return [headOf(difference), ...[...inset, ...moreOf(more, 'rows')].map((line) => `  ${line}`)];
}

function headOf({ words, from, to, ...counts }: Difference): string {
  const kinds = (['added', 'removed', 'changed'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`);
  return `${words}: ${kinds.join(', ')}${from === to ? '' : `, ${arrow({ from, to })}`}`;
}

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

function formatRow({ change, name, fields, field_count }: RowDifference): string {
  const told = [...fields.map(formatField), ...moreOf(field_count - fields.length, 'fields')];
  return `${MARKS[change]} ${name}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

const formatField = ({ field, ...sides }: FieldChange): string =>
  sides.from === SECRET && sides.to === SECRET ? `${field} changed` : `${field} ${arrow(sides)}`;

const SECRET = '***';

const arrow = ({ from = 'none', to = 'none' }: Pick<FieldChange, 'from' | 'to'>): string =>
  `${from} → ${to}`;

const moreOf = (count: number, what: string): readonly string[] =>
  count > 0 ? [`${count} more ${what}`] : [];
