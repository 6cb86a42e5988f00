import { add, type Decimal, type DecimalText, decimal, format, negate, ZERO } from './decimal.ts';

interface Moved {
  readonly postings: readonly { readonly from: string; readonly amount: DecimalText }[];
}

/** The change of the wallet account by a transaction, in its asset; negative if it paid. */
export const gainOf = ({ postings }: Moved): Decimal =>
  postings.reduce(
    (gain, { from, amount }) =>
      add(gain, from === 'wallet' ? negate(decimal(amount)) : decimal(amount)),
    ZERO,
  );

/** The same as text. */
export const gainText = (transaction: Moved): DecimalText => format(gainOf(transaction));
