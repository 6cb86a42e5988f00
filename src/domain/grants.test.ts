import { describe, expect, it } from 'vitest';
import { type Decimal, decimal, format } from './decimal.ts';
import {
  afterRepayment,
  draw,
  drawOrder,
  explainOrder,
  type GrantPurpose,
  type Turn,
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

const turn = (purpose: GrantPurpose, expires_at: string | null, effective_at: string): Turn => ({
  purpose,
  expires_at: expires_at === null ? null : instant(expires_at),
  effective_at: instant(effective_at),
});

const [JAN, FEB, MAR] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];

describe('the order in which grants are used', () => {
  const serializePipelined: readonly Turn[] = [
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
    const shuffled = [...serializePipelined].reverse();

    expect(shuffled.toSorted((one, other) => (drawOrder(one) < drawOrder(other) ? -1 : 1))).toEqual(
      serializePipelined,
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
    expect(explainOrder(serializePipelined[first] as Turn, serializePipelined[next] as Turn)).toBe(
      reason,
    );
  });
});
