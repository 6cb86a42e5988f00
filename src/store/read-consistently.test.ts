import { expect, it } from 'vitest';
import { readConsistently } from './read-consistently.ts';
import type { World } from './world.ts';

it.each([false, true])(
  'readConsistently() reads again if the state was replaced and the read failed: %s',
  async (fails) => {
    const world = { replacements: 0, isClosed: false };
    const found: number[] = [];
    const read = async () => {
      const before = world.replacements;
      found.push(before);
      if (before === 0) world.replacements = 1;
      if (fails && before === 0) throw new Error('It is gone.');
      return before;
    };

    expect(await readConsistently(world as World, read)).toBe(1);
    expect(found).toEqual([0, 1]);
  },
);
