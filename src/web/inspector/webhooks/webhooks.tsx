import type { WebhookEventRow } from '../../../state/records.ts';
import { key } from '../../../state/schema.ts';
import type { PageAnswer } from '../../answer.ts';
import { errorPage } from '../../error-pages.tsx';
import { Alert } from '../../sections.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Listing } from '../listing.tsx';
import { Facts, JsonView, Part, WorldTime } from '../parts.tsx';
import { rowsOf } from '../rows.ts';
import { Deliveries } from './deliveries.tsx';
import { Destinations } from './destinations.tsx';
import { Disturbances } from './disturbances.tsx';

/** Destinations, and what they were told. */
export function showWebhooks(request: InspectorRequest, trouble?: string): PageAnswer {
  return {
    page: (
      <InspectorPage request={request} section="/webhooks">
        {trouble !== undefined && <Alert text={trouble} />}
        <Destinations request={request} />
        <Part id="webhook-events" title="Events">
          <Listing
            request={request}
            path="/webhooks"
            label="Webhook events"
            rows={rowsOf(request, request.world.tables.webhook_events)}
            fields={['topic', 'customer', 'state', 'destination', 'id']}
            subjectOf={subjectOf}
            headings={['When', 'Topic', 'State', '#Attempts', 'Event']}
            cells={(row) => [
              <WorldTime key="at" at={row.created_at} />,
              row.topic,
              stateOf(row),
              row.attempts.length,
              <a
                key="id"
                href={request.link(`/webhooks/${encodeURIComponent(row.event_id)}`, {
                  owner: row.owner,
                })}
              >
                <code>{row.event_id}</code>
              </a>,
            ]}
            empty="Nothing happened that destinations are told of."
          />
        </Part>
        <Disturbances request={request} />
      </InspectorPage>
    ),
  };
}

function stateOf(row: WebhookEventRow): string {
  if (row.matched_destination_ids.length === 0) return 'no destination';
  if (row.successful_at !== null) return 'delivered';
  return row.failed_at === null ? 'outstanding' : 'failing';
}

function subjectOf(row: WebhookEventRow) {
  const { customer_id: customer } = (row.data ?? {}) as { readonly customer_id?: unknown };
  return {
    at: row.created_at,
    fields: {
      topic: [row.topic],
      customer: typeof customer === 'string' ? [customer] : [],
      state: [stateOf(row)],
      destination: row.matched_destination_ids,
      id: [row.event_id],
    },
    text: () => JSON.stringify(row),
  };
}

/** One webhook event, with every attempt to deliver it. */
export function showWebhookEvent(request: InspectorRequest, trouble?: string): PageAnswer {
  const owner = request.query('owner') || request.world.accountId;
  const row = request.world.tables.webhook_events.get(key(owner, request.parameters['id'] ?? ''));
  if (!row) return errorPage('unknown');
  return {
    page: (
      <InspectorPage request={request} section="/webhooks" title="Webhook event">
        {trouble !== undefined && <Alert text={trouble} />}
        <Live request={request} id="webhook-event">
          <Facts
            facts={{
              Id: <code>{row.event_id}</code>,
              Topic: row.topic,
              State: stateOf(row),
              Happened: <WorldTime at={row.created_at} />,
              Delivered: row.successful_at && <WorldTime at={row.successful_at} />,
              Account: row.account_id && <code>{row.account_id}</code>,
            }}
          />
          <Deliveries request={request} row={row} />
        </Live>
        <Part id="data" title="Data">
          <JsonView label="Data" value={row.data} />
        </Part>
      </InspectorPage>
    ),
  };
}
