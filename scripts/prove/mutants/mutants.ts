import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import type { ProvidedContext } from 'vitest';
import { openRunner } from '../../../contract-tests/kit/run/runner.ts';
import { ROOT } from '../../build/places.ts';
import { readFlags } from '../flags.ts';
import { allMutants, buildMutated } from './bundle.ts';
import type { SourceMutant } from './instrument.ts';
import { readReasons } from './reasons.ts';
import { independentText, reportText } from './report.ts';
import { linesOf, type Verdict } from './score.ts';

/**
 * `npm run prove -- mutants [--seed N] [--sample N] [--histories N]`: runs the contract suite on random mutants of
 * `src/domain` and `src/resources`, or with `--independent` on the bugs of `contract-tests/mutants/independent`. The
 * results are kept in `reports/mutants`, and the next run continues from there.
 */
const flags = readFlags({ seed: 1, sample: 400, histories: 200, independent: false });
const { seed, sample: size, histories } = flags;
const REPORTS = `${ROOT}reports/mutants`;
const REASONS = new URL('reasons.yaml', import.meta.url);
/** The number of mutants built, so that a larger sample of the same seed continues a smaller one in the same build. */
const BUILT = 1_000;

mkdirSync(REPORTS, { recursive: true });
process.exit((await (flags.independent ? judgeIndependent() : judgeSample())) ? 0 : 1);

async function judgeSample(): Promise<boolean> {
  const all = allMutants();
  const reasons = readReasons(readFileSync(REASONS, 'utf8'), all);
  const shuffled = fc.shuffledSubarray([...all], { minLength: all.length });
  const order = fc.sample(shuffled, { seed, numRuns: 1 })[0] as SourceMutant[];
  const built = order.slice(0, Math.max(size, BUILT));
  const drawn = order.slice(0, size);
  const sources = createHash('sha256').update(JSON.stringify(built)).digest('hex').slice(0, 8);
  const folder = `${REPORTS}/seed-${seed}-${histories}-${sources}`;
  mkdirSync(folder, { recursive: true });
  await buildMutated(`${folder}/serve.mjs`, built);
  const sample = drawn.map(({ id }) => id);
  const hasEnded = await run('judge.run.ts', { mutants: { folder, sample, histories } });
  const verdicts = new Map(
    linesOf<Verdict>(`${folder}/verdicts.ndjson`).map((verdict) => [verdict.id, verdict]),
  );
  const judged = drawn.flatMap((mutant) => {
    const verdict = verdicts.get(mutant.id);
    return verdict ? [{ ...verdict, mutant, reason: reasons.get(mutant.id) }] : [];
  });
  const text = reportText({ seed, size, all: all.length, histories, judged });
  writeFileSync(`${folder}/report.md`, text);
  process.stdout.write(`${text.split('\n## ')[0]}\n${folder.slice(ROOT.length)}/report.md\n`);
  return hasEnded && judged.length === size;
}

async function judgeIndependent(): Promise<boolean> {
  const independent = `${REPORTS}/independent.ndjson`;
  const hasEnded = await run('independent.run.ts', { independent });
  process.stdout.write(independentText(linesOf(independent)));
  return hasEnded;
}

async function run(file: string, provide: Partial<ProvidedContext>): Promise<boolean> {
  const vitest = await openRunner(file, {
    root: `${ROOT}scripts/prove/mutants`,
    include: [file],
    reporters: ['default'],
    provide,
  });
  await vitest.start();
  const failed = vitest.state.getCountOfFailedTests();
  await vitest.close();
  return failed === 0;
}
