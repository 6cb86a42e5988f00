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
import { fixedInterval } from '../domain/fixed-fees.ts';
import {
  feeOf,
  pricesHeld,
  recurringFeeOf,
} from '../resources/subscriptions/subscribed-products.ts';
import type { FeeRecord, SubscriptionRow } from '../store/records.ts';
import { PageContext, useServiceContext } from './page.tsx';
import { cycleText, numberText, quantity, signed } from './wording.ts';

export interface AmountProps {
  /** Owner of the custom asset, if it is not the owner of the page. */
  readonly owner?: string;
  readonly amount: DecimalText;
  /** Code of a currency or of a custom asset. */
  readonly asset: string;
  /** Whether to show a plus sign too. Negative amounts are then not red. */
  readonly isSigned?: boolean;
}

/** A longer amount can wrap, so that it does not widen its column. */
const LONG = 22;

/** An amount with all of its digits. Digits beyond the currency's precision are smaller. A negative amount is red. */
export function Amount({ owner, amount, asset, isSigned = false }: AmountProps) {
  const { contextOf } = useContext(PageContext);
  const text = (isSigned ? signed : quantity)(contextOf?.(owner), amount, asset);
  const owed = isNegative(decimal(amount));
  const tone = isSigned ? !owed && 'in' : owed && 'owed';
  const [main, beyond, unit] = splitAmount(text, asset);
  const digits = (
    <>
      {main}
      {unit === '' ? (
        <span class="beyond">{beyond}</span>
      ) : (
        <span class="unit">{beyond + unit}</span>
      )}
    </>
  );
  return (
    <data
      class={['amount', tone, text.length > LONG && 'long'].filter(Boolean).join(' ')}
      value={amount}
    >
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

/** The precision of most currencies. */
const CENTS = 2;

/** The style sheet has a class for each even number of places up to this one. */
const MAX_PLACES = 12;

/**
 * How many digits beyond the currency's precision the amounts of a column need room for, so that their points are aligned;
 * undefined without currencies, as units alone are aligned by themselves. The unit of a custom asset is where currencies
 * have their decimals; a letter is about as wide as a digit.
 */
export function placesOf(amounts: readonly AmountProps[]): number | undefined {
  if (!amounts.some(({ asset }) => findCurrency(asset))) return undefined;
  const needs = amounts.map(({ amount, asset }) => {
    const [, fraction = ''] = amount.split('.');
    const currency = findCurrency(asset);
    return currency ? fraction.length - currency.precision : fraction.length + asset.length - CENTS;
  });
  return Math.min(MAX_PLACES, 2 * Math.ceil(Math.max(0, ...needs) / 2));
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

/** Returns what a fee is for, such as `417,000 tokens`. */
export function usedText({ input_volume, terms }: FeeRecord): string {
  if (input_volume === null) return '1 event';
  return [numberText(input_volume), terms.volume_field].filter(Boolean).join(' ');
}

/** The recurring price; else the one-time price; else the note that only usage is billed. */
export function SubscriptionPrice({ subscription }: { readonly subscription: SubscriptionRow }) {
  const context = useServiceContext(subscription.owner);
  const recurring = recurringFeeOf(context, subscription);
  const fee = recurring ?? feeOf(context, subscription);
  if (!fee) return <span class="muted">by usage</span>;
  const cycle = recurring && fixedInterval(pricesHeld(context, subscription));
  return (
    <>
      <Amount amount={format(fee.amount)} asset={fee.currency} />{' '}
      <span class="muted">{cycle ? cycleText(cycle) : 'once'}</span>
    </>
  );
}
