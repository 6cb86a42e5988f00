import { expect, it } from 'vitest';
import { gather } from '../kit/gather.ts';
import { gatherCases } from './cases.ts';

it('gathers the checks of a case file that was imported before', async () => {
  await gather(() => import('../cases/vendors.test.ts'));
  const checks = await gatherCases(['vendors.test.ts']);

  expect(checks.flatMap(({ ids }) => ids)).toContain('VND-01');
});
