import {
  compareFractions,
  type Fraction,
  minus,
  over,
  plus,
  rounded,
  smaller,
  times,
  ZERO_FRACTION,
} from './fraction.ts';

/** Credit, what is left of it, and what its draws bring in. */
export interface Credit {
  readonly sequence: number;
  readonly asset: string;
  readonly purpose: 'promotion' | 'bundled' | 'paid';
  readonly priority: number;
  readonly amount: Fraction;
  left: Fraction;
  readonly effectiveAt: number;
  expiresAt: number;
  /** What the whole of it is worth, and whether that counts also where it is not drawn. */
  readonly worth: Fraction;
  readonly countsAlways: boolean;
  /** Whether a refresh moves its end, so that it ends only after those of the same instant. */
  readonly rolls?: boolean;
  /** Given and able to be drawn. */
  isEffective: boolean;
  readonly movement: Movement;
  /** The entitlement that gave it, where one did. */
  readonly from?: { readonly subscription: number; readonly key: string };
}

/** A transaction of an account. */
export interface Movement {
  readonly source: 'adjustment' | 'charge' | 'usage' | 'top_up' | 'entitlement' | 'expiry';
  readonly amount: Fraction;
  readonly createdAt: number;
  /** When it moved the balance, and what that was then. */
  executedAt?: number;
  balance?: Fraction;
  /** What the caller gave for it. */
  readonly texts?: Readonly<Record<string, unknown>> | undefined;
  /** The caller's own transaction, usage event or top-up, each by its place in the order of making. */
  readonly about?: number | undefined;
}

export interface Account {
  /** Such as `default:USD`. */
  readonly id: string;
  readonly credits: Credit[];
  /** In the order in which they moved the balance. */
  readonly movements: Movement[];
  debt: Fraction;
}

export const NEVER = Number.POSITIVE_INFINITY;

/** Whether a credit can be drawn. */
export const isOpen = ({ isEffective, left }: Credit): boolean => isEffective && left.top > 0n;

export const available = ({ credits, debt }: Account): Fraction =>
  credits.filter(isOpen).reduce((sum, { left }) => plus(sum, left), minus(ZERO_FRACTION, debt));

/** What the draws of a credit count when this much of it has been drawn in all. */
const countedAt = ({ worth, amount }: Credit, drawn: Fraction): Fraction =>
  compareFractions(drawn, amount) === 0 ? worth : rounded(over(times(worth, drawn), amount), 10);

/** Takes from one credit and answers what that counts. */
export function take(credit: Credit, amount: Fraction): Fraction {
  const before = countedAt(credit, minus(credit.amount, credit.left));
  credit.left = minus(credit.left, amount);
  return minus(countedAt(credit, minus(credit.amount, credit.left)), before);
}

const PURPOSES = ['promotion', 'bundled', 'paid'];

const inOrder = (left: Credit, right: Credit): number =>
  ascending(left.priority, right.priority) ||
  PURPOSES.indexOf(left.purpose) - PURPOSES.indexOf(right.purpose) ||
  ascending(left.expiresAt, right.expiresAt) ||
  left.effectiveAt - right.effectiveAt ||
  left.sequence - right.sequence;

const ascending = (left: number, right: number) => (left === right ? 0 : left < right ? -1 : 1);

/** Draws credit in its order and makes debt of the rest; answers what that counts, and what of it are shares of fees. */
export function draw(
  account: Account,
  amount: Fraction,
  paidFirst = false,
): { readonly counted: Fraction; readonly debt: Fraction; readonly shares: Fraction } {
  let [rest, counted, shares] = [amount, ZERO_FRACTION, ZERO_FRACTION];
  const isPaid = ({ purpose }: Credit) => Number(paidFirst && purpose === 'paid');
  const usable = account.credits
    .filter(isOpen)
    .sort((left, right) => isPaid(right) - isPaid(left) || inOrder(left, right));
  for (const credit of usable) {
    const part = smaller(rest, credit.left);
    const count = take(credit, part);
    counted = plus(counted, count);
    if (credit.from && credit.countsAlways) shares = plus(shares, count);
    rest = minus(rest, part);
  }
  account.debt = plus(account.debt, rest);
  return { counted, debt: rest, shares };
}

/** Credit becomes effective: it repays debt first, which counts nothing more. */
export function makeEffective(account: Account, credit: Credit, now: number): void {
  credit.isEffective = true;
  const repaid = smaller(account.debt, credit.left);
  account.debt = minus(account.debt, repaid);
  take(credit, repaid);
  execute(account, credit.movement, now);
}

/** Notes that a movement has moved the balance. */
export function execute(account: Account, movement: Movement, now: number): void {
  account.movements.push(Object.assign(movement, { executedAt: now, balance: available(account) }));
}

/** Ends what is left of a credit, and answers what that counts. */
export function end(credit: Credit): Fraction {
  const counted = take(credit, credit.left);
  return credit.countsAlways ? counted : ZERO_FRACTION;
}
