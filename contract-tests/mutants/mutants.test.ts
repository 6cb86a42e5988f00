import { expect, it } from 'vitest';
import { gatherCases } from '../kit/check.ts';
import { MUTANTS, NOTICED_BY } from './index.ts';

it('every mutant names checks that must find it, and each of these exists', async () => {
  const ids = new Set((await gatherCases()).map(({ id }) => id));
  const abouts = MUTANTS.map(({ about }) => about);

  expect(Object.keys(NOTICED_BY).sort()).toEqual([...abouts].sort());
  expect(MUTANTS.filter(({ noticedBy }) => noticedBy.length === 0)).toEqual([]);
  expect(MUTANTS.flatMap(({ noticedBy }) => noticedBy).filter((id) => !ids.has(id))).toEqual([]);
});
