import { expect, it } from 'vitest';
import { check, gather, gatherCases } from './check.ts';
import { defaultPlan, targetOf } from './plan.ts';
import { beginSession, session } from './target/session.ts';

const CLOSED = 'http://127.0.0.1:9';

// As a test of the kit leaves it to the next file of the worker.
await beginSession(defaultPlan(targetOf({ kind: 'ours', baseUrl: CLOSED, key: 'key_test_x' })));

check(
  'KIT-01',
  { requirement: 'R-VND-01', effect: 'E0' },
  'does not use the target of an earlier test of the kit',
  async () => {
    expect((await session()).plan.target.baseUrl).not.toBe(CLOSED);
  },
);

it('gathers the checks of a case file that was imported before', async () => {
  await gather(() => import('../cases/vendors.test.ts'));
  const checks = await gatherCases(['vendors.test.ts']);

  expect(checks.map(({ id }) => id)).toContain('VND-04');
});
