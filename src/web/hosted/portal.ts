import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { findCurrency } from '../../domain/currencies.ts';
import { type DecimalText, decimal, format, sum } from '../../domain/decimal.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import type { Context } from '../../resources/context.ts';
import { feeOf, versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import type {
  CustomerRow,
  GrantRow,
  PaymentSession,
  PortalVisitRow,
  WalletAccountRow,
} from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import type { FormBody } from '../forms.tsx';
import type { CardEntry } from './card-form.ts';

/** A customer's visit of the portal, which all parts of its page show. */
export interface Portal {
  readonly context: Context;
  readonly visit: PortalVisitRow;
  readonly customer: CustomerRow;
  readonly query?: FormBody;
  readonly problem?: FormProblem;
}

/** Why a form comes back, and what it was sent with. */
export interface FormProblem {
  readonly form: string;
  readonly text: string;
  /** The first field that is wrong, where it is not one of the card. */
  readonly wrong?: 'amount' | 'threshold';
  readonly values: {
    readonly amount?: string;
    readonly currency?: string;
    readonly threshold?: string;
  };
  readonly card?: CardEntry;
}

export const CurrentPortal = createContext<Portal | undefined>(undefined);

export const usePortal = (): Portal => useContext(CurrentPortal) as Portal;

/** Why the form of a name comes back; undefined where it does not. */
export function useProblem(form: string): FormProblem | undefined {
  const { problem } = usePortal();
  return problem?.form === form ? problem : undefined;
}

/** A wallet account as customers call it: by its asset, and by its name where it is not the usual one. */
export function accountText(
  context: Context,
  { name, asset }: Pick<WalletAccountRow, 'name' | 'asset'>,
): string {
  const assetText = findCurrency(asset) ? asset : (findAsset(context, asset)?.name ?? asset);
  return name === 'default' ? assetText : `${assetText} (${name})`;
}

/** A wallet account with its credit, read from the ledger. */
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
    if (!payment || !fee) return [];
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
