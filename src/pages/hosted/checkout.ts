import type { DecimalText } from '../../domain/decimal.ts';
import { format } from '../../domain/decimal.ts';
import { fixedInterval } from '../../domain/fixed-fees.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Cycle } from '../../domain/spans.ts';
import type { Context } from '../../resources/context.ts';
import { feeOf, pricesOf, versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import type {
  CustomerRow,
  LinkRow,
  PaymentSession,
  SubscriptionRow,
  TopUpRow,
} from '../../store/records.ts';

/** The state of a payment link: payable, waiting for the money, paid, or ended without a payment. */
export type CheckoutState = 'open' | 'processing' | 'paid' | 'ended';

/** A payment for its page. */
export interface Checkout {
  readonly token: string;
  readonly id: string;
  readonly state: CheckoutState;
  readonly customer: CustomerRow;
  readonly amount: DecimalText;
  readonly currency: string;
  /** The items to pay for, with the seller's names. */
  readonly items: readonly CheckoutItem[];
  readonly description?: string | undefined;
  readonly expires_at?: Instant | undefined;
  /** Reason of the latest failed attempt. */
  readonly failure?: string | undefined;
  readonly return_url?: string | undefined;
  readonly failure_url?: string | undefined;
  readonly redirect_to: 'return_url' | 'portal';
}

export interface CheckoutItem {
  readonly name: string;
  /** Shown after the name: how often it is paid. */
  readonly interval?: Cycle;
  /** The credit that this item adds. */
  readonly credit?: { readonly amount: DecimalText; readonly asset: string };
}

/** Reads the payment of a payment link. */
export function readCheckout(context: Context, link: LinkRow): Checkout {
  const topUp = context.tables.top_ups.get(link.top_up_id ?? '');
  return topUp ? topUpCheckout(context, topUp) : feeCheckout(context, link);
}

function topUpCheckout(context: Context, topUp: TopUpRow): Checkout {
  const { payment, status, amount, currency, credit, asset, description } = topUp;
  const { return_url, failure_url } = topUp;
  const states = { succeeded: 'paid', pending: 'processing', expired: 'ended' } as const;
  const state =
    status in states ? states[status as keyof typeof states] : openState(payment, context.now);
  return {
    token: payment.token,
    id: topUp.id,
    state,
    customer: customerOf(context, topUp.customer_id),
    amount,
    currency,
    items: [{ name: 'Credit', credit: { amount: credit, asset } }],
    description,
    expires_at: payment.expires_at,
    failure: payment.failure,
    ...{ return_url, failure_url },
    redirect_to: 'return_url',
  };
}

/** Reads a subscription from one of its links. Only the latest link can be open. @assumes A-604 */
function feeCheckout(
  context: Context,
  { id: token, subscription_id = '', paid }: LinkRow,
): Checkout {
  const subscription = context.tables.subscriptions.get(subscription_id) as SubscriptionRow;
  const { payment, return_url, failure_url, redirect_to } = subscription;
  const current = payment?.token === token ? payment : undefined;
  const fee = feeOf(context, subscription);
  const ended = paid ? 'paid' : 'ended';
  return {
    token,
    id: subscription.id,
    state: current ? openState(current, context.now) : ended,
    customer: customerOf(context, subscription.customer_id),
    amount: fee ? format(fee.amount) : '0',
    currency: fee?.currency ?? context.settings.reporting_currency,
    items: itemsOf(context, subscription),
    expires_at: current?.expires_at,
    failure: current?.failure,
    ...{ return_url, failure_url, redirect_to },
  };
}

function itemsOf(context: Context, { products }: SubscriptionRow): CheckoutItem[] {
  return versionsOf(context, products).map((version) => {
    const interval = fixedInterval(pricesOf([version]));
    return { name: version.name, ...(interval && { interval }) };
  });
}

function openState({ status, expires_at }: PaymentSession, now: Instant): CheckoutState {
  if (status === 'processing') return 'processing';
  return expires_at <= now ? 'ended' : 'open';
}

const customerOf = ({ tables }: Context, id: string): CustomerRow =>
  tables.customers.get(id) as CustomerRow;
