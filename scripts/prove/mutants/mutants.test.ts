import { describe, expect, it } from 'vitest';
import { instrument, mutantsOf } from './instrument.ts';
import { wilson } from './score.ts';
import { begin } from './switchboard.ts';

const SOURCE = `
const outside = 1 < 2;
export const pick = (list) => list.filter((each) => each > 2 && each !== 5);
`;

const found = mutantsOf('pick.ts', SOURCE).map((mutant, id) => ({ ...mutant, id }));

/** What the instrumented function answers while the mutant that reads so is on. */
function withMutant(text: string | undefined): unknown {
  const mutant = found.find((each) => each.text === text);
  const code = instrument('pick.ts', SOURCE, found).replace('export const pick =', 'return');
  begin(mutant?.id);
  try {
    return new Function(code)()([1, 2, 3, 5, 7]);
  } finally {
    begin(undefined);
  }
}

describe('instrumented code', () => {
  it('finds mistakes inside functions only', () => {
    expect(found.map(({ operator, text }) => `${operator} ${text}`)).toEqual([
      'call list',
      'logic (each > 2) || (each !== 5)',
      'condition each > 2',
      'condition each !== 5',
      'comparison (each) >= (2)',
      'comparison (each) < (2)',
      'constant 3',
      'comparison (each) === (5)',
      'constant 6',
    ]);
  });

  it.each([
    [undefined, [3, 7]],
    ['list', [1, 2, 3, 5, 7]],
    ['each > 2', [3, 5, 7]],
    ['(each) >= (2)', [2, 3, 7]],
    ['6', [3, 5, 7]],
  ])('answers by the mutant that is on: %s', (text, answer) => {
    expect(withMutant(text)).toEqual(answer);
  });
});

describe('the interval by Wilson', () => {
  // By hand for 9 of 10, z² = 3.841459: middle 1.0920730 / 1.3841459, half-width 0.2650889 / 1.3841459.
  it.each([
    [9, 10, '90.00 59.58 98.21'],
    [0, 0, '0.00 0.00 100.00'],
  ])('of %i in %i', (hits, count, text) => {
    const { share, low, high } = wilson(hits, count);

    expect([share, low, high].map((each) => each.toFixed(2)).join(' ')).toBe(text);
  });
});
