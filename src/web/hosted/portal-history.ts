import type { EventRow, FeePaymentRow, TopUpRow, TransactionRow } from '../../state/records.ts';
import { fieldText } from './card-form.ts';
import type { Portal } from './portal.ts';

type Shown = Pick<Portal, 'context' | 'customer' | 'query'>;

/** Some of what there is, newest first. */
export interface HistoryPage<R> {
  readonly rows: readonly R[];
  /** Counted from 1. */
  readonly page: number;
  readonly pages: number;
}

/** A usage event, or a charge that the seller made. */
export type PortalUsage = EventRow | TransactionRow;

/** One page of what a customer used. */
export function usagePage(portal: Shown): HistoryPage<PortalUsage> {
  const { tables } = portal.context;
  const { id } = portal.customer;
  const charges = tables.transactions
    .list('customer', id)
    .filter(({ source }) => source === 'charge');
  return pageOf<PortalUsage>(
    [tables.events.list('customer', id), charges],
    wanted(portal, 'usage'),
  );
}

/** A top-up, or a fixed fee that was collected. */
export type PortalPayment = TopUpRow | FeePaymentRow;

/** One page of what a customer paid or was asked to pay. */
export function paymentsPage(portal: Shown): HistoryPage<PortalPayment> {
  const { tables } = portal.context;
  const { id } = portal.customer;
  const fees = tables.fee_payments.list('customer', id);
  return pageOf<PortalPayment>(
    [tables.top_ups.list('customer', id), fees],
    wanted(portal, 'payments'),
  );
}

/** The number of the page that is asked for of a history. */
const wanted = ({ query }: Shown, history: string): number =>
  Number.parseInt(fieldText(query, history), 10) || 1;

const PER_PAGE = 25;

function pageOf<R extends { readonly seq: number }>(
  lists: readonly (readonly R[])[],
  asked: number,
): HistoryPage<R> {
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  const pages = Math.max(1, Math.ceil(count / PER_PAGE));
  const page = Math.min(Math.max(1, asked), pages);
  const end = page * PER_PAGE;
  // Each is in the order of creation, so that nothing older than these can be on the page.
  const rows = lists
    .flatMap((list) => list.slice(-end))
    .sort((left, right) => right.seq - left.seq)
    .slice(end - PER_PAGE, end);
  return { rows, page, pages };
}
