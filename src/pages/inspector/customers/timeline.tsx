import type { ComponentChildren } from 'preact';
import { groupBy } from '../../../domain/collections.ts';
import { dayOf, type Instant, toMillis } from '../../../domain/instant.ts';
import { rowsOf } from '../../../store/query.ts';
import type { CustomerRow, EventRow, TransactionRow } from '../../../store/records.ts';
import { Amount, type AmountProps, amountLines, asTaken, sumsByAsset } from '../../amount.tsx';
import { type Columns, DataTable } from '../../data-table.tsx';
import { methodText, TopUpState } from '../../hosted/payment-state.tsx';
import { Badge, PageLinks, pageOf, Section, Status } from '../../parts.tsx';
import { capitalized, fieldWord, numberText } from '../../wording.ts';
import { recordAddress } from '../find/records.ts';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { type CustomerProps, namesOf } from '../links.tsx';
import { amountsOf, RequestEffect } from '../requests/effect.tsx';
import { RequestLink } from '../requests/request-link.tsx';
import { customerIdsOf } from '../requests/requests.tsx';
import { ChipGroups } from '../search/search-box.tsx';
import { customersBehind, eventState } from '../webhooks/deliveries.tsx';

const PAGE_SIZE = 40;

const COLUMNS: Columns<TimelineEntry> = {
  What: ({ what }) => what,
  '~Kind': ({ kind }) => <span class="muted">{capitalized(kind.replace(/s$/, ''))}</span>,
  '^#Amount': ({ kind, amounts = [] }) =>
    amountLines(kind === 'usage' ? amounts.map(asTaken) : amounts),
};

/** A customer's timeline, newest first: all entries, or one kind. */
export function Timeline({ customer }: CustomerProps) {
  const request = useRequest();
  const all = timelineOf(request, customer);
  const byKind = groupBy(all, ({ kind }) => kind as string);
  const counts = TIMELINE_KINDS.map((kind) => [kind, byKind.get(kind)?.length ?? 0] as const);
  const search = request.query('q');
  const entries = byKind.get(search) ?? all;
  const spending = groupBy(
    entries.filter(({ isSpend }) => isSpend),
    ({ at }) => dayOf(at),
  );
  const { page, pages } = pageOf(entries.length, PAGE_SIZE, request.query('page'));
  const shown = entries.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <Section id="timeline" title="Timeline" aside={EXTENT}>
      <ChipGroups
        groups={[Object.fromEntries(TIMELINE_KINDS.map((kind) => [capitalized(kind), kind]))]}
        search={search}
        byQuery={new Map([['', all.length], ...counts])}
      />
      <DataTable
        label="Timeline"
        rows={shown}
        time={{
          of: ({ at }) => at,
          aboutDay: (day) => <Spend spending={spending.get(day) ?? []} />,
        }}
        columns={COLUMNS}
        empty="No activity yet."
      />
      <PageLinks
        label="Pages of the timeline"
        page={page}
        pages={pages}
        to={(number) => request.here({ page: number })}
      />
    </Section>
  );
}

/** What usage and plan fees of a day come to, if they are several; without usage that is folded by week. */
function Spend({ spending }: { readonly spending: readonly TimelineEntry[] }) {
  if (spending.length < 2) return null;
  return (
    <>
      spend{' '}
      {sumsByAsset(spending.flatMap(({ amounts = [] }) => amounts)).map((each, place) => [
        place > 0 && ', ',
        <Amount key={each.asset} {...each} />,
      ])}
    </>
  );
}

const TIMELINE_KINDS = ['requests', 'usage', 'credit', 'payments', 'webhooks'] as const;

interface TimelineEntry {
  readonly at: Instant;
  readonly kind: (typeof TIMELINE_KINDS)[number];
  readonly what: ComponentChildren;
  readonly amounts?: readonly AmountProps[];
  /** Whether the amounts are spent on its day. */
  readonly isSpend?: boolean;
}

/** The maximum number of rows to read of each kind. The newest are read. */
const MAX_LOOKED_AT = 2_000;
const EXTENT = `newest first, at most ${numberText(MAX_LOOKED_AT)} of each kind`;

/** Returns a customer's timeline, newest first. */
function timelineOf(request: InspectorRequest, customer: CustomerRow): TimelineEntry[] {
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
          <RequestLink exchange={exchange} /> <Status status={exchange.rawResponse.status} />{' '}
          <span class="muted">
            <RequestEffect exchange={exchange} before="· " />
          </span>
        </>
      ),
    }));
}

/** Usage of the last days is one entry a day; earlier usage is one entry a week. */
const DAYS = 7;
const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** A Monday. */
const FIRST_MONDAY = 4 * DAY;

function usage(request: InspectorRequest, { id }: CustomerRow): TimelineEntry[] {
  const { world, link } = request;
  const events = rowsOf(world.tables.events, { customer_id: id }).slice(-MAX_LOOKED_AT);
  const recent = toMillis(world.now) - DAYS * DAY;
  const groups = groupBy(events, ({ occurred_at }) => {
    const at = toMillis(occurred_at);
    return at < recent ? `week ${Math.floor((at - FIRST_MONDAY) / WEEK)}` : dayOf(occurred_at);
  });
  return [...groups].map(([name, group]) => {
    const instants = group.map(({ occurred_at }) => occurred_at).sort();
    const last = instants.at(-1) as Instant;
    const isWeek = name.startsWith('week');
    const q = `customer:${id} after:${instants[0]} before:${last.replace(/Z$/, '')}9Z`;
    return {
      at: last,
      kind: 'usage',
      isSpend: !isWeek,
      what: (
        <>
          <a href={link('usage', { q })}>
            {numberText(group.length)} {group.length === 1 ? 'event' : 'events'}
          </a>{' '}
          {isWeek && 'in a week'}{' '}
          <span class="muted">
            <bdi>{typesText(group)}</bdi>
          </span>
        </>
      ),
      amounts: sumsByAsset(group.flatMap((event) => amountsOf('events', event))),
    };
  });
}

const MAX_TYPES = 3;

/** The first types of events. */
const typesText = (events: readonly EventRow[]): string =>
  [...new Set(events.map(({ event_type }) => event_type))]
    .sort()
    .slice(0, MAX_TYPES)
    .join(', ')
    .slice(0, 80);

/** Ledger transactions other than usage and payments: gifts, charges and expiries. */
function credit(request: InspectorRequest, { id }: CustomerRow): TimelineEntry[] {
  return rowsOf(request.world.tables.transactions, { customer_id: id })
    .slice(-MAX_LOOKED_AT)
    .filter(({ source, top_up_id }) => source !== 'usage' && top_up_id === undefined)
    .map((row) => ({
      at: row.created_at,
      kind: 'credit',
      what: <a href={recordAddress(request, 'transactions', row)}>{creditText(row)}</a>,
      amounts: amountsOf('transactions', row),
    }));
}

/** The source of an entry, and what was said about it. */
function creditText({ source, description, reason }: TransactionRow): string {
  const about = (description || reason?.replaceAll('_', ' '))?.slice(0, 80);
  return [fieldWord(source), about].filter(Boolean).join(': ');
}

/** Fixed fees and top-ups, each once. */
function payments(request: InspectorRequest, { id, owner }: CustomerRow): TimelineEntry[] {
  const { tables } = request.world;
  const fees = rowsOf(tables.fee_payments, { customer_id: id }).map((row) => {
    const subscription = tables.subscriptions.get(row.subscription_id);
    const names = subscription ? namesOf(tables, subscription) : 'a fixed fee';
    return { row, isSpend: true, what: `${methodText(row.payment_method)} paid ${names}` };
  });
  const topUps = rowsOf(tables.top_ups, { customer_id: id }).map((row) => ({
    row,
    isSpend: false,
    what: (
      <>
        Top-up <TopUpState topUp={row} />
      </>
    ),
  }));
  return [...fees, ...topUps].slice(-MAX_LOOKED_AT).map(({ row, what, isSpend }) => ({
    at: row.created_at,
    kind: 'payments',
    what,
    isSpend,
    amounts: [{ owner, amount: row.amount, asset: row.currency }],
  }));
}

function webhooks(request: InspectorRequest, { id }: CustomerRow): TimelineEntry[] {
  return rowsOf(request.world.tables.webhook_events)
    .slice(-MAX_LOOKED_AT)
    .filter((row) => customersBehind(row).includes(id))
    .map((row) => ({
      at: row.created_at,
      kind: 'webhooks',
      what: (
        <>
          <a href={recordAddress(request, 'webhook_events', row)}>{row.topic}</a>{' '}
          <Badge text={eventState(request.world, row)} />
        </>
      ),
    }));
}
