import { Button } from '../../forms.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { ActionForm } from '../action-form.tsx';
import { EventLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { rowsOf } from '../rows.ts';

/** What was accepted and yet deserves a look. @assumes A-1402 */
export const showWarnings = listPage({
  section: '/warnings',
  label: 'Warnings',
  rows: (request) => rowsOf(request, request.world.tables.warnings),
  at: (row) => row.at,
  fields: {
    kind: ({ kind }) => [kind],
    event: ({ event_id }) => [event_id],
    field: ({ field }) => [field],
  },
  text: ({ message }) => message,
  columns: (request) => ({
    When: ({ at }) => <Time as="exact" at={at} />,
    Kind: ({ kind }) => kind.replaceAll('_', ' '),
    Warning: ({ message }) => <Words text={message} />,
    Event: ({ event_id, owner }) =>
      event_id !== undefined && (
        <EventLink request={request} event={{ owner, event_id }}>
          <Words text={event_id} />
        </EventLink>
      ),
  }),
  empty: 'There is nothing to warn of.',
  after: (request, rows) =>
    rows.length > 0 && (
      <ActionForm request={request} action="/warnings/clear">
        <Button isSecondary>Clear the warnings</Button>
      </ActionForm>
    ),
});
