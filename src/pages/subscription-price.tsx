import { format } from '../domain/decimal.ts';
import { fixedInterval } from '../domain/fixed-fees.ts';
import type { Context } from '../resources/context.ts';
import {
  feeOf,
  pricesHeld,
  recurringFeeOf,
} from '../resources/subscriptions/subscribed-products.ts';
import type { SubscriptionRow } from '../store/records.ts';
import { Amount } from './amount.tsx';
import { cycleText } from './wording.ts';

interface PriceProps {
  readonly context: Context;
  readonly subscription: SubscriptionRow;
}

/** The recurring price; else the one-time price; else the note that only usage is billed. */
export function SubscriptionPrice({ context, subscription }: PriceProps) {
  const recurring = recurringFeeOf(context, subscription);
  const fee = recurring ?? feeOf(context, subscription);
  if (!fee) return <>by usage</>;
  const cycle = recurring && fixedInterval(pricesHeld(context, subscription));
  return (
    <>
      <Amount amount={format(fee.amount)} asset={fee.currency} />{' '}
      <span class="muted">{cycle ? cycleText(cycle) : 'once'}</span>
    </>
  );
}
