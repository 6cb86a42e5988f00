import {
  CURRENCY_PLACES,
  type Decimal,
  type DecimalText,
  decimal,
  divide,
  isZero,
  multiply,
  subtract,
  ZERO,
} from './decimal.ts';

/** What credit is worth as revenue: what was paid for it, its share of a collected fixed fee, or its basis. */
export type WorthKind = 'paid' | 'fee_share' | 'revenue_basis';

/** What a grant brings in if all of it is used, in the reporting currency. */
export interface Worth {
  readonly kind: WorthKind;
  readonly amount: DecimalText;
}

/** Credit as far as it tells what it brings in; without `worth` that is nothing. */
export interface WorthyCredit {
  readonly amount: DecimalText;
  readonly worth?: Worth;
}

/** Where credit must go for its worth to count. What was paid counts also where it expires, a share wherever it goes. */
const COUNTS_IN: Readonly<Record<WorthKind, readonly string[]>> = {
  paid: ['revenue', 'breakage'],
  fee_share: ['revenue', 'breakage', 'external', 'promotions'],
  revenue_basis: ['revenue'],
};

/**
 * What the last `left` units of a grant are worth. Draws share the worth by amount: each counts by how much more
 * is drawn, so that what they come to does not depend on how they are split, and the last takes the rest.
 *
 * @units   the reporting currency, 10 decimal places
 * @assumes A-902
 */
export function worthOf({ amount, worth }: WorthyCredit, left: Decimal): Decimal {
  if (!worth || isZero(left)) return ZERO;
  if (worth.amount === amount) return left;
  const [whole, value] = [decimal(amount), decimal(worth.amount)];
  const counted = divide(multiply(value, subtract(whole, left)), whole, CURRENCY_PLACES);
  return subtract(value, counted);
}

/**
 * What counts as revenue when a grant that had `before` left has `after` left, the difference having gone to
 * a counter-account.
 *
 * @units   the reporting currency, 10 decimal places
 * @assumes
 */
export function revenueOfDraw(
  credit: WorthyCredit,
  before: Decimal,
  after: Decimal,
  to: string,
): Decimal {
  if (!credit.worth || !COUNTS_IN[credit.worth.kind].includes(to)) return ZERO;
  return subtract(worthOf(credit, before), worthOf(credit, after));
}
