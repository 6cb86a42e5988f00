/**
 * Mutation testing of one room by its own tests: `npm run mutation`, `ROOM=webhooks npm run mutation`, or
 * `npm run mutation -- --mutate src/domain/pricing/price-breakdown.ts`. It takes minutes, so no gate runs it.
 */
const room = process.env['ROOM'] ?? 'domain';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  mutate: [`src/${room}/**/*.ts`, '!src/**/*.test.ts'],
  vitest: { dir: `src/${room}`, related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 1,
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['reports', 'dist', 'screenshots', '.ci'],
  incremental: true,
  incrementalFile: `reports/mutation/${room}.json`,
  reporters: ['clear-text', 'html'],
  htmlReporter: { fileName: `reports/mutation/${room}.html` },
  clearTextReporter: { allowColor: false, reportTests: false },
};
