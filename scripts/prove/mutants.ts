import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { gatherCases } from '../../contract-tests/kit/gather.ts';
import { isRed } from '../../contract-tests/kit/outcome.ts';
import { startMutant } from '../../contract-tests/mutants/emulator.ts';
import { INDEPENDENT } from '../../contract-tests/mutants/independent/index.ts';
import { Bench, type ObservedCheck } from '../../contract-tests/selftest/bench.ts';
import { pointAt } from '../../contract-tests/selftest/point-at.ts';
import { ROOT } from '../build/places.ts';
import { readFlags } from './flags.ts';

/**
 * `npm run prove -- mutants --independent`: runs the contract suite on the bugs of `contract-tests/mutants/independent`.
 * The results are kept in `reports/mutants`, and the next run continues from there.
 */
readFlags({ independent: true });
const FOLDER = `${ROOT}reports/mutants`;
const FILE = `${FOLDER}/independent.ndjson`;
/** Factor for the timeouts of waits: what has not come within seconds will not come. */
const IMPATIENT = { waitFactor: 0.3 };
/** The fields of a bug that changes only operations, besides `around`. */
const TOLD = ['id', 'about', 'noticedBy'];

/** The outcome for a bug: the check that noticed it, and how many were asked. */
interface Verdict {
  readonly id: string;
  readonly by?: string | undefined;
  readonly tries: number;
}

mkdirSync(FOLDER, { recursive: true });
const checks = new Map((await gatherCases()).map((check) => [check.id, check]));
const observed = await observe();
const known = new Set(verdicts().map(({ id }) => id));
for (const bug of INDEPENDENT.filter(({ id }) => !known.has(id)))
  appendFileSync(FILE, `${JSON.stringify(await judge(bug))}\n`);
process.stdout.write(report());
process.exit(0);

/** What each check uses, the fastest first. */
async function observe(): Promise<readonly ObservedCheck[]> {
  const bench = await Bench.open();
  const found: ObservedCheck[] = [];
  for (const id of checks.keys()) {
    const { observed: one } = await bench.answer({ kind: 'alone', id });
    if (one) found.push(one);
  }
  await bench.close();
  return found.sort((left, right) => left.milliseconds - right.milliseconds);
}

/**
 * Runs the checks until one fails: those that use an operation of the bug, or all if the bug is not limited to
 * operations.
 */
async function judge(bug: (typeof INDEPENDENT)[number]): Promise<Verdict> {
  const { around = {}, ...others } = bug;
  const isOfOperations = Object.keys(others).every((part) => TOLD.includes(part));
  const candidates = observed.filter(({ sees }) =>
    sees.some((cell) => !isOfOperations || (cell.split(' ')[0] as string) in around),
  );
  const target = await startMutant(bug);
  await pointAt(target.baseUrl, IMPATIENT);
  const verdict = { id: bug.id, tries: candidates.length };
  try {
    for (const { id } of candidates) {
      const record = await checks.get(id)?.run();
      if (record && isRed(record)) return { ...verdict, by: id };
    }
    return verdict;
  } finally {
    await target.close();
  }
}

function verdicts(): readonly Verdict[] {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line) as Verdict);
}

/** How many of the bugs were noticed, and the others by name. */
function report(): string {
  const missed = verdicts().filter(({ by }) => by === undefined);
  return [
    `${verdicts().length - missed.length} of ${verdicts().length} noticed. Not noticed:`,
    ...missed.map(({ id, tries }) => `  ${id} (${tries} checks were asked)`),
    '',
  ].join('\n');
}
