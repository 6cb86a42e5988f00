import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { EXIT_CODES } from '../../contract-tests/kit/run/verdict.ts';

const SUITE = fileURLToPath(new URL('../../contract-tests/', import.meta.url));

/**
 * Proves that the suite bites: declared mutants of the emulator, and answers spoiled by a proxy in front of a
 * sound one. Ends with 1 when one of them goes unnoticed.
 */
export async function selftest(): Promise<void> {
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: SUITE,
      include: ['kit/selftest/*.test.ts'],
      exclude: [],
      environment: 'node',
      watch: false,
      cache: false,
    },
    { envDir: false, cacheDir: join(tmpdir(), 'billing-emulator-contract') },
  );
  await vitest.start();
  const isNoticed = vitest.state.getCountOfFailedTests() === 0;
  await vitest.close();
  process.exit(isNoticed ? 0 : EXIT_CODES.failure);
}
