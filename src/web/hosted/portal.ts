import { type DecimalText, decimal, format, sum } from '../../domain/decimal.ts';
import { isPaymentNeeded } from '../../domain/subscriptions.ts';
import type { Context } from '../../resources/context.ts';
import { feeOf, versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import type {
  CustomerRow,
  GrantRow,
  PaymentSession,
  WalletAccountRow,
} from '../../state/records.ts';
import { key } from '../../state/schema.ts';

/** What the portal shows of a customer. All of it is read from the ledger and the records behind it. */

/** A wallet account with its credit. */
export interface AccountView {
  readonly account: WalletAccountRow;
  /** What can still be drawn, in the order in which it will be. */
  readonly open: readonly GrantRow[];
  /** What is used up or has expired, newest first. */
  readonly ended: readonly GrantRow[];
  /** Paid for, and not there yet. */
  readonly pending: DecimalText;
}

export function accountsOf({ tables }: Context, customer: CustomerRow): AccountView[] {
  return tables.wallet_accounts.list('customer', customer.id).map((account) => {
    const incoming = tables.top_ups.list('pending', account.id);
    return {
      account,
      open: tables.grants.list('open', account.id),
      ended: tables.grants
        .list('account', account.id)
        .filter(({ remaining }) => remaining === '0')
        .toReversed(),
      pending: format(sum(incoming.map(({ credit }) => decimal(credit)))),
    };
  });
}

/** A fixed fee that waits for its payment. */
export interface Outstanding {
  readonly name: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly payment: PaymentSession;
}

/** The fixed fees that a customer has yet to pay, with the links to pay them by. */
export function outstandingOf(context: Context, customer: CustomerRow): Outstanding[] {
  const waiting = context.tables.subscriptions
    .list('customer', customer.id)
    .filter(({ status }) => status === 'action_required');
  return waiting.flatMap((subscription) => {
    const fee = feeOf(context, subscription);
    const { payment } = subscription;
    if (!payment || !isPaymentNeeded(fee)) return [];
    const names = versionsOf(context, subscription.products).map(({ name }) => name);
    const { amount, currency } = fee;
    return [{ name: names.join(', '), amount: format(amount), currency, payment }];
  });
}

/** The wallet account with an id such as `default:USD`; undefined where the customer has none such. */
export function accountOf(
  { tables }: Context,
  customer: CustomerRow,
  accountId: string,
): WalletAccountRow | undefined {
  return tables.wallet_accounts.get(key(customer.id, accountId));
}
