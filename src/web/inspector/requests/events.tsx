import type { EventRow } from '../../../state/records.ts';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { pairsText, quantity } from '../../wording.ts';
import { customerNames } from '../customers/customers.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink, EventLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { rowsOf } from '../rows.ts';

/** Usage events with what they cost. */
export const showEvents = listPage({
  section: '/events',
  label: 'Usage events',
  rows: (request) => rowsOf(request, request.world.tables.events),
  at: (row) => row.occurred_at,
  fields: {
    customer: ({ customer_id }, { world }) =>
      customerNames(world.tables.customers.get(customer_id)),
    type: ({ event_type }) => [event_type],
    subject: ({ subject }) => [subject],
    product: ({ fees }) => fees.map(({ terms }) => terms.product_code),
    id: ({ event_id }) => [event_id],
  },
  columns: (request) => ({
    When: (row) => <Time as="exact" at={row.occurred_at} />,
    Customer: (row) => <CustomerLink request={request} id={row.customer_id} />,
    Type: (row) => <Words text={row.event_type} />,
    Subject: (row) => <Words text={row.subject} />,
    Data: (row) => <Words text={dataText(row)} />,
    '#Fees': (row) => feesText(request, row),
    Event: (row) => (
      <EventLink request={request} event={row} label={`Explain ${row.event_id}`}>
        Explain
      </EventLink>
    ),
  }),
  empty: 'No usage was submitted.',
});

/** The beginning of what an event holds; its own page shows all. */
const dataText = ({ data }: EventRow): string => pairsText(data).slice(0, MOST_DATA);

const MOST_DATA = 200;

/** What the fees of an event come to, each asset by itself where they share none. */
function feesText(
  request: InspectorRequest,
  { owner, fees, total_fees, fee_currency }: EventRow,
): string {
  const context = request.contextOf(owner);
  if (fees.length === 0) return 'none';
  if (total_fees !== undefined && fee_currency !== undefined)
    return quantity(context, total_fees, fee_currency);
  return fees.map(({ amount, terms }) => quantity(context, amount, terms.currency)).join(', ');
}
