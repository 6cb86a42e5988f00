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

/** The source of a grant's revenue: its purchase, its share of a collected fixed fee, or its revenue basis. */
export type WorthKind = 'paid' | 'fee_share' | 'revenue_basis';

/** The revenue of a grant if all of it is used, in the reporting currency. */
export interface Worth {
  readonly kind: WorthKind;
  readonly amount: DecimalText;
}

/** The fields of a grant that decide its revenue. Without `worth`, the grant has no revenue. */
export interface WorthyCredit {
  readonly amount: DecimalText;
  readonly worth?: Worth;
}

/**
 * The counter-accounts for which worth counts as revenue. Paid credit also counts when it expires. A fee share
 * counts for every use.
 */
const COUNTS_IN: Readonly<Record<WorthKind, readonly string[]>> = {
  paid: ['revenue', 'breakage'],
  fee_share: ['revenue', 'breakage', 'external', 'promotions'],
  revenue_basis: ['revenue'],
};

/**
 * The worth of the last `left` units of a grant. Worth is shared in proportion to the amount. Rounding is
 * cumulative: the total does not depend on how draws are split, and the last draw takes the rest.
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
 * The revenue when the balance of a grant changes from `before` to `after`. `to` is the counter-account that
 * received the difference.
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
