import {
  add,
  type Decimal,
  type DecimalText,
  decimal,
  divide,
  format,
  multiply,
  ONE,
  round,
  ZERO,
} from '../decimal.ts';

/** One summand of an amount: a quantity at a rate for each `size` of it. */
export interface Term {
  /** Undefined for a single unit. */
  readonly quantity: Decimal | undefined;
  readonly rate: Decimal;
  readonly size: Decimal;
}

/**
 * What terms come to.
 *
 * @units   the asset's, rounded once, half to even, to `places` decimal places
 * @assumes A-304
 */
export function amountOf(terms: readonly Term[], places: number): Decimal {
  const { dividend, divisor } = fractionOf(terms);
  return divisor.eq(ONE) ? round(dividend, places) : divide(dividend, divisor, places);
}

/** The exact sum of terms; their sizes need not divide evenly. */
function fractionOf(terms: readonly Term[]): { dividend: Decimal; divisor: Decimal } {
  let [dividend, divisor] = [ZERO, ONE];
  for (const { quantity, rate, size } of terms) {
    const product = quantity ? multiply(quantity, rate) : rate;
    if (divisor.mod(size).eq(ZERO)) {
      dividend = add(dividend, multiply(product, divisor.div(size)));
    } else {
      dividend = add(multiply(dividend, size), multiply(product, divisor));
      divisor = multiply(divisor, size);
    }
  }
  return { dividend, divisor };
}

/** How an amount came about, with its operands. */
export interface Arithmetic {
  /** In plain notation, without the result. */
  readonly formula: string;
  /** All digits of the result; one that has no end is cut and ends in `…`. */
  readonly exact: string;
  readonly places: number;
  readonly amount: Decimal;
  /** Whether rounding changed it. */
  readonly rounded: boolean;
}

/** Decimal places after which a quotient is taken not to end. */
const MOST_PLACES = 40;
const SHOWN_PLACES = 20;

/** What terms come to, step by step. @units the asset's; `places` decimal places */
export function explainAmount(terms: readonly Term[], places: number): Arithmetic {
  const { dividend, divisor } = fractionOf(terms);
  const quotient = divide(dividend, divisor, MOST_PLACES);
  const ends = multiply(quotient, divisor).eq(dividend);
  const amount = amountOf(terms, places);
  return {
    formula: terms.map(termText).join(' + '),
    exact: ends ? format(quotient) : `${cut(format(quotient))}…`,
    places,
    amount,
    rounded: !ends || !amount.eq(quotient),
  };
}

function termText({ quantity, rate, size }: Term): string {
  const packages = size.eq(ONE) ? '' : ` ÷ ${format(size)}`;
  return quantity ? `${format(quantity)} × ${format(rate)}${packages}` : format(rate);
}

function cut(text: string): string {
  return text.slice(0, text.indexOf('.') + 1 + SHOWN_PLACES);
}

/** A term, its numbers read from text. */
export const term = (
  quantity: Decimal | undefined,
  rate: DecimalText | number,
  size: number = 1,
): Term => ({ quantity, rate: decimal(rate), size: size === 1 ? ONE : decimal(size) });
