import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable } from 'billing-emulator/spec';
import { gatherCases } from '../kit/check.ts';
import type { Selection } from '../kit/plan.ts';
import { openPool } from '../kit/run/pool.ts';
import type { Flags } from '../kit/run/read-options.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';
import { matchesNothing, reasonNotSelected } from '../kit/selection.ts';
import { MUTANTS } from '../mutants/index.ts';
import type { Job, JobResult } from '../selftest/bench.ts';
import { faultsOf, runSelftest, selftestText } from '../selftest/selftest.ts';

const WORKER = new URL(
  `../selftest/selftest-worker${extname(fileURLToPath(import.meta.url))}`,
  import.meta.url,
);

/**
 * Proves that the checks find errors: in declared mutants of the emulator, and in responses spoiled in one place. Returns
 * 1 when one of these is not detected, or when a check never fails. `--only` tests only the checks it names, on the
 * mutants that they must notice and the responses that they read.
 */
export async function selftest(flags: Flags): Promise<number> {
  const gathered = await gatherCases();
  const selection: Selection = { only: (flags['only'] as string[] | undefined) ?? [], skip: [] };
  const missing = matchesNothing(selection);
  if (missing.length > 0) {
    process.stderr.write(`No check is called ${missing.join(', ')}.\n`);
    return EXIT_CODES.configuration;
  }
  const isEverything = selection.only.length === 0;
  const ids = gathered
    .filter((check) => reasonNotSelected(check, selection) === undefined)
    .map(({ id }) => id);
  const pool = openPool<Job, JobResult>(WORKER, availableParallelism(), () => undefined);
  const mutants = [...MUTANTS.keys()];
  const question = { ids, mutants, isSpoiled: () => isEverything, isWhole: true };
  const report = await runSelftest(question, pool).finally(() => pool.close());
  process.stdout.write(printable(selftestText(report)));
  return faultsOf(report).length === 0 ? EXIT_CODES.met : EXIT_CODES.failure;
}
