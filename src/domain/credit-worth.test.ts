import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, decimal, format, isNegative, subtract, ZERO } from './decimal.ts';
import { revenueOfDraw, type WorthKind, worthOf } from './grants.ts';

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
