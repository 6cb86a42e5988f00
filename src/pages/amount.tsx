import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { groupBy } from '../domain/collections.ts';
import { findCurrency } from '../domain/currencies.ts';
import { type DecimalText, decimal, format, isNegative, sum } from '../domain/decimal.ts';
import { SurroundingsContext } from './page-context.ts';
import { Breakable } from './parts.tsx';
import { quantity, signed } from './wording.ts';

export interface AmountProps {
  /** Owner of the custom asset, if it is not the owner of the page. */
  readonly owner?: string;
  readonly amount: DecimalText;
  /** Code of a currency or of a custom asset. */
  readonly asset: string;
  /** Whether to show a plus sign too. Negative amounts are then not red. */
  readonly isSigned?: boolean;
}

/** A longer amount can wrap between its thousands groups, so that it does not widen its column. */
const LONG = 22;

/** An amount with all of its digits. Digits beyond the currency's precision are smaller. A negative amount is red. */
export function Amount({ owner, amount, asset, isSigned = false }: AmountProps) {
  const { contextOf } = useContext(SurroundingsContext);
  const missing = Math.max(0, useContext(PlacesContext) - placesBeyond({ amount, asset }));
  const text = (isSigned ? signed : quantity)(contextOf?.(owner), amount, asset);
  const owed = isNegative(decimal(amount));
  const isLong = text.length > LONG;
  const tone = isSigned ? !owed && 'in' : owed && 'owed';
  const classes = ['amount', tone];
  const [main, beyond, unit] = splitAmount(text, asset);
  const digits = (
    <>
      {isLong ? <Breakable text={main} before={/(?<=,)/} /> : main}
      {isLong && <wbr />}
      {unit === '' ? (
        <span class="beyond">
          {beyond}
          {!isLong && missing > 0 && <span class="pad">{FIGURE_SPACE.repeat(missing)}</span>}
        </span>
      ) : (
        <span class="unit">
          {beyond}
          {unit}
        </span>
      )}
    </>
  );
  return (
    <data class={classes.filter(Boolean).join(' ')} value={amount}>
      {beyond === '' ? (
        digits
      ) : (
        // Screen readers would say the digits beyond as a number of their own.
        <>
          <span class="hidden">{text}</span>
          <span aria-hidden="true">{digits}</span>
        </>
      )}
    </data>
  );
}

/** Amounts below each other, as the cell of a table. */
export const amountLines = (amounts: readonly AmountProps[]) =>
  amounts.map((each) => (
    <div key={each.asset}>
      <Amount {...each} />
    </div>
  ));

/** Sums amounts by asset. */
export const sumsByAsset = (amounts: readonly AmountProps[]): readonly AmountProps[] =>
  [...groupBy(amounts, ({ asset }) => asset)].map(([asset, members]) => ({
    ...members[0],
    asset,
    amount: format(sum(members.map(({ amount }) => decimal(amount)))),
  }));

/** The most digits beyond the currency's precision in a column, so that its decimal points are aligned. */
export const PlacesContext = createContext(0);

/** Returns the most digits beyond the currency's precision of some amounts. */
export const placesOf = (amounts: readonly AmountProps[]): number =>
  Math.max(0, ...amounts.map(placesBeyond));

/** As wide as a digit. */
const FIGURE_SPACE = '\u2007';

function placesBeyond({ amount, asset }: Pick<AmountProps, 'amount' | 'asset'>): number {
  const [, fraction = ''] = amount.split('.');
  return Math.max(0, fraction.length - (findCurrency(asset)?.precision ?? 0));
}

/** Splits an amount into the digits up to its currency's precision, the digits beyond, and the unit. */
function splitAmount(text: string, asset: string): [main: string, beyond: string, unit: string] {
  const currency = findCurrency(asset);
  const end = currency ? -1 : text.indexOf(' ');
  const number = end < 0 ? text : text.slice(0, end);
  const [whole = '', fraction] = number.split('.');
  const unit = text.slice(number.length);
  if (fraction === undefined) return [whole, '', unit];
  const places = currency?.precision ?? 0;
  const beyond = places === 0 ? `.${fraction}` : fraction.slice(places);
  return [places === 0 ? whole : `${whole}.${fraction.slice(0, places)}`, beyond, unit];
}
