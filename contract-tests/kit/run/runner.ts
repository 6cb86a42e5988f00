import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestUserConfig, type Vitest } from 'vitest/node';

/** Whether this package runs from its sources, as in its own tests, and not from its build. */
const isSource = import.meta.url.endsWith('.ts');
const EXTENSION = isSource ? 'ts' : 'js';

/** Vite's export conditions for code in Node, preceded by the one for sources. */
const CONDITIONS = ['source', 'module', 'node', 'development|production'];

/** The folder of the case files, the lists and the kit. */
const SUITE = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Creates a test runner for files of this suite. It ignores the caller's configuration, plugins and files.
 *
 * @param files glob pattern of the files, without extension
 */
export async function openRunner(files: string, config: TestUserConfig): Promise<Vitest> {
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: SUITE,
      include: [`${files}.${EXTENSION}`],
      exclude: [],
      environment: 'node',
      watch: false,
      cache: false,
      ...config,
    },
    {
      envDir: false,
      cacheDir: join(tmpdir(), 'billing-emulator-contract'),
      ...(isSource && {
        resolve: { conditions: CONDITIONS },
        ssr: { resolve: { conditions: CONDITIONS } },
      }),
    },
  );
  // Vitest removes its folder when it closes, but not when a signal ends the process.
  const tidy = () => rmSync(vitest.getRootProject().tmpDir, { recursive: true, force: true });
  process.once('exit', tidy);
  vitest.onClose(() => void process.off('exit', tidy));
  return vitest;
}
