import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inject, it } from 'vitest';
import type { GatheredCheck } from '../../../contract-tests/kit/gather.ts';
import { isRed } from '../../../contract-tests/kit/outcome.ts';
import { gatherCases, pointAt } from '../../../contract-tests/kit/selftest/cases.ts';
import { nameOfPart } from '../../../contract-tests/kit/trial.ts';
import { linesOf, type Verdict } from './score.ts';
import { Served, TooLate } from './served.ts';

declare module 'vitest' {
  interface ProvidedContext {
    mutants: { folder: string; sample: readonly number[]; histories: number };
  }
}

/** The mutants whose code a check reaches when all are inactive. */
interface Coverage {
  readonly name: string;
  readonly milliseconds: number;
  readonly reached: readonly number[];
}

/** Factor for the timeouts of waits: what has not come within seconds will not come. */
const IMPATIENT = { waitFactor: 0.3 };
const CHECK_MS = 30_000;
const CORPUS_MS = 180_000;
const DAY_MS = 86_400_000;

const { folder, sample, histories } = inject('mutants');
const served = new Served(`${folder}/serve.mjs`, `${folder}/corpus.json`, histories);
const verdictFile = `${folder}/verdicts.ndjson`;

it('judges every mutant of the sample', { timeout: DAY_MS }, async () => {
  const checks = new Map((await gatherCases()).map((check) => [nameOfPart(check), check]));
  const coverage = await coverageOf([...checks.values()]);
  const known = new Set(linesOf<Verdict>(verdictFile).map(({ id }) => id));
  for (const id of sample.filter((each) => !known.has(each))) {
    const started = Date.now();
    const verdict = await judge(id, coverage, checks);
    const line = { ...verdict, id, milliseconds: Date.now() - started };
    appendFileSync(verdictFile, `${JSON.stringify(line)}\n`);
  }
  served.kill();
});

/** Runs each check once with all mutants inactive, and stores which mutants it reaches. */
async function coverageOf(checks: readonly GatheredCheck[]): Promise<readonly Coverage[]> {
  const file = `${folder}/coverage.json`;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  await pointAt(await served.order('serve', [], CHECK_MS), IMPATIENT);
  const coverage: Coverage[] = [];
  for (const check of checks) {
    await served.order('reached', [], CHECK_MS);
    const record = await check.run();
    const reached = await served.order('reached', [], CHECK_MS);
    const { milliseconds } = record;
    if (record.outcome === 'pass' || record.outcome === 'confirmed')
      coverage.push({ name: nameOfPart(check), milliseconds, reached });
  }
  coverage.sort((left, right) => left.milliseconds - right.milliseconds);
  writeFileSync(file, JSON.stringify(coverage));
  return coverage;
}

async function judge(
  id: number,
  coverage: readonly Coverage[],
  checks: ReadonlyMap<string, GatheredCheck>,
): Promise<Pick<Verdict, 'result' | 'by' | 'tries'>> {
  const difference = await differenceOf(id);
  const observed = coverage.filter(({ reached }) => reached.includes(id));
  await pointAt(await served.order('serve', [id], CHECK_MS), IMPATIENT);
  const unfit = new Set<string>();
  for (const [tries, { name }] of observed.entries()) {
    const check = checks.get(name) as GatheredCheck;
    if (unfit.has(name) || !(await turnsRed(check))) continue;
    // A check that fails without the mutant too does not count.
    await pointAt(await served.order('serve', [], CHECK_MS), IMPATIENT);
    if (!(await turnsRed(check)))
      return { result: difference ? 'killed' : 'beyond', by: name, tries: tries + 1 };
    unfit.add(name);
    await pointAt(await served.order('serve', [id], CHECK_MS), IMPATIENT);
  }
  return { result: difference ? 'survived' : 'unchanged', by: difference, tries: observed.length };
}

async function differenceOf(id: number): Promise<string | undefined> {
  try {
    return await served.order('difference', [id], CORPUS_MS);
  } catch (error) {
    if (error instanceof TooLate) return 'does not come to an end';
    throw error;
  }
}

/** Whether a check fails or does not end. */
async function turnsRed(check: GatheredCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), CHECK_MS);
  });
  const record = await Promise.race([check.run(), late]);
  clearTimeout(timer);
  if (record !== 'late') return isRed(record);
  served.kill();
  return true;
}
