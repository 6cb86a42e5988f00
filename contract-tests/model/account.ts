import { Rational } from '../kit/rational.ts';

/** A credit, its remaining amount, and its effect on revenue. */
export interface Credit {
  readonly sequence: number;
  readonly asset: string;
  readonly source: Source;
  readonly purpose: 'promotion' | 'bundled' | 'paid';
  readonly priority: number;
  readonly amount: Rational;
  left: Rational;
  readonly effectiveAt: number;
  expiresAt: number;
  /** The revenue from the whole amount, and whether the rest counts as revenue when the credit ends. */
  readonly worth: Rational;
  readonly countsAlways: boolean;
  /** Whether a refresh can move its end. Such credit ends after other items due at the same instant. */
  readonly rolls?: boolean;
  /** Whether `effectiveAt` has passed, so that it can be drawn. */
  isEffective: boolean;
  /** The entitlement that granted it; undefined for other credit. */
  readonly from?: { readonly subscription: number; readonly key: string };
}

type Source = 'adjustment' | 'charge' | 'usage' | 'top_up' | 'entitlement' | 'expiry';

/** A transaction that has changed the balance of an account, and the balance after it. */
export interface Movement {
  readonly source: Source;
  readonly amount: Rational;
  readonly executedAt: number;
  readonly balance: Rational;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly asset: string;
  readonly credits: Credit[];
  /** Those of the credits that may have something left. */
  readonly unspent: Set<Credit>;
  /** In the order in which they changed the balance. */
  readonly movements: Movement[];
  debt: Rational;
}

/** The id of an account, such as `default:USD`. */
export const accountId = (asset: string, name = 'default'): string => `${name}:${asset}`;

export const NEVER = Number.POSITIVE_INFINITY;

/** Whether a credit can be drawn. */
const isOpen = ({ isEffective, left }: Credit): boolean => isEffective && left.sign > 0;

export const available = ({ unspent, debt }: Account): Rational =>
  Rational.sum([...unspent].filter(isOpen).map(({ left }) => left)).minus(debt);

/** The revenue from the draws of a credit after this amount has been drawn in total. */
const countedAt = ({ worth, amount }: Credit, drawn: Rational): Rational =>
  drawn.equals(amount) ? worth : worth.times(drawn).over(amount).rounded(10);

/** Draws from one credit. Returns the revenue from it. */
function take(credit: Credit, amount: Rational): Rational {
  const before = countedAt(credit, credit.amount.minus(credit.left));
  credit.left = credit.left.minus(amount);
  return countedAt(credit, credit.amount.minus(credit.left)).minus(before);
}

const PURPOSES = ['promotion', 'bundled', 'paid'];

const inOrder = (left: Credit, right: Credit): number =>
  ascending(left.priority, right.priority) ||
  PURPOSES.indexOf(left.purpose) - PURPOSES.indexOf(right.purpose) ||
  ascending(left.expiresAt, right.expiresAt) ||
  left.effectiveAt - right.effectiveAt ||
  left.sequence - right.sequence;

const ascending = (left: number, right: number) => (left === right ? 0 : left < right ? -1 : 1);

/**
 * Draws credit in order and books the rest as debt. Returns the revenue, the debt, and the part of the revenue that is
 * shares of fees.
 */
export function draw(
  account: Account,
  amount: Rational,
  paidFirst = false,
): { readonly counted: Rational; readonly debt: Rational; readonly shares: Rational } {
  let [rest, counted, shares] = [amount, Rational.ZERO, Rational.ZERO];
  const isPaid = ({ purpose }: Credit) => Number(paidFirst && purpose === 'paid');
  const usable = [...account.unspent]
    .filter(isOpen)
    .sort((left, right) => isPaid(right) - isPaid(left) || inOrder(left, right));
  for (const credit of usable) {
    const part = rest.min(credit.left);
    const count = take(credit, part);
    counted = counted.plus(count);
    if (credit.from && credit.countsAlways) shares = shares.plus(count);
    rest = rest.minus(part);
  }
  account.debt = account.debt.plus(rest);
  return { counted, debt: rest, shares };
}

/** Makes a credit effective. It repays debt first, which adds no revenue. */
export function makeEffective(account: Account, credit: Credit, now: number): void {
  credit.isEffective = true;
  const repaid = account.debt.min(credit.left);
  account.debt = account.debt.minus(repaid);
  take(credit, repaid);
  execute(account, credit, now);
}

/** Records what has changed the balance. */
export function execute(
  account: Account,
  { source, amount }: Pick<Movement, 'source' | 'amount'>,
  now: number,
): void {
  account.movements.push({ source, amount, executedAt: now, balance: available(account) });
}

/** Ends the rest of a credit. Returns the revenue from it. */
export function end(credit: Credit): Rational {
  const counted = take(credit, credit.left);
  return credit.countsAlways ? counted : Rational.ZERO;
}
