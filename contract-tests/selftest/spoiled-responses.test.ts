import { expect, it } from 'vitest';
import { gatherCases } from '../kit/check.ts';
import { operationOf } from '../kit/operations.ts';
import { sampled } from '../testing/runs.ts';
import { selftestOf } from '../testing/selftest.ts';
import { faultsOf } from './selftest.ts';

/** Far above the expected time, so that a slow machine does not fail the test. */
const TIMEOUT_MS = 3_600_000;

/**
 * `contract selftest` in short, with `selftest.test.ts`: every sixth check, and responses about assets on the checks that
 * receive them.
 */
it('the checks pass alone on a correct emulator, and notice spoiled responses', {
  timeout: TIMEOUT_MS,
}, async () => {
  const ids = (await gatherCases()).map(({ id }) => id);
  const sample = new Set(sampled(ids, 6));
  const report = await selftestOf({
    ids: ids.filter((id) => sample.has(id) || /^AST-|^X-(01|04|84)$/.test(id)),
    mutants: [],
    isSpoiled: (operation) => operationOf(operation as never).path.startsWith('/assets'),
  });

  expect(faultsOf(report)).toEqual([]);
  expect(report.responses).not.toEqual([]);
});
