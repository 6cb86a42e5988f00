import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** The packages of this repository are tested from their sources. */
const conditions = ['source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { globalSetup: 'scripts/build/for-tests.ts' },
});
