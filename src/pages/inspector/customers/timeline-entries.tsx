import type { ComponentChildren } from 'preact';
import { add, type Decimal, decimal, format, ZERO } from '../../../domain/decimal.ts';
import { groupBy } from '../../../domain/lists.ts';
import { gainText } from '../../../domain/postings.ts';
import type { CustomerRow, EventRow, TransactionRow } from '../../../store/records.ts';
import type { AmountProps } from '../../amount.tsx';
import { PayLink } from '../../hosted/pay-link.tsx';
import { Status } from '../../parts.tsx';
import { dayIn } from '../../time.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { recordAddress } from '../records/find-record.ts';
import { RequestLink } from '../records/origin.tsx';
import { customerIdsOf } from '../requests/requests.tsx';
import { eventState, StateBadge } from '../webhooks/deliveries.tsx';

/** The kinds of timeline entries: the value of the filter, and the label. */
export const TIMELINE_KINDS = {
  requests: 'Requests',
  usage: 'Usage',
  credit: 'Credit',
  payments: 'Payments',
  webhooks: 'Webhooks',
} as const;

export type TimelineKind = keyof typeof TIMELINE_KINDS;

export interface TimelineEntry {
  readonly at: string;
  readonly kind: TimelineKind;
  readonly what: ComponentChildren;
  readonly amounts?: readonly AmountProps[];
}

/** The maximum number of rows to read of each kind. The newest are read. */
export const MAX_LOOKED_AT = 2_000;

/** Returns a customer's timeline, newest first. */
export function timelineOf(request: InspectorRequest, customer: CustomerRow): TimelineEntry[] {
  return [
    ...requests(request, customer),
    ...usage(request, customer),
    ...credit(request, customer),
    ...payments(request, customer),
    ...webhooks(request, customer),
  ].sort((left, right) => (left.at < right.at ? 1 : left.at > right.at ? -1 : 0));
}

function requests(request: InspectorRequest, { id }: CustomerRow): TimelineEntry[] {
  return request.control.requests
    .list(request.world)
    .slice(0, MAX_LOOKED_AT)
    .filter((exchange) => customerIdsOf(request, exchange).includes(id))
    .map((exchange) => ({
      at: exchange.at,
      kind: 'requests',
      what: (
        <>
          <RequestLink exchange={exchange} /> <Status status={exchange.rawResponse.status} />
        </>
      ),
    }));
}

/** One entry for the usage of each day. */
function usage(request: InspectorRequest, { id, owner }: CustomerRow): TimelineEntry[] {
  const events = request.world.tables.events.list('customer', id).slice(-MAX_LOOKED_AT);
  const days = groupBy(events, ({ occurred_at }) => dayIn(occurred_at, request.zone));
  return [...days.values()].map((group) => {
    const instants = group.map(({ occurred_at }) => occurred_at).sort();
    const last = instants.at(-1) ?? '';
    const q = `customer:${id} after:${instants[0]} before:${last.replace(/Z$/, '')}9Z`;
    return {
      at: last,
      kind: 'usage',
      what: (
        <a href={request.link('/events', { q })}>
          {group.length.toLocaleString('en')} {group.length === 1 ? 'event' : 'events'}
        </a>
      ),
      amounts: [...feesOf(group)]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([asset, amount]) => ({ owner, amount: format(amount), asset })),
    };
  });
}

function feesOf(events: readonly EventRow[]): ReadonlyMap<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { fees } of events)
    for (const { terms, amount } of fees)
      sums.set(terms.currency, add(sums.get(terms.currency) ?? ZERO, decimal(amount)));
  return sums;
}

/** Ledger entries other than usage: credit, charges and expiries. */
function credit(request: InspectorRequest, { id, owner }: CustomerRow): TimelineEntry[] {
  return request.world.tables.transactions
    .list('customer', id)
    .slice(-MAX_LOOKED_AT)
    .filter(({ source }) => source !== 'usage')
    .map((row) => ({
      at: row.created_at,
      kind: 'credit',
      what: <a href={recordAddress(request, 'transactions', row)}>{creditText(row)}</a>,
      amounts: [{ owner, amount: gainText(row), asset: row.asset, isSigned: true }],
    }));
}

const creditText = ({ source, description, reason }: TransactionRow): string =>
  [source.replace('_', '-'), (description || reason)?.slice(0, 80)].filter(Boolean).join(': ');

/** Fixed fees and top-ups. */
function payments(request: InspectorRequest, { id, owner }: CustomerRow): TimelineEntry[] {
  const { tables } = request.world;
  const fees = tables.fee_payments.list('customer', id).map((row) => ({
    row,
    what: <a href={recordAddress(request, 'fee_payments', row)}>Fixed fee</a>,
  }));
  const topUps = tables.top_ups.list('customer', id).map((row) => ({
    row,
    what: (
      <>
        <a href={recordAddress(request, 'top_ups', row)}>Top-up, {row.status}</a>{' '}
        <PayLink topUp={row} now={request.world.now} />
      </>
    ),
  }));
  return [...fees, ...topUps].slice(-MAX_LOOKED_AT).map(({ row, what }) => ({
    at: row.created_at,
    kind: 'payments',
    what,
    amounts: [{ owner, amount: row.amount, asset: row.currency }],
  }));
}

function webhooks(request: InspectorRequest, { id }: CustomerRow): TimelineEntry[] {
  return request.world.tables.webhook_events
    .all('owner')
    .slice(-MAX_LOOKED_AT)
    .filter(({ data }) => (data as { readonly customer_id?: unknown } | null)?.customer_id === id)
    .map((row) => ({
      at: row.created_at,
      kind: 'webhooks',
      what: (
        <>
          <a href={recordAddress(request, 'webhook_events', row)}>{row.topic}</a>{' '}
          <StateBadge state={eventState(request.world, row)} />
        </>
      ),
    }));
}
