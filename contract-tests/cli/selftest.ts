import { writeFileSync } from 'node:fs';
import type { Vitest } from 'vitest/node';
import { gatherCases } from '../kit/gather.ts';
import type { Flags } from '../kit/run/read-options.ts';
import { openRunner } from '../kit/run/runner.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';
import { matchesNothing } from '../kit/selection.ts';
import { faultsOf, type SelftestReport, selftestText } from '../selftest/report.ts';

/**
 * Proves that the checks find errors: in declared mutants of the emulator, and in responses spoiled in one place. Exits
 * with 1 when one of these is not detected, or when a check never fails. `--only` tests only the checks it names, on the
 * responses that they read.
 */
export async function selftest(flags: Flags): Promise<void> {
  await gatherCases();
  const only = flags['only'] as readonly string[] | undefined;
  const missing = matchesNothing({ only: only ?? [], skip: [], operations: [], levels: [] });
  if (missing.length > 0) {
    process.stderr.write(`Nothing is called ${missing.join(', ')}.\n`);
    process.exit(EXIT_CODES.narrow);
  }
  const vitest = await openRunner('selftest/selftest.test', {
    reporters: ['dot'],
    provide: { selftest: true, selftestOnly: only },
  });
  await vitest.start();
  const isNoticed = vitest.state.getCountOfFailedTests() === 0;
  const report = reportOf(vitest);
  await vitest.close();
  if (report) {
    process.stdout.write(`\n${selftestText(report)}`);
    const file = flags['json'] as string | undefined;
    if (file) writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  }
  const isSound = isNoticed && report !== undefined && faultsOf(report).length === 0;
  process.exit(isSound ? 0 : EXIT_CODES.failure);
}

/** The report that the last test of a whole self-test left; undefined if it did not come so far. */
function reportOf({ state }: Vitest): SelftestReport | undefined {
  const tests = state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
  return tests.map((test) => test.meta().selftestReport).find((report) => report !== undefined);
}
