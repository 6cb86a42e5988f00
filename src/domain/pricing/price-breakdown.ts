import {
  add,
  compare,
  type Decimal,
  divide,
  divideWhole,
  format,
  isEqual,
  isZero,
  multiply,
  ONE,
  ZERO,
} from '../decimal.ts';
import type { DecimalRow } from './price.ts';

/** One term of an amount: a quantity at a rate for each `size` of it. */
export interface Term {
  /** What the quantity is of. */
  readonly counts: 'unit' | 'volume' | 'package';
  /** Undefined for a single unit. */
  readonly quantity: Decimal | undefined;
  readonly rate: Decimal;
  readonly size: Decimal;
  /** The row with the rate; undefined for a charge, which has no rows. */
  readonly row?: DecimalRow;
}

/** The parts of an amount before rounding. */
export interface PriceBreakdown {
  readonly terms: readonly Term[];
  /** The row that the event's last quantity reaches. */
  readonly row?: DecimalRow;
  readonly minimum?: Decimal | undefined;
  readonly maximum?: Decimal | undefined;
}

/** The term for a quantity, or for started packages, at one of a row's amounts; empty if the row has no such amount. */
export function rowTerms(
  row: DecimalRow,
  amount: 'unitPrice' | 'volumeRate',
  quantity: Decimal | null,
  arePackages = false,
): Term[] {
  const rate = row[amount];
  if (!rate || !quantity) return [];
  const isUnit = amount === 'unitPrice' && isEqual(quantity, ONE);
  const counted = amount === 'unitPrice' ? 'unit' : 'volume';
  const counts = arePackages ? 'package' : counted;
  const size = counts === 'volume' ? row.packageSize : ONE;
  return [{ counts, quantity: isUnit ? undefined : quantity, rate, size, row }];
}

/**
 * The amount of a breakdown.
 *
 * @units   the asset's, rounded once, half to even, to `places` decimal places
 * @assumes A-304, A-1504
 */
export function amountOf(breakdown: PriceBreakdown, places: number): Decimal {
  const { dividend, divisor } = bounded(breakdown);
  return divide(dividend, divisor, places);
}

/** Whether an amount greater than 0 was rounded to 0. */
export const isRoundedAway = (breakdown: PriceBreakdown, amount: Decimal): boolean =>
  isZero(amount) && !isZero(bounded(breakdown).dividend);

interface Fraction {
  readonly dividend: Decimal;
  readonly divisor: Decimal;
  /** The bound that replaced the sum, if any. */
  readonly bound?: 'minimum' | 'maximum';
}

/** The exact amount, limited to its minimum and maximum. */
function bounded({ terms, minimum, maximum }: PriceBreakdown): Fraction {
  const sum = sumOf(terms);
  if (minimum && compare(sum.dividend, multiply(minimum, sum.divisor)) < 0)
    return { dividend: minimum, divisor: ONE, bound: 'minimum' };
  if (maximum && compare(sum.dividend, multiply(maximum, sum.divisor)) > 0)
    return { dividend: maximum, divisor: ONE, bound: 'maximum' };
  return sum;
}

/** The exact sum of the terms, as a fraction because a quotient can have endless digits. */
function sumOf(terms: readonly Term[]): Fraction {
  let [dividend, divisor] = [ZERO, ONE];
  for (const { quantity, rate, size } of terms) {
    const product = quantity ? multiply(quantity, rate) : rate;
    if (isZero(dividend)) {
      [dividend, divisor] = [product, size];
      continue;
    }
    const { quotient, rest } = divideWhole(divisor, size);
    if (isZero(rest)) dividend = add(dividend, multiply(product, quotient));
    else {
      dividend = add(multiply(dividend, size), multiply(product, divisor));
      divisor = multiply(divisor, size);
    }
  }
  return { dividend, divisor };
}

/** How an amount was calculated, with its operands. */
interface Arithmetic {
  /** In plain notation, without the result. */
  readonly formula: string;
  /** All digits of the result; endless digits are cut and end in `…`. */
  readonly exact: string;
  /** The bound that replaced the result, if any. */
  readonly bound: 'minimum' | 'maximum' | undefined;
  readonly places: number;
  readonly amount: Decimal;
  readonly rounded: boolean;
}

/** A quotient with more decimal places counts as endless. */
const MAX_PLACES = 40;
const SHOWN_PLACES = 20;

/** The calculation of a breakdown, step by step. @units the asset's; `places` decimal places */
export function explainAmount(breakdown: PriceBreakdown, places: number): Arithmetic {
  const { terms } = breakdown;
  const sum = sumOf(terms);
  const { dividend, divisor, bound } = bounded(breakdown);
  const quotient = divide(dividend, divisor, MAX_PLACES);
  const amount = amountOf(breakdown, places);
  return {
    formula: terms.map(termText).join(' + ') || '0',
    exact: digitsOf(sum),
    bound,
    places,
    amount,
    rounded: !isEqual(multiply(quotient, divisor), dividend) || !isEqual(amount, quotient),
  };
}

/** A term in plain notation, such as `40 × 0.5 ÷ 1000`. */
export function termText({ quantity, rate, size }: Term): string {
  const packages = isEqual(size, ONE) ? '' : ` ÷ ${format(size)}`;
  return quantity ? `${format(quantity)} × ${format(rate)}${packages}` : format(rate);
}

function digitsOf({ dividend, divisor }: Fraction): string {
  const quotient = divide(dividend, divisor, MAX_PLACES);
  const text = format(quotient);
  if (isEqual(multiply(quotient, divisor), dividend)) return text;
  return `${text.slice(0, text.indexOf('.') + 1 + SHOWN_PLACES)}…`;
}
