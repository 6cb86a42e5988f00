import { presentWarning } from '../../../control/warnings.ts';
import { levelOf } from '../../../resources/warnings.ts';
import type { WarningRow } from '../../../store/records.ts';
import { uuidKey } from '../../../store/schema.ts';
import { Id, Sentence } from '../../id.tsx';
import { Time } from '../../time.tsx';
import { customerNames } from '../customers/customers.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { listPage } from '../listing.tsx';

/** All warnings: requests that were accepted but are probably mistakes. @assumes A-1402 */
export const showWarnings = listPage({
  section: '/warnings',
  label: 'Warnings',
  rows: ({ world }) => world.tables.warnings.all('owner'),
  present: presentWarning,
  at: (row) => row.at,
  dayOf: (row) => row.at,
  fields: {
    kind: ({ kind }) => [kind],
    level: ({ kind }) => [levelOf(kind)],
    customer: (row, request) =>
      customerNames(request.world.tables.customers.get(customerOf(row, request) ?? '')),
    event: ({ event_id }) => [event_id],
    field: ({ field }) => [field],
  },
  text: ({ message }) => [message],
  columns: (request) => ({
    Time: ({ at }) => <Time as="clock" at={at} />,
    Level: ({ kind }) => levelOf(kind),
    Kind: ({ kind }) => kind.replaceAll('_', ' '),
    Customer: (row) => <CustomerLink id={customerOf(row, request)} />,
    Warning: ({ message }) => <Sentence text={message} />,
    Event: ({ event_id, owner }) =>
      event_id !== undefined && (
        <Id
          id={event_id}
          href={request.link(`/events/${encodeURIComponent(event_id)}`, { owner })}
        />
      ),
  }),
  empty: 'No warnings.',
});

/** The id of the customer whose event the warning is about; undefined if it is about none. */
const customerOf = ({ owner, event_id }: WarningRow, { world }: InspectorRequest) =>
  event_id === undefined
    ? undefined
    : world.tables.events.get(uuidKey(owner, event_id))?.customer_id;
