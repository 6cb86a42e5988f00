import { format } from '../../../domain/decimal.ts';
import { numberOf } from '../../../domain/pricing/matching.ts';
import { presentEvent } from '../../../resources/events/present-event.ts';
import { rowsOf } from '../../../store/query.ts';
import type { EventRow } from '../../../store/records.ts';
import { amountLines, sumsByAsset } from '../../amount.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { numberText, pairsText } from '../../wording.ts';
import { customerNames, ofCustomer } from '../customers/customers.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { CustomerLink, RecordLink, SendLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { amountsOf } from '../requests/effect.tsx';
import type { List } from '../search/list.ts';

/** All usage events with their fees. */
export const EVENTS: List<EventRow> = {
  section: 'usage',
  label: 'Usage events',
  rows: ({ world }) => rowsOf(world.tables.events),
  narrow: ofCustomer(({ events }) => events),
  actions: () => <SendLink to={{ operation: 'submitEvents' }}>Submit usage</SendLink>,
  present: (row, request) => presentEvent(request.contextOf(row.owner), row),
  figures: ({ total_fees, fee_currency }) => ({ total_fees, fee_currency }),
  at: (row) => row.occurred_at,
  fields: {
    customer: ({ customer_id }, { world }) => customerNames(world, customer_id),
    type: ({ event_type }) => [event_type],
    subject: ({ subject }) => [subject],
    product: ({ fees }) => fees.map(({ terms }) => terms.product_code),
    warning: (row, request) => warningsOf(request, row).map(({ kind }) => kind),
    amount: ({ fees, total_fees }) => [fees.length === 0 ? 'none' : total_fees],
    id: ({ event_id }) => [event_id],
  },
  time: { name: 'Submitted', of: (row) => row.created_at },
  chips: [
    { 'Last hour': 'after:-1h', 'Last week': 'after:-7d' },
    { 'Without a fee': 'amount:none', 'With a warning': 'warning:*' },
  ],
  columns: () => ({
    Event: (row) => <Event row={row} />,
    '~Customer': (row) => <CustomerLink id={row.customer_id} />,
    Subject: (row) => <Words text={row.subject} />,
    Data: (row) => <Words text={dataText(row)} />,
    '^#Fees': feesOf,
    Happened: (row) => <Time as="exact" at={row.occurred_at} />,
  }),
  empty: 'No usage yet. An event is priced as soon as it is submitted.',
};

export const showEvents = listPage(EVENTS);

/** The type of an event as a link to its explanation, with what is probably wrong with it. */
function Event({ row }: { readonly row: EventRow }) {
  const warnings = warningsOf(useRequest(), row);
  return (
    <>
      <RecordLink table="events" row={row} />
      {warnings.map(({ id, kind, message }) => (
        <span key={id} class="beneath mark warn" title={message}>
          {kind.replaceAll('_', ' ')}
        </span>
      ))}
    </>
  );
}

/** The beginning of an event's data. The page of the event shows all of it. */
function dataText({ data }: EventRow): string {
  const values = Object.entries(data).map(([name, value]) => {
    const number = numberOf(value);
    return [name, number ? numberText(format(number)) : value] as const;
  });
  return pairsText(Object.fromEntries(values)).slice(0, MAX_DATA);
}

const MAX_DATA = 200;

/** The sum of an event's fees in each asset. */
const feesOf = (row: EventRow) =>
  row.fees.length === 0 ? (
    <span class="muted">none</span>
  ) : (
    amountLines(sumsByAsset(amountsOf('events', row)))
  );

/** The warnings about a usage event: it was accepted but is probably a mistake. @assumes A-1402 */
export const warningsOf = ({ world }: InspectorRequest, { owner, event_id }: EventRow) =>
  rowsOf(world.tables.warnings, { owner, event_id });
