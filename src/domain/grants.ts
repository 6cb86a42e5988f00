import { compare, type Decimal, isPositive, minimum, subtract, ZERO } from './decimal.ts';

/** What one grant gives towards an amount. */
export interface Draw<G> {
  readonly grant: G;
  readonly amount: Decimal;
}

export interface Drawing<G> {
  readonly draws: readonly Draw<G>[];
  /** What no grant covered. It becomes debt. */
  readonly uncovered: Decimal;
}

/**
 * Takes an amount from grants in the order given, each to its end before the next.
 *
 * @units   the account's asset, exact
 * @assumes A-705 the order is that of the list
 */
export function draw<G>(
  amount: Decimal,
  grants: Iterable<G>,
  remainingOf: (grant: G) => Decimal,
): Drawing<G> {
  const draws: Draw<G>[] = [];
  let due = amount;
  for (const grant of grants) {
    if (!isPositive(due)) break;
    const drawn = minimum(due, remainingOf(grant));
    draws.push({ grant, amount: drawn });
    due = subtract(due, drawn);
  }
  return { draws, uncovered: due };
}

/**
 * What is left of a credit after it has repaid the account's debt.
 *
 * @assumes A-705 a credit repays debt first
 */
export function afterRepayment(credit: Decimal, available: Decimal): Decimal {
  if (compare(available, ZERO) >= 0) return credit;
  const left = credit.plus(available);
  return isPositive(left) ? left : ZERO;
}
