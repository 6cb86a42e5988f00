import { expect, it } from 'vitest';
import { cutJournal } from '../../testing/durability/power-cut.ts';

it('a journal cut at any byte opens with exactly its complete changes', async () => {
  const { cuts, wrong } = await cutJournal(7);

  expect(cuts).toBe(586);
  expect(wrong).toEqual([]);
}, 60_000);
