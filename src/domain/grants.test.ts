import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, type Decimal, decimal, format, isNegative, subtract, ZERO } from './decimal.ts';
import {
  afterRepayment,
  type DrawTerms,
  draw,
  drawOrder,
  explainOrder,
  type GrantPurpose,
  revenueOfDraw,
  type WorthKind,
  worthOf,
} from './grants.ts';
import { instant } from './instant.ts';

/** Draws from grants with these remaining amounts. Returns the amount of each draw and the uncovered amount. */
function drawn(amount: string, ...left: readonly string[]) {
  const { draws, uncovered } = draw(decimal(amount), left, (text): Decimal => decimal(text));
  return [draws.map((one) => `${format(one.amount)} of ${one.grant}`), format(uncovered)];
}

describe('draw', () => {
  it('uses up each grant before the next', () => {
    expect(drawn('12.5', '10', '5', '7')).toEqual([['10 of 10', '2.5 of 5'], '0']);
    expect(drawn('10', '10', '5')).toEqual([['10 of 10'], '0']);
  });

  it('returns the amount beyond all grants as uncovered', () => {
    expect(drawn('12', '4', '0.5')).toEqual([['4 of 4', '0.5 of 0.5'], '7.5']);
    expect(drawn('3')).toEqual([[], '3']);
  });

  it('uses no grant for an amount of 0', () => {
    expect(drawn('0', '4')).toEqual([[], '0']);
  });
});

describe('afterRepayment', () => {
  it.each([
    { available: '5', left: '10', of: 'nothing is owed' },
    { available: '0', left: '10', of: 'nothing is there' },
    { available: '-4', left: '6', of: 'less is owed' },
    { available: '-10', left: '0', of: 'as much is owed' },
    { available: '-25', left: '0', of: 'more is owed' },
  ])('leaves $left of 10 where $of', ({ available, left }) => {
    expect(format(afterRepayment(decimal('10'), decimal(available)))).toBe(left);
  });
});

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

const credit = (kind: WorthKind, amount: string, worth: string) => ({
  amount,
  worth: { kind, amount: worth },
});

describe('worthOf, the worth of the remaining credit', () => {
  const thirds = credit('paid', '33', '10');

  it.each([
    ['33', '10'],
    // 10 × 22 ÷ 33
    ['22', '6.6666666667'],
    ['11', '3.3333333333'],
    ['0', '0'],
  ])('is proportional to the remaining amount: for %s of 33 it is %s of 10', (left, worth) => {
    expect(format(worthOf(thirds, decimal(left)))).toBe(worth);
  });

  it('is zero for a grant without worth', () => {
    expect(worthOf({ amount: '33' }, decimal('33'))).toEqual(ZERO);
  });
});

describe('revenueOfDraw, the revenue of used credit', () => {
  it.each<[WorthKind, string, string]>([
    ['paid', 'revenue', '4'],
    ['paid', 'breakage', '4'],
    ['paid', 'external', '0'],
    ['paid', 'promotions', '0'],
    ['fee_share', 'revenue', '4'],
    ['fee_share', 'breakage', '4'],
    ['fee_share', 'external', '4'],
    ['fee_share', 'promotions', '4'],
    ['revenue_basis', 'revenue', '4'],
    ['revenue_basis', 'breakage', '0'],
    ['revenue_basis', 'external', '0'],
  ])('for %s credit booked to %s is %s', (kind, to, counted) => {
    const draw = revenueOfDraw(credit(kind, '100', '10'), decimal('100'), decimal('60'), to);
    expect(format(draw)).toBe(counted);
  });

  it('is rounded half to even, and the last draw takes the remainder', () => {
    const tie = credit('paid', '1', '0.0000000003');
    const draw = (before: string, after: string) =>
      format(revenueOfDraw(tie, decimal(before), decimal(after), 'revenue'));

    // Half of the worth is 0.00000000015, a tie.
    expect([draw('1', '0.5'), draw('0.5', '0')]).toEqual(['0.0000000002', '0.0000000001']);
  });

  it('sums to the whole worth however the draws are split', () => {
    const draws = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(draws, fc.integer({ min: 1, max: 10 ** 12 }), (amounts, units) => {
        const total = amounts.reduce((all, each) => all + each, 0);
        const given = credit('paid', String(total), format(decimal(`${units}e-10`)));
        let [left, counted] = [decimal(total), ZERO];
        for (const amount of amounts) {
          const after = subtract(left, decimal(amount));
          const part = revenueOfDraw(given, left, after, 'revenue');
          expect(isNegative(part)).toBe(false);
          [left, counted] = [after, add(counted, part)];
        }

        expect(format(counted)).toBe(given.worth.amount);
      }),
    );
  });
});
