import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestUserConfig, type Vitest } from 'vitest/node';

/** Whether this package runs from its sources, as in its own tests, rather than as it was built. */
const isSource = import.meta.url.endsWith('.ts');
const EXTENSION = isSource ? 'ts' : 'js';

/** As Vite has them for code that runs in Node, and before them the one that leads to sources. */
const CONDITIONS = ['source', 'module', 'node', 'development|production'];

/** The folder that cases, lists and the kit stand in. */
const SUITE = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A test runner over files of this suite. Neither the caller's configuration nor its plugins are read, and files
 * outside of the suite are not touched.
 *
 * @param files pattern of the files, without their extension
 */
export function openRunner(files: string, config: TestUserConfig): Promise<Vitest> {
  return createVitest(
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
}
