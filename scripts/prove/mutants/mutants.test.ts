import { describe, expect, it } from 'vitest';
import { instrument, mutantsOf } from './instrument.ts';
import { readReasons } from './reasons.ts';
import { reportText } from './report.ts';
import { wilson } from './score.ts';
import { begin } from './switchboard.ts';

const SOURCE = `
const outside = 1 < 2;
export const pick = (list) => list.filter((each) => each > 2 && each !== 5);
`;

const found = mutantsOf('pick.ts', SOURCE).map((mutant, id) => ({ ...mutant, id }));

/** The result of the instrumented function with the given mutant active. */
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

describe('mutants in instrumented code', () => {
  it('are created only inside functions', () => {
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
  ])('change the result when active: %s', (text, answer) => {
    expect(withMutant(text)).toEqual(answer);
  });
});

describe('reasons', () => {
  const all = mutantsOf('two.ts', 'const two = (a) => [1 < a,\n  1  < a];').map((mutant, id) => ({
    ...mutant,
    id,
  }));
  const kinds = { same: 'It answers the same.', missed: 'No check notices.' };
  const reasonsOf = (said: object) =>
    readReasons(JSON.stringify({ kinds, mutants: { 'two.ts': said } }), all);
  const first = { kind: 'same', why: 'nobody asks' };

  it('belong to a replacement, numbered among equal ones', () => {
    const reasons = reasonsOf({
      '1 < a → (1) <= (a)': { same: 'nobody asks' },
      '1 < a → (1) > (a) #2': { missed: 'the order' },
    });
    const told = all.map(({ line, text, id }) => [line, text, reasons.get(id)?.why]);

    expect(told.filter(([, , why]) => why)).toEqual([
      [1, '(1) <= (a)', 'nobody asks'],
      [2, '(1) > (a)', 'the order'],
    ]);
  });

  it.each([[{ other: 'of no kind' }], [{ same: '' }], [{ same: 'both', missed: 'kinds' }], [{}]])(
    'are rejected without one known kind and words: %o',
    (said) => {
      expect(() => reasonsOf({ '1 < a → (1) <= (a)': said })).toThrow(
        'expected one of same, missed and a few words for two.ts: 1 < a → (1) <= (a); got',
      );
    },
  );

  it('are counted in the report, and so are mutants without a reason', () => {
    const verdict = { by: undefined, tries: 1, milliseconds: 0 };
    const judged = all.slice(0, 3).map((mutant, place) => ({
      ...verdict,
      ...{ id: mutant.id, mutant, reason: place < 2 ? first : undefined },
      result: place === 0 ? ('survived' as const) : ('unchanged' as const),
    }));
    const text = reportText({ seed: 1, size: 3, all: all.length, histories: 0, judged });

    expect(text).toContain('Not noticed: 1 same.\n');
    expect(text).toContain('corpus changed: 1 same, 1 without a reason.\n');
    expect(text).toContain('Without a reason in `reasons.yaml`: 1.\n');
    expect(text).toContain('`[1 < a, 1 < a]` → `[1 < a]` (1 checks reach it): same, nobody asks\n');
  });
});

describe('wilson', () => {
  // By hand for 9 of 10, z² = 3.841459: middle 1.0920730 / 1.3841459, half-width 0.2650889 / 1.3841459.
  it.each([
    [9, 10, '90.00 59.58 98.21'],
    [0, 0, '0.00 0.00 100.00'],
  ])('returns the share and its interval for %i of %i', (hits, count, text) => {
    const { share, low, high } = wilson(hits, count);

    expect([share, low, high].map((each) => each.toFixed(2)).join(' ')).toBe(text);
  });
});
