import { defaultServerConditions } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';

/** The packages of this repository are tested from their sources. */
const conditions = ['billing-emulator-source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    exclude: [...configDefaults.exclude, '**/dist/**'],
    globalSetup: 'scripts/build/for-tests.ts',
    setupFiles: 'src/testing/each-file.ts',
    // Files share loaded modules: no test replaces a module, and each has a key or an emulator of its own.
    isolate: false,
    // By itself Vitest leaves a core to other work, which is half of a machine of two.
    maxWorkers: '100%',
    // No test measures time, so a slow machine must not fail one.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
