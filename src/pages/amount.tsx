import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { groupBy } from '../domain/collections.ts';
import { findCurrency } from '../domain/currencies.ts';
import {
  type DecimalText,
  decimal,
  format,
  isNegative,
  isZero,
  negate,
  sum,
} from '../domain/decimal.ts';
import { PageContext } from './page-context.ts';
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
  const { contextOf } = useContext(PageContext);
  const text = (isSigned ? signed : quantity)(contextOf?.(owner), amount, asset);
  const owed = isNegative(decimal(amount));
  const isLong = text.length > LONG;
  const tone = isSigned ? !owed && 'in' : owed && 'owed';
  const [main, beyond, unit] = splitAmount(text, asset);
  const digits = (
    <>
      {isLong ? <Breakable text={main} before={/(?<=,)/} /> : main}
      {isLong && <wbr />}
      <Tail beyond={beyond} unit={unit} isPadded={!isLong} />
    </>
  );
  return (
    <data class={['amount', tone].filter(Boolean).join(' ')} value={amount}>
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

interface TailProps {
  readonly beyond: string;
  readonly unit: string;
  readonly isPadded: boolean;
}

/** What follows the digits of a currency's precision. In a column it has equal room, so that decimal points are aligned. */
function Tail({ beyond, unit, isPadded }: TailProps) {
  const room = useContext(RoomContext);
  const hasRoom = isPadded && room !== undefined;
  if (unit === '')
    return (
      <span class="beyond">
        {beyond}
        {hasRoom && <span class="pad">{spaces(room - beyond.length)}</span>}
      </span>
    );
  // The unit of a custom asset is where currencies have their decimals.
  return (
    <span class="unit">
      <span>
        {beyond}
        {unit}
      </span>
      {hasRoom && (
        <span class="pad">
          {SPACE_OF_POINT}
          {spaces(CENTS)}
          <span class="beyond">{spaces(room)}</span>
        </span>
      )}
    </span>
  );
}

/** As wide as so many digits. */
const spaces = (count: number): string => '\u2007'.repeat(Math.max(0, count));
const SPACE_OF_POINT = '\u2008';
/** The precision of most currencies. */
const CENTS = 2;

/** Amounts below each other, as the cell of a table. */
export const amountLines = (amounts: readonly AmountProps[]) =>
  amounts.map((each) => (
    <div key={each.asset}>
      <Amount {...each} />
    </div>
  ));

/** Sums amounts by asset: currencies, then custom assets, each by code. */
export const sumsByAsset = (amounts: readonly AmountProps[]): readonly AmountProps[] =>
  [...groupBy(amounts, ({ asset }) => asset)]
    .map(([asset, members]) => ({
      ...members[0],
      asset,
      amount: format(sum(members.map(({ amount }) => decimal(amount)))),
    }))
    .sort((left, right) => compareAssets(left.asset, right.asset));

/** Orders currencies before custom assets, each by code. */
export const compareAssets = (left: string, right: string): number =>
  placeOf(left) < placeOf(right) ? -1 : 1;

const placeOf = (asset: string): string => `${findCurrency(asset) ? 0 : 1} ${asset}`;

/** A fee as what it takes from a balance. A fee of 0 takes nothing and has no sign. */
export const asTaken = (fee: AmountProps): AmountProps =>
  isZero(decimal(fee.amount))
    ? fee
    : { ...fee, amount: format(negate(decimal(fee.amount))), isSigned: true };

/** How many digits beyond the currency's precision the amounts of a column have room for; undefined outside of columns. */
export const RoomContext = createContext<number | undefined>(undefined);

/** Returns the room that the amounts of a column need; in digits, which are about as wide as the letters of a unit. */
export function roomOf(amounts: readonly AmountProps[]): number {
  const needs = amounts.map(({ amount, asset }) => {
    const [, fraction = ''] = amount.split('.');
    const currency = findCurrency(asset);
    return currency ? fraction.length - currency.precision : fraction.length + asset.length - CENTS;
  });
  // Units alone, which are equal, are aligned by themselves.
  const hasCurrency = amounts.some(({ asset }) => findCurrency(asset));
  return hasCurrency ? Math.max(0, ...needs) : 0;
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
