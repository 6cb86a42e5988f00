import { expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';

it('listAssumptions counts the assumptions by what they rest on', async () => {
  const { items, total_count, by_evidence } = await createTestClient().control(
    'listAssumptions',
    {},
    200,
  );

  expect(Object.keys(by_evidence).sort()).toEqual([
    'domain',
    'published',
    'published client',
    'specification',
  ]);
  const counts = Object.values(by_evidence) as number[];
  expect(counts.reduce((sum, count) => sum + count)).toBe(total_count);
  expect(
    items.filter(({ evidence }: { evidence: string }) => evidence === 'published'),
  ).toHaveLength(by_evidence.published);
});
