import { type DecimalText, format } from '../domain/decimal.ts';
import { fixedInterval } from '../domain/fixed-fees.ts';
import type { Context } from '../resources/context.ts';
import {
  feeOf,
  pricesHeld,
  recurringFeeOf,
} from '../resources/subscriptions/subscribed-products.ts';
import type { FeeRecord, SubscriptionRow } from '../store/records.ts';
import { Amount } from './amount.tsx';
import { useServiceContext } from './page-context.ts';
import { cycleText, numberText, quantity } from './wording.ts';

/**
 * Returns the calculation of a fee in one line, such as `417,000 tokens × $10.00 per 1,000,000` or
 * `60 tokens, with 90 used before`.
 *
 * @assumes A-508, A-1501
 */
export function feeExplanation(context: Context, fee: FeeRecord): string {
  const { terms, counted } = fee;
  const { unit_price, volume_rate, currency } = terms;
  if (counted) return `${usedText(fee)}, with ${numberText(counted.before)} used before`;
  const parts = [
    ...(unit_price === null ? [] : [`${quantity(context, unit_price, currency)} each`]),
    ...(volume_rate === null ? [] : [volumeText(context, fee, volume_rate)]),
  ];
  return parts.join(' + ');
}

function volumeText(context: Context, fee: FeeRecord, volumeRate: DecimalText): string {
  const { package_size, currency } = fee.terms;
  const isOfOne = package_size === null || package_size === 1;
  const per = isOfOne ? 'each' : `per ${numberText(package_size)}`;
  return `${usedText(fee)} × ${quantity(context, volumeRate, currency)} ${per}`;
}

function usedText({ input_volume, terms }: FeeRecord): string {
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
