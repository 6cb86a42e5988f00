import { add, type Decimal, type DecimalText, decimal, format, negate, ZERO } from './decimal.ts';

interface Moved {
  readonly postings: readonly { readonly from: string; readonly amount: DecimalText }[];
}

/** What the wallet account gained by a transaction, in its asset; negative where it paid. */
export const gainOf = ({ postings }: Moved): Decimal =>
  postings.reduce(
    (gain, { from, amount }) =>
      add(gain, from === 'wallet' ? negate(decimal(amount)) : decimal(amount)),
    ZERO,
  );

/** The same as text. */
export const gainText = (transaction: Moved): DecimalText => format(gainOf(transaction));
