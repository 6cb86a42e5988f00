import { presentWebhookEvent } from '../../../resources/webhooks/webhook-log.ts';
import { loadDocument } from '../../../spec/document.ts';
import { rowsOf } from '../../../store/query.ts';
import type { WebhookEventRow, WebhookRow } from '../../../store/records.ts';
import { key } from '../../../store/schema.ts';
import { exactJsonIn } from '../../../text/exact-json.ts';
import type { PageAnswer } from '../../answer.tsx';
import { JsonView } from '../../code.tsx';
import { TableSection } from '../../data-table.tsx';
import { Button, Choice } from '../../forms.tsx';
import { Id } from '../../id.tsx';
import { Badge, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { capitalized } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm, CustomerLink, OfAccount, RecordLink, SendLink } from '../links.tsx';
import { listPage } from '../listing.tsx';
import { recordNotFound } from '../not-found.tsx';
import { RequestsBehind } from '../requests/effect.tsx';
import type { List } from '../search/list.ts';
import { customersBehind, Deliveries, eventState, failingEvents, STATES } from './deliveries.tsx';

/** The search for the events in a state. */
const searchFor = (state: string): string => `state:${state.includes(' ') ? `"${state}"` : state}`;

/** The page of webhook destinations and events. */
export const WEBHOOK_EVENTS: List<WebhookEventRow> = {
  section: 'webhooks',
  label: 'Webhook events',
  rows: failingLast,
  actions: () => <TestForm />,
  present: (row) => presentWebhookEvent(row),
  before: () => (
    <>
      <Destinations />
      <h2>Events</h2>
    </>
  ),
  time: { of: (row) => row.created_at, isDated: true },
  fields: {
    topic: ({ topic }) => [topic],
    customer: customersBehind,
    state: (row, { world }) => [eventState(world, row)],
    destination: ({ matched_destination_ids }) => matched_destination_ids,
    id: ({ event_id }) => [event_id],
  },
  columns: (request) => ({
    Event: (row) => <RecordLink table="webhook_events" row={row} />,
    '~Customer': (row) => customersBehind(row).map((id) => <CustomerLink id={id} />),
    '^State': (row) => <Badge text={eventState(request.world, row)} />,
    '#Attempts per destination': ({ id }) => attemptsText(request, id),
    '~Id': ({ event_id }) => <Id id={event_id} />,
  }),
  chips: [Object.fromEntries(STATES.map((state) => [capitalized(state), searchFor(state)]))],
  empty: 'No webhook events yet. Send a test event, or activate a subscription.',
};

export const showWebhooks = listPage(WEBHOOK_EVENTS);

/** All events, oldest first, but those that are not delivered after all others, so that they are shown first. */
function failingLast({ world }: InspectorRequest): readonly WebhookEventRow[] {
  const rows = rowsOf(world.tables.webhook_events);
  const failing = new Set(failingEvents(world));
  return failing.size === 0 ? rows : [...rows.filter((row) => !failing.has(row)), ...failing];
}

/** Sends an empty test event of a topic to all destinations. */
function TestForm() {
  const topics = Object.keys(loadDocument('openapi').json['webhooks'] as object);
  return (
    <ActionForm action="/send" parameters={{ operation: 'testWebhooks' }}>
      <Choice label="Topic" name="path.topic" options={topics} />
      <input type="hidden" name="body" value="{}" />
      <Button>Send a test event</Button>
    </ActionForm>
  );
}

/** The number of attempts for each destination, such as `1 + 3`. */
const attemptsText = ({ world }: InspectorRequest, event: string): string =>
  rowsOf(world.tables.deliveries, { webhook_event: event })
    .map(({ exchanges }) => exchanges.length)
    .join(' + ');

/** The page of a webhook event, with all delivery attempts. */
export function showWebhookEvent(request: InspectorRequest): PageAnswer {
  const owner = request.query('owner') || request.world.accountId;
  const row = request.world.tables.webhook_events.get(key(owner, request.parameters['id'] ?? ''));
  if (!row) return recordNotFound(request);
  return (
    <InspectorPage
      request={request}
      section="webhooks"
      title={row.topic}
      path={<Id id={row.event_id} canCopy />}
    >
      <Live id="webhook-event">
        <div class="about">
          <Badge text={eventState(request.world, row)} />
          {customersBehind(row).map((id) => (
            <CustomerLink key={id} id={id} />
          ))}
          <Time as="exact" at={row.created_at} />
          <OfAccount id={row.account_id ?? undefined} />
        </div>
        <Deliveries row={row} />
        <Section id="body" title="Body" aside="the same in every attempt">
          <JsonView label="Body" value={exactJsonIn(row.body)} />
        </Section>
      </Live>
      <RequestsBehind table="webhook_events" id={row.id} />
    </InspectorPage>
  );
}

function Destinations() {
  const request = useRequest();
  const rows = rowsOf(request.world.tables.webhooks);
  return (
    <TableSection
      id="destinations"
      title="Destinations"
      aside={<SendLink to={{ operation: 'createWebhook' }}>Add a destination</SendLink>}
      rows={rows}
      columns={{
        URL: (row) => <RecordLink table="webhooks" row={row} />,
        Topics: ({ topics }) => <Words text={topics.includes('*') ? 'all' : topics.join(', ')} />,
        '^State': (row) => <DestinationBadge row={row} />,
        '~Change': (row) => (
          <SendLink isPlain to={valuesOf(row)}>
            Edit
          </SendLink>
        ),
      }}
      empty={
        <>
          No destinations yet. If you have no receiver,{' '}
          <code>{request.control.baseUrl}/_emulator/inbox/mine</code> keeps what it is sent.
        </>
      }
    />
  );
}

/** The form of a change starts with what the destination has. */
const valuesOf = ({ id, url, topics, enabled }: WebhookRow) => ({
  operation: 'updateWebhook',
  webhookId: id,
  url,
  topics: JSON.stringify(topics),
  enabled: String(enabled),
});

function DestinationBadge({ row: { enabled, paused } }: { readonly row: WebhookRow }) {
  if (!enabled) return <Badge text="disabled" />;
  return <Badge text={paused ? 'paused' : 'enabled'} />;
}
