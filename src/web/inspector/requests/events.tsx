import type { EventRow } from '../../../state/records.ts';
import type { PageAnswer } from '../../answer.ts';
import { Words } from '../../sections.tsx';
import { quantity } from '../../wording.ts';
import { customerNames } from '../customers/customers.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';
import { CustomerLink, WorldTime } from '../parts.tsx';
import { rowsOf } from '../rows.ts';

/** Usage events with what they cost. */
export function showEvents(request: InspectorRequest): PageAnswer {
  return {
    page: (
      <InspectorPage request={request} section="/events" title="Usage">
        <Listing
          request={request}
          path="/events"
          label="Usage events"
          rows={rowsOf(request, request.world.tables.events)}
          fields={['customer', 'type', 'subject', 'product', 'id']}
          subjectOf={(row) => subjectOf(request, row)}
          headings={['When', 'Customer', 'Type', 'Subject', 'Data', '#Fees', 'Event']}
          cells={(row) => [
            <WorldTime key="at" at={row.occurred_at} />,
            <CustomerLink key="of" request={request} id={row.customer_id} />,
            <Words key="type" text={row.event_type} />,
            <Words key="subject" text={row.subject} />,
            <Words key="data" text={dataText(row)} />,
            feesText(request, row),
            <EventLink key="event" request={request} row={row} />,
          ]}
          empty="No usage was submitted."
        />
      </InspectorPage>
    ),
  };
}

function subjectOf(request: InspectorRequest, row: EventRow) {
  return {
    at: row.occurred_at,
    fields: {
      customer: customerNames(request.world.tables.customers.get(row.customer_id)),
      type: [row.event_type],
      subject: [row.subject],
      product: row.fees.map(({ product_code }) => product_code),
      id: [row.event_id],
    },
    text: () => JSON.stringify(row),
  };
}

/** The beginning of what an event holds; its own page shows all. */
const dataText = ({ data }: EventRow): string =>
  Object.entries(data)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
    .slice(0, MOST_DATA);

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
  return fees.map(({ amount, currency }) => quantity(context, amount, currency)).join(', ');
}

function EventLink({
  request,
  row,
}: {
  readonly request: InspectorRequest;
  readonly row: EventRow;
}) {
  const path = `/events/${encodeURIComponent(row.event_id)}`;
  return (
    <a href={request.link(path, { owner: row.owner })} aria-label={`Explain ${row.event_id}`}>
      Explain
    </a>
  );
}
