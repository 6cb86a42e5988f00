import { expect, it } from 'vitest';
import { gather, gatherCases } from './gather.ts';

it('gathers the checks of a case file that was imported before', async () => {
  await gather(() => import('../cases/vendors.test.ts'));
  const checks = await gatherCases(['vendors.test.ts']);

  expect(checks.map(({ id }) => id)).toContain('VND-01');
});
