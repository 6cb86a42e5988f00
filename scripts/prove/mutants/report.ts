import type { SourceMutant } from './instrument.ts';
import { countKinds, oneLine, type Reason } from './reasons.ts';
import { type Verdict, wilson } from './score.ts';

export interface Judged extends Verdict {
  readonly mutant: SourceMutant;
  /** Why no check notices it, if known. */
  readonly reason?: Reason | undefined;
}

export interface Findings {
  readonly seed: number;
  readonly size: number;
  /** Number of all mutants. */
  readonly all: number;
  /** Number of random histories in the corpus. */
  readonly histories: number;
  readonly judged: readonly Judged[];
}

const RESULTS = ['killed', 'survived', 'beyond', 'unchanged'] as const;
const RESULT_TITLES = ['Not noticed', 'Not noticed, no answer of the corpus changed'];

/** The findings as a page. */
export function reportText({ seed, size, all, histories, judged }: Findings): string {
  const [killed, survived, beyond, unchanged] = RESULTS.map((result) =>
    judged.filter((each) => each.result === result),
  ) as [Judged[], Judged[], Judged[], Judged[]];
  const operators = [...new Set(judged.map(({ mutant }) => mutant.operator))].sort();
  const tail = (list: readonly Judged[]) => list.toSorted(byPlace).map(lineOf);
  return [
    `${judged.length} of the ${size} mutants drawn with seed ${seed} from ${all}: ${scoreText(killed.length, killed.length + survived.length)};`,
    `${beyond.length} that change no answer of the corpus with ${histories} histories are noticed too, ${unchanged.length} are not.`,
    '',
    ...[survived, unchanged].map(
      (list, at) => `${RESULT_TITLES[at]}: ${countKinds(list.map(({ reason }) => reason))}.`,
    ),
    `Without a reason in \`reasons.yaml\`: ${[...survived, ...unchanged].filter(({ reason }) => !reason).length}.`,
    '',
    '| operator | noticed | not | no answer changed: noticed | not |',
    '|---|---|---|---|---|',
    ...operators.map((operator) => {
      const cells = [killed, survived, beyond, unchanged].map(
        (list) => list.filter(({ mutant }) => mutant.operator === operator).length,
      );
      return `| ${operator} | ${cells.join(' | ')} |`;
    }),
    '',
    ...[survived, unchanged].flatMap((list, at) => [
      `## ${RESULT_TITLES[at]}`,
      '',
      ...tail(list),
      '',
    ]),
  ].join('\n');
}

function scoreText(hits: number, count: number): string {
  const { share, low, high } = wilson(hits, count);
  const [middle, from, to] = [share, low, high].map((value) => value.toFixed(1));
  return `${hits} of ${count} noticed, ${middle} % (${from} to ${to} %)`;
}

const byPlace = ({ mutant: a }: Judged, { mutant: b }: Judged): number =>
  a.file.localeCompare(b.file) || a.line - b.line;

const MOST_SHOWN = 160;
const shown = (text: string): string => oneLine(text).slice(0, MOST_SHOWN);

const lineOf = ({ id, by, tries, mutant, reason }: Judged): string => {
  const { file, line, operator, original, text } = mutant;
  return `- ${id} src/${file}:${line} ${operator}: \`${shown(original)}\` → \`${shown(text)}\` (${tries} checks reach it${by === undefined ? '' : `; seen in ${by}`}): ${reason ? `${reason.kind}, ${reason.why}` : 'no reason'}`;
};

/** The outcome for a bug of the independent collection. */
export interface IndependentVerdict {
  readonly id: string;
  readonly by?: string;
  readonly tries: number;
}

export function independentText(verdicts: readonly IndependentVerdict[]): string {
  const alive = verdicts.filter(({ by }) => by === undefined);
  return [
    `${scoreText(verdicts.length - alive.length, verdicts.length)}. Not noticed:`,
    ...alive.map(({ id, tries }) => `  ${id} (${tries} checks were asked)`),
    '',
  ].join('\n');
}
