import { readFileSync } from 'node:fs';
import { anOwnWorld, check, describe } from '../kit/index.ts';
import { playWorkedCase, type WorkedCase } from '../worked-cases/play-case.ts';

const casesOf = (file: string): readonly WorkedCase[] =>
  JSON.parse(readFileSync(new URL(`../worked-cases/${file}`, import.meta.url), 'utf8'));

/** The file of cases that each check runs. */
const FILES = {
  // EVT-81: worked cases of the price models → every fee and balance as calculated by hand
  'EVT-81': 'price-models.json',
  // CUS-57: worked cases of revenue → revenue, credit and status as calculated by hand, as time goes by
  'CUS-57': 'revenue.json',
  // SUB-58: worked cases of fixed fees with bundled credit → their shares count as calculated by hand
  'SUB-58': 'shares.json',
};

describe('worked cases', () => {
  for (const [id, file] of Object.entries(FILES))
    for (const given of casesOf(file))
      check(id, { title: given.name }, (t) => playWorkedCase(anOwnWorld(t), given));
});
