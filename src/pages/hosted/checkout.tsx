import type { ComponentChildren } from 'preact';
import { add, type DecimalText, decimal, format } from '../../domain/decimal.ts';
import { fixedInterval } from '../../domain/fixed-fees.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Context } from '../../resources/context.ts';
import type { Payable } from '../../resources/payments/payables.ts';
import { findPayable, payableOf } from '../../resources/payments/payments.ts';
import { feeOf, versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import { endOfGrant } from '../../resources/wallets/ledger.ts';
import type {
  CustomerRow,
  LinkRow,
  SubscriptionRow,
  TopUpRow,
  WalletAccountRow,
} from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { Time } from '../time.tsx';
import { cycleText, money, quantity } from '../wording.ts';

/** A payment for its page. */
export interface Checkout {
  readonly token: string;
  readonly id: string;
  readonly state: Payable['state'];
  readonly customer: CustomerRow;
  readonly amount: DecimalText;
  readonly currency: string;
  /** The products to pay for, with the seller's names, or credit. */
  readonly items: readonly CheckoutItem[];
  /** The balance of the account once a top-up is paid. */
  readonly balance?: { readonly amount: DecimalText; readonly asset: string };
  readonly description?: string | undefined;
  readonly expires_at?: Instant | undefined;
  /** Reason of the latest failed attempt. */
  readonly failure?: string | undefined;
  readonly return_url?: string | undefined;
  readonly failure_url?: string | undefined;
  readonly redirect_to?: SubscriptionRow['redirect_to'];
}

/** What is paid for: a product, or credit. */
interface CheckoutItem {
  readonly name: string;
  /** How often it is paid; of credit its price, and how long it is valid. */
  readonly about: ComponentChildren;
  /** Its part of the amount to pay; undefined if it costs nothing now. */
  readonly amount: DecimalText | undefined;
}

/** Reads the payment of a payment link. Only the latest link of a subscription can be open. @assumes A-604 */
export function readCheckout(context: Context, { id: token }: LinkRow): Checkout {
  const row = findPayable(context, token) as TopUpRow | SubscriptionRow;
  const { id, customer_id, payment, return_url, failure_url } = row;
  return {
    token,
    id,
    return_url,
    failure_url,
    state: payableOf(context, row, token).state,
    customer: context.tables.customers.get(customer_id) as CustomerRow,
    expires_at: payment?.expires_at,
    failure: payment?.failure,
    ...('credit' in row ? creditBill(context, row) : feeBill(context, row)),
  };
}

/** What is paid for. */
type Bill = Pick<
  Checkout,
  'amount' | 'currency' | 'items' | 'balance' | 'description' | 'redirect_to'
>;

function creditBill(context: Context, topUp: TopUpRow): Bill {
  const { amount, currency, description } = topUp;
  const balance = balanceAfter(context, topUp);
  return { amount, currency, description, balance, items: [creditOf(context, topUp)] };
}

function feeBill(context: Context, subscription: SubscriptionRow): Bill {
  const fee = feeOf(context, subscription);
  return {
    amount: fee ? format(fee.amount) : '0',
    currency: fee?.currency ?? context.settings.reporting_currency,
    items: itemsOf(context, subscription),
    redirect_to: subscription.redirect_to,
  };
}

/** What a top-up buys, at which rate, and how long it is valid if it is paid now. */
function creditOf(context: Context, topUp: TopUpRow): CheckoutItem {
  const { amount, currency, asset, credit, exchange_rate, credit_expires_at } = topUp;
  const ends_at = endOfGrant(context, 'paid', context.now, credit_expires_at);
  const about = (
    <>
      {asset !== currency && `${money(exchange_rate, currency)} each, `}
      <Time before="valid until " at={ends_at} as="day" none="does not expire" />
    </>
  );
  return { name: `Credit of ${quantity(context, credit, asset)}`, about, amount };
}

function balanceAfter({ tables }: Context, topUp: TopUpRow) {
  const { customer_id, account_name, asset, credit } = topUp;
  const id = key(customer_id, `${account_name}:${asset}`);
  const { available } = tables.wallet_accounts.get(id) as WalletAccountRow;
  return { amount: format(add(decimal(available), decimal(credit))), asset };
}

function itemsOf(context: Context, subscription: SubscriptionRow): CheckoutItem[] {
  return versionsOf(context, subscription.products).map((version) => {
    const fee = feeOf(context, subscription, version);
    const interval = fixedInterval(version.prices);
    const about = interval && cycleText(interval);
    return { name: version.name, about, amount: fee && format(fee.amount) };
  });
}

/** The path of a payment page, or of one of its forms. */
export const checkoutPath = (token: string, step?: 'pay' | 'confirm' | 'cancel'): string =>
  `/hosted/checkout/${token}${step ? `/${step}` : ''}`;
