import type { Resumable } from '../resumable.ts';

/** What must hold in every ledger, and where it does not. */
export const LAWS = {
  transaction_balanced: 'A posting moves a positive amount into the wallet or out of it.',
  balance_replayed: 'A balance is the sum of the postings before it.',
  grant_accounted: 'What a grant has left is its amount less what was repaid, drawn and expired.',
  grant_not_overdrawn: 'No grant gives more than it has.',
  debt_repaid_first: 'A credit repays debt before anything of it is left.',
  draw_valued: 'What is drawn counts what it is worth, and debt its value at a rate.',
  fee_deferred:
    'A collected fee has counted, waits for credit, or went with credit that was given.',
  revenue_complete:
    'Revenue is fees collected less shares carried or given up, and credit and debt counted.',
  available_covered: 'What is available is what grants have left or, without any, minus the debt.',
  id_unique: 'An id is assigned once.',
  fee_posted: 'Each fee has one transaction of its amount, a fee of 0 none.',
  holdings_in_order: 'A subscription held one version after the other, the last of them its own.',
  sum_recounted: 'A stored sum equals its recount.',
  index_complete: 'An index holds the rows of its table, each where it belongs.',
} as const;

export type Law = keyof typeof LAWS;

/** One place where a law does not hold. */
export interface Breach {
  readonly law: Law;
  /** The record: a transaction, a grant, a wallet account, a fee or a sum. */
  readonly id: string;
  readonly customer_id?: string;
  /** What was expected and what is there. */
  readonly message: string;
}

/** The breach of a law where `got` is not what is `due`; none where it is. The message calls it `said`. */
export function differing(
  law: Law,
  { id, customer_id }: Pick<Breach, 'id' | 'customer_id'>,
  due: string,
  got: string,
  said = got,
): Breach[] {
  if (due === got) return [];
  return [
    { law, id, ...(customer_id !== undefined && { customer_id }), message: expected(due, said) },
  ];
}

export const expected = (wanted: string, got: string): string => `Expected ${wanted}, got ${got}.`;

/** What is wrong with some records, judged one after the other, with a pause after each. */
export function* findInEach<R, F>(
  rows: Iterable<R>,
  judge: (row: R) => readonly F[],
): Resumable<F[]> {
  const found: F[] = [];
  for (const row of rows) {
    found.push(...judge(row));
    yield;
  }
  return found;
}
