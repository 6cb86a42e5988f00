import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { findCurrency } from '../../domain/currencies.ts';
import { format } from '../../domain/decimal.ts';
import type { Day } from '../../domain/instant.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import type { Context } from '../../resources/context.ts';
import { feeOf, versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import { rowsOf, type Sums } from '../../store/query.ts';
import type { CustomerRow, WalletAccountRow } from '../../store/records.ts';
import type { CardEntry } from './card-form.tsx';
import type { LinkRequest } from './linked-page.ts';

/** A request of a customer, by the link of a visit. */
export interface PortalRequest extends LinkRequest {
  readonly customer: CustomerRow;
}

/** A request, with what is read before its page is written. */
export interface Portal extends PortalRequest {
  readonly problem?: FormProblem | undefined;
  readonly spending: readonly DaySpend[];
}

/** What a customer spent on a day, by asset: on usage (with charges), or on fixed fees. */
export interface DaySpend {
  readonly day: Day;
  readonly kind: 'usage' | 'fixed';
  readonly sums: Sums;
}

/** Why a form was refused. What was typed is in the body of the request. */
export interface FormProblem {
  readonly form: string;
  readonly text: string;
  readonly card?: CardEntry;
}

export const CurrentPortal = createContext<Portal | undefined>(undefined);

export const usePortal = (): Portal => useContext(CurrentPortal) as Portal;

/** Returns the error of a form; undefined if it was not refused. */
export function useProblem(form: string): FormProblem | undefined {
  const { problem } = usePortal();
  return problem?.form === form ? problem : undefined;
}

/** Names a wallet account for customers: its asset, and its name unless that is `default`. */
export function accountText(
  context: Context,
  { name, asset }: Pick<WalletAccountRow, 'name' | 'asset'>,
): string {
  const assetText = findCurrency(asset) ? asset : (findAsset(context, asset)?.name ?? asset);
  return name === 'default' ? assetText : `${assetText} (${name})`;
}

export type Outstanding = ReturnType<typeof outstandingOf>[number];

/** Returns the customer's unpaid fixed fees, with their payment links. */
export function outstandingOf(context: Context, customer: CustomerRow) {
  const waiting = rowsOf(context.tables.subscriptions, { customer_id: customer.id }).filter(
    ({ status }) => status === 'action_required',
  );
  return waiting.flatMap((subscription) => {
    const fee = feeOf(context, subscription);
    const { payment } = subscription;
    if (!payment || !fee) return [];
    const names = versionsOf(context, subscription.products).map(({ name }) => name);
    const { amount, currency } = fee;
    return [{ name: names.join(', '), amount: format(amount), currency, payment }];
  });
}
