import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, decimal, format, isNegative, subtract, ZERO } from './decimal.ts';
import {
  type DrawTerms,
  drawOrder,
  explainOrder,
  type GrantPurpose,
  revenueOfDraw,
} from './grants.ts';
import { instant } from './instant.ts';

const turn = (
  purpose: GrantPurpose,
  expires_at: string | null,
  effective_at: string,
): DrawTerms => ({
  purpose,
  expires_at: expires_at === null ? null : instant(expires_at),
  effective_at: instant(effective_at),
});

const [JAN, FEB, MAR] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];

describe('the order in which grants are used', () => {
  const inOrder: readonly DrawTerms[] = [
    turn('promotion', FEB, JAN),
    turn('promotion', MAR, JAN),
    turn('promotion', null, JAN),
    turn('promotion', null, FEB),
    turn('bundled', FEB, JAN),
    turn('bundled', null, JAN),
    turn('paid', FEB, JAN),
    turn('paid', null, JAN),
    turn('paid', null, MAR),
  ];

  it('is by purpose, then by expiry with no expiry last, then by age', () => {
    const shuffled = [...inOrder].reverse();

    expect(shuffled.toSorted((one, other) => (drawOrder(one) < drawOrder(other) ? -1 : 1))).toEqual(
      inOrder,
    );
  });

  it.each([
    [0, 4, 'promotion credit is drawn before bundled credit'],
    [4, 6, 'bundled credit is drawn before paid credit'],
    [0, 1, 'it expires before the next, which lasts until 2026-03-01T00:00:00.000Z'],
    [1, 2, 'it expires and the next never does'],
    [2, 3, 'it is older than the next'],
    [2, 2, 'it was given before the next, at the same instant'],
  ])('explains why grant %i comes before grant %i: %s', (first, next, reason) => {
    expect(explainOrder(inOrder[first] as DrawTerms, inOrder[next] as DrawTerms)).toBe(reason);
  });
});

describe('revenueOfDraw, the revenue of used credit', () => {
  it('sums to the whole worth however the draws are split', () => {
    const draws = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(draws, fc.integer({ min: 1, max: 10 ** 12 }), (amounts, units) => {
        const total = amounts.reduce((all, each) => all + each, 0);
        const worth = { kind: 'paid', amount: format(decimal(`${units}e-10`)) } as const;
        const given = { amount: String(total), worth };
        let [left, counted] = [decimal(total), ZERO];
        for (const amount of amounts) {
          const after = subtract(left, decimal(amount));
          const part = revenueOfDraw(given, left, after, 'revenue');
          expect(isNegative(part)).toBe(false);
          [left, counted] = [after, add(counted, part)];
        }

        expect(format(counted)).toBe(worth.amount);
      }),
    );
  });
});
