import { format } from '../domain/decimal.ts';
import { fixedInterval } from '../domain/fixed-fees.ts';
import {
  feeOf,
  pricesHeld,
  recurringFeeOf,
} from '../resources/subscriptions/subscribed-products.ts';
import type { FeeRecord, SubscriptionRow } from '../store/records.ts';
import { Amount } from './amount.tsx';
import { useServiceContext } from './page-context.ts';
import { cycleText, numberText } from './wording.ts';

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
