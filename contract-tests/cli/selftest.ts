import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openRunner } from '../kit/run/runner.ts';
import { EXIT_CODES } from '../kit/run/verdict.ts';
import { matchesNothing } from '../kit/selection.ts';
import { faultsOf, type SelftestReport, selftestText } from '../kit/selftest/report.ts';
import type { Flags } from './options.ts';

/**
 * Proves that the checks find errors: in declared mutants of the emulator, and in responses spoiled in one place. Exits
 * with 1 when one of these is not detected, or when a check never fails. `--only` tests only the checks it names, on the
 * responses that they read.
 */
export async function selftest(flags: Flags): Promise<void> {
  const only = flags['only'] as readonly string[] | undefined;
  const missing = matchesNothing({ only: only ?? [], skip: [], operations: [], levels: [] });
  if (missing.length > 0) {
    process.stderr.write(`Nothing is called ${missing.join(', ')}.\n`);
    process.exit(EXIT_CODES.narrow);
  }
  const folder = mkdtempSync(join(tmpdir(), 'selftest-'));
  const file = resolve((flags['json'] as string | undefined) ?? join(folder, 'report.json'));
  const vitest = await openRunner('kit/selftest/selftest.test', {
    reporters: ['dot'],
    provide: { selftest: file, selftestOnly: only },
  });
  await vitest.start();
  const isNoticed = vitest.state.getCountOfFailedTests() === 0;
  await vitest.close();
  const report = readReport(file);
  rmSync(folder, { recursive: true });
  if (report) process.stdout.write(`\n${selftestText(report)}`);
  const isSound = isNoticed && report !== undefined && faultsOf(report).length === 0;
  process.exit(isSound ? 0 : EXIT_CODES.failure);
}

const readReport = (file: string): SelftestReport | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SelftestReport) : undefined;
