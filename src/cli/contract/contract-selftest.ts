import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { EXIT_CODES } from '../../../contract-tests/kit/run/verdict.ts';
import {
  faultsOf,
  type SelftestReport,
  selftestText,
} from '../../../contract-tests/kit/selftest/report.ts';
import type { Flags } from './contract-options.ts';

const SUITE = fileURLToPath(new URL('../../../contract-tests/', import.meta.url));

/**
 * Proves that the suite bites: declared mutants of the emulator, and answers spoiled by a proxy in front of a
 * sound one. Ends with 1 when one of them goes unnoticed, or a check is turned red by none.
 */
export async function selftest(flags: Flags): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'selftest-'));
  const file = resolve((flags['json'] as string | undefined) ?? join(folder, 'report.json'));
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: SUITE,
      include: ['kit/selftest/*.test.ts'],
      exclude: [],
      reporters: ['dot'],
      provide: { selftest: file },
      environment: 'node',
      watch: false,
      cache: false,
    },
    {
      envDir: false,
      cacheDir: join(tmpdir(), 'billing-emulator-contract'),
      // Below node_modules no tsconfig.json says so, and the emulator's pages are made here.
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    },
  );
  await vitest.start();
  const isNoticed = vitest.state.getCountOfFailedTests() === 0;
  await vitest.close();
  const report = readReport(file);
  rmSync(folder, { recursive: true });
  if (report) process.stdout.write(`\n${selftestText(report)}`);
  const isSound = isNoticed && report !== undefined && faultsOf(report).length === 0;
  process.exit(isSound ? 0 : EXIT_CODES.failure);
}

function readReport(file: string): SelftestReport | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SelftestReport) : undefined;
}
