import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { openRunner } from '../../../contract-tests/kit/run/runner.ts';
import { ROOT } from '../../build/places.ts';
import { readFlags } from '../flags.ts';

/**
 * `npm run prove -- mutants --independent`: runs the contract suite on the bugs of `contract-tests/mutants/independent`.
 * The results are kept in `reports/mutants`, and the next run continues from there.
 */
readFlags({ independent: true });
const REPORTS = `${ROOT}reports/mutants`;
const independent = `${REPORTS}/independent.ndjson`;

mkdirSync(REPORTS, { recursive: true });
const file = 'independent.run.ts';
const vitest = await openRunner(file, {
  root: `${ROOT}scripts/prove/mutants`,
  include: [file],
  reporters: ['default'],
  provide: { independent },
});
await vitest.start();
const failed = vitest.state.getCountOfFailedTests();
await vitest.close();
process.stdout.write(report(independent));
process.exit(failed === 0 ? 0 : 1);

/** How many of the bugs were noticed, and the others by name. */
function report(path: string): string {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  const verdicts = lines.map((line) => JSON.parse(line) as Verdict);
  const missed = verdicts.filter(({ by }) => by === undefined);
  return [
    `${verdicts.length - missed.length} of ${verdicts.length} noticed. Not noticed:`,
    ...missed.map(({ id, tries }) => `  ${id} (${tries} checks were asked)`),
    '',
  ].join('\n');
}

/** The outcome for a bug: the check that noticed it, and how many were asked. */
interface Verdict {
  readonly id: string;
  readonly by?: string;
  readonly tries: number;
}
