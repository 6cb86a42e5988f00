import type { TimeSliced } from '../store/time-sliced.ts';

/** What must hold in every ledger. */
export const INVARIANTS = {
  transaction_balanced: 'A posting moves a positive amount into the wallet or out of it.',
  balance_replayed: 'A balance is the sum of the postings before it.',
  grant_accounted:
    "A grant's remaining credit is its amount minus repaid debt, draws and expired credit.",
  grant_not_overdrawn:
    'The remaining credit and the repaid debt of a grant are between 0 and its amount.',
  debt_repaid_first: 'New credit repays debt first; a grant gets only the rest.',
  draw_valued:
    'A draw counts as revenue the value of its credit; debt of a fee counts its value at a rate.',
  fee_deferred:
    'Each part of a collected fee counts as revenue, waits for credit that falls due, or belongs to given credit.',
  revenue_complete:
    'Revenue is the collected fees without parts that wait, belong to credit or were given up, plus the revenue of other credit and of debt.',
  available_covered:
    'The balance is the remaining credit of the grants or, without any, the negative debt.',
  id_unique: 'An id is assigned once.',
  fee_posted: 'Each fee has one transaction of its amount; a fee of 0 has none.',
  phases_in_order: 'A subscription has one version after another; the last is its current version.',
  sum_recounted: 'A stored sum equals the recalculated sum.',
  index_complete: 'An index contains the rows of its table, each in its place.',
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** One place where an invariant does not hold. */
export interface Violation {
  readonly invariant: Invariant;
  /** The record: a transaction, a grant, a wallet account, a fee or a sum. */
  readonly id: string;
  readonly customer_id?: string;
  /** What was expected and what is there. */
  readonly message: string;
}

/** The violation of an invariant if `got` differs from `due`. The message shows `said` in place of `got`. */
export function differing(
  invariant: Invariant,
  { id, customer_id }: Pick<Violation, 'id' | 'customer_id'>,
  due: string,
  got: string,
  said = got,
): Violation[] {
  if (due === got) return [];
  return [
    {
      invariant,
      id,
      ...(customer_id !== undefined && { customer_id }),
      message: expected(due, said),
    },
  ];
}

export const expected = (wanted: string, got: string): string => `Expected ${wanted}, got ${got}.`;

/** What is wrong with some records, checked one after the other, with a pause after each. */
export function* findInEach<R, F>(
  rows: Iterable<R>,
  violationsOf: (row: R) => readonly F[],
): TimeSliced<F[]> {
  const found: F[] = [];
  for (const row of rows) {
    found.push(...violationsOf(row));
    yield;
  }
  return found;
}
