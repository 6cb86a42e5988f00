import { Button } from '../../forms.tsx';
import { Id, Sentence } from '../../id.tsx';
import { Time } from '../../time.tsx';
import { ActionForm } from '../links.tsx';
import { listPage } from '../listing.tsx';

/** All warnings: requests that were accepted but are probably mistakes. @assumes A-1402 */
export const showWarnings = listPage({
  section: '/warnings',
  label: 'Warnings',
  rows: ({ world }) => world.tables.warnings.all('owner'),
  at: (row) => row.at,
  dayOf: (row) => row.at,
  fields: {
    kind: ({ kind }) => [kind],
    event: ({ event_id }) => [event_id],
    field: ({ field }) => [field],
  },
  text: ({ message }) => [message],
  columns: (request) => ({
    Time: ({ at }) => <Time as="clock" at={at} />,
    Kind: ({ kind }) => kind.replaceAll('_', ' '),
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
  after: (rows) =>
    rows.length > 0 && (
      <ActionForm action="/warnings/clear">
        <Button isSecondary>Clear warnings</Button>
      </ActionForm>
    ),
});
