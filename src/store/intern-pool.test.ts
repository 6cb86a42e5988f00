import { expect, it } from 'vitest';
import { InternPool } from './intern-pool.ts';

it('InternPool returns the first of equal values until it is full and is emptied', () => {
  const known = new InternPool<readonly number[]>(2);
  const [first, second] = [[1], [2]];

  expect(known.intern('1', first)).toBe(first);
  expect(known.intern('1', [1])).toBe(first);
  expect(known.intern('2', second)).toBe(second);
  expect(known.intern('1', [1])).toBe(first);

  known.intern('3', [3]);
  const anew = [1];
  expect(known.intern('1', anew)).toBe(anew);
});
