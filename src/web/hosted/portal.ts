import {
  add,
  type Decimal,
  type DecimalText,
  decimal,
  format,
  negate,
  sum,
  ZERO,
} from '../../domain/decimal.ts';
import { type Day, dayOf, type Instant, monthStart } from '../../domain/instant.ts';
import { isPaymentNeeded } from '../../domain/subscriptions.ts';
import type { Context } from '../../resources/context.ts';
import { feeOf, versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import type {
  CustomerRow,
  EventRow,
  GrantRow,
  PaymentSession,
  TopUpRow,
  TransactionRow,
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

/** What a customer spent of one asset in a month. */
export interface MonthSpend {
  readonly asset: string;
  readonly total: DecimalText;
  /** The days from the first of the month to today, those without spend too. */
  readonly days: readonly { readonly day: Day; readonly amount: DecimalText }[];
}

/**
 * What a customer spent in the month of now, by asset: fees by the day of their usage, charges and fixed
 * fees by the day they were made.
 *
 * @assumes A-903, A-1104
 */
export function monthSpend(context: Context, customer: CustomerRow): MonthSpend[] {
  const { tables, now } = context;
  const first = monthStart(now);
  const days = daysBetween(first, dayOf(now));
  const spent = new Map<string, Map<Day, Decimal>>();
  const spend = (asset: string, at: Instant, amount: Decimal): void => {
    const day = dayOf(at);
    if (day < first || day > dayOf(now)) return;
    const byDay = spent.get(asset) ?? new Map<Day, Decimal>();
    byDay.set(day, add(byDay.get(day) ?? ZERO, amount));
    spent.set(asset, byDay);
  };
  for (const { occurred_at, fees } of tables.events.list('customer', customer.id))
    for (const { terms, amount } of fees) spend(terms.currency, occurred_at, decimal(amount));
  for (const { source, asset, created_at, amount } of tables.transactions.list(
    'customer',
    customer.id,
  ))
    if (source === 'charge') spend(asset, created_at, negate(decimal(amount)));
  for (const { currency, created_at, amount } of tables.fee_payments.list('customer', customer.id))
    spend(currency, created_at, decimal(amount));
  const { reporting_currency } = context.settings;
  const inOrder = [...spent].sort(([left], [right]) =>
    left === reporting_currency || (right !== reporting_currency && left < right) ? -1 : 1,
  );
  return inOrder.map(([asset, byDay]) => ({
    asset,
    total: format(sum(byDay.values())),
    days: days.map((day) => ({ day, amount: format(byDay.get(day) ?? ZERO) })),
  }));
}

/** The days of one month from one to another, both among them. */
function daysBetween(first: Day, last: Day): Day[] {
  const count = Number(last.slice(8)) - Number(first.slice(8)) + 1;
  return Array.from(
    { length: count },
    (_, place) => `${first.slice(0, 8)}${String(place + 1).padStart(2, '0')}` as Day,
  );
}

/** Something that was used: a usage event, or a charge that the seller made. */
export type PortalUsage =
  | { readonly kind: 'event'; readonly event: EventRow }
  | { readonly kind: 'charge'; readonly charge: TransactionRow };

export interface UsagePage {
  readonly entries: readonly PortalUsage[];
  /** Counted from 1. */
  readonly page: number;
  readonly pages: number;
}

const USAGE_PER_PAGE = 25;

/** One page of what a customer used, newest first. */
export function usagePage({ tables }: Context, customer: CustomerRow, wanted: number): UsagePage {
  const events = tables.events.list('customer', customer.id);
  const charges = tables.transactions
    .list('customer', customer.id)
    .filter(({ source }) => source === 'charge');
  const pages = Math.max(1, Math.ceil((events.length + charges.length) / USAGE_PER_PAGE));
  const page = Math.min(Math.max(1, wanted), pages);
  const end = page * USAGE_PER_PAGE;
  // Both are in the order of creation, so that nothing older than these can be on the page.
  const newest = [...events.slice(-end), ...charges.slice(-end)];
  const entries = newest
    .sort((left, right) => right.seq - left.seq)
    .slice(end - USAGE_PER_PAGE, end)
    .map(
      (entry): PortalUsage =>
        'fees' in entry ? { kind: 'event', event: entry } : { kind: 'charge', charge: entry },
    );
  return { page, pages, entries };
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

/** The top-ups of a customer, newest first. */
export function topUpsOf({ tables }: Context, customer: CustomerRow): readonly TopUpRow[] {
  return tables.top_ups.list('customer', customer.id).toReversed();
}

/** The wallet account with an id such as `default:USD`; undefined where the customer has none such. */
export function accountOf(
  { tables }: Context,
  customer: CustomerRow,
  accountId: string,
): WalletAccountRow | undefined {
  return tables.wallet_accounts.get(key(customer.id, accountId));
}
