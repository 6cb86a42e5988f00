import {
  add,
  CURRENCY_PLACES,
  compare,
  type Decimal,
  type DecimalText,
  decimal,
  divide,
  isPositive,
  isZero,
  minimum,
  multiply,
  subtract,
  ZERO,
} from './decimal.ts';
import type { Instant } from './instant.ts';

interface Draw<G> {
  readonly grant: G;
  readonly amount: Decimal;
}

interface Drawing<G> {
  readonly draws: readonly Draw<G>[];
  /** The amount that no grant covers. It becomes debt. */
  readonly uncovered: Decimal;
}

/**
 * Draws an amount from grants in the given order. Each grant is used up before the next.
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
    if (isZero(drawn)) continue;
    draws.push({ grant, amount: drawn });
    due = subtract(due, drawn);
  }
  return { draws, uncovered: due };
}

/** The rest of a credit after it has repaid the account's debt. @assumes A-705 a credit repays debt first */
export function afterRepayment(credit: Decimal, available: Decimal): Decimal {
  if (compare(available, ZERO) >= 0) return credit;
  const left = add(credit, available);
  return isPositive(left) ? left : ZERO;
}

export type GrantPurpose = 'paid' | 'promotion' | 'bundled';

/** The fields of a grant that decide its place in the draw-down order. */
export interface DrawTerms {
  readonly priority?: number | undefined;
  readonly purpose: GrantPurpose;
  readonly expires_at: Instant | null;
  readonly effective_at: Instant;
}

const PURPOSE_RANK = { promotion: 0, bundled: 1, paid: 2 } as const;
const NEVER = 'never';
/** Sorts after every number. */
const WITHOUT_PRIORITY = 'none';

/**
 * A sort key for the draw-down order. Grants with equal keys are drawn in order of creation.
 *
 * @assumes A-705, A-1508
 */
export function drawOrder({ priority, purpose, expires_at, effective_at }: DrawTerms): string {
  const rank = priority === undefined ? WITHOUT_PRIORITY : String(priority).padStart(10, '0');
  return `${rank} ${PURPOSE_RANK[purpose]} ${expires_at ?? NEVER} ${effective_at}`;
}

/** Explains why one grant is drawn before the next. @assumes A-705, A-1508 */
export function explainOrder(first: DrawTerms, next: DrawTerms): string {
  if (first.priority !== next.priority)
    return next.priority === undefined
      ? `credit of priority ${first.priority} is drawn before credit without one`
      : `credit of priority ${first.priority} is drawn before that of priority ${next.priority}`;
  if (first.purpose !== next.purpose)
    return `${first.purpose} credit is drawn before ${next.purpose} credit`;
  if (first.expires_at !== next.expires_at)
    return next.expires_at === null
      ? 'it expires and the next never does'
      : `it expires before the next, which lasts until ${next.expires_at}`;
  return first.effective_at === next.effective_at
    ? 'it was given before the next, at the same instant'
    : 'it is older than the next';
}

/** The source of a grant's revenue: its purchase, its share of a collected fixed fee, or its revenue basis. */
export type WorthKind = 'paid' | 'fee_share' | 'revenue_basis';

/** The revenue of a grant if all of it is used, in the reporting currency. */
interface Worth {
  readonly kind: WorthKind;
  readonly amount: DecimalText;
}

/** The fields of a grant that decide its revenue. Without `worth`, the grant has no revenue. */
interface WorthyCredit {
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
