import { useContext } from 'preact/hooks';
import { findCurrency } from '../domain/currencies.ts';
import { type DecimalText, decimal, isNegative } from '../domain/decimal.ts';
import { Breakable } from './parts.tsx';
import { SurroundingsContext } from './surroundings.ts';
import { quantity, signed } from './wording.ts';

export interface AmountProps {
  /** Whose custom asset it may be, where that is not the owner of the page. */
  readonly owner?: string;
  readonly amount: DecimalText;
  /** A currency or a custom asset. */
  readonly asset: string;
  /** Whether its sign stands in front, that of an income too. */
  readonly isSigned?: boolean;
}

/** Longer amounts may break between their thousands, so that they push nothing aside. */
const LONG = 22;

/** An amount with all of its digits, those beyond its currency's smaller; red where it is owed. */
export function Amount({ owner, amount, asset, isSigned = false }: AmountProps) {
  const { contextOf } = useContext(SurroundingsContext);
  const text = (isSigned ? signed : quantity)(contextOf?.(owner), amount, asset);
  const owed = isNegative(decimal(amount));
  const isLong = text.length > LONG;
  const classes = ['amount', isLong && 'long', tone(owed, isSigned)];
  const [main, beyond, unit] = splitAmount(text, asset);
  return (
    <data class={classes.filter(Boolean).join(' ')} value={amount}>
      {isLong ? <Breakable text={main} before={/(?<=,)/} /> : main}
      {isLong && <wbr />}
      {unit === '' ? (
        <span class="beyond">{beyond}</span>
      ) : (
        <span class="unit">
          {beyond}
          {unit}
        </span>
      )}
    </data>
  );
}

function tone(owed: boolean, isSigned: boolean): string | undefined {
  if (isSigned) return owed ? undefined : 'in';
  return owed ? 'owed' : undefined;
}

/** The class of a column of amounts, in which their points stand below each other. */
export function placesOf(amounts: readonly AmountProps[]): string {
  const most = Math.max(0, ...amounts.map(placesBeyond));
  return most === 0 ? '' : `places-${Math.min(most, MOST_PLACES)}`;
}

/** More digits beyond a currency's stand out of line. */
const MOST_PLACES = 8;

function placesBeyond({ amount, asset }: Pick<AmountProps, 'amount' | 'asset'>): number {
  const [, fraction = ''] = amount.split('.');
  return Math.max(0, fraction.length - (findCurrency(asset)?.precision ?? 0));
}

/** An amount's text up to the places of its currency, the digits beyond them, and what follows. */
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
