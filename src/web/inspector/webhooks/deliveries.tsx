import type { VNode } from 'preact';
import type { DeliveryExchange, DeliveryRow, WebhookEventRow } from '../../../state/records.ts';
import { DataTable, Words } from '../../sections.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { Facts, JsonView, Part, WorldTime } from '../parts.tsx';

interface DeliveryProps {
  readonly request: InspectorRequest;
  readonly row: WebhookEventRow;
}

/** A webhook event on its way to each of its destinations, with every request that was made. */
export function Deliveries({ request, row }: DeliveryProps): VNode {
  const deliveries = request.world.tables.deliveries.list('event', row.id);
  if (deliveries.length === 0) return <p>No destination is told of it.</p>;
  return (
    <>
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} request={request} row={row} delivery={delivery} />
      ))}
    </>
  );
}

function Delivery({
  request,
  row,
  delivery,
}: DeliveryProps & { readonly delivery: DeliveryRow }): VNode {
  const { destination_id, status, next_attempt_at, exchanges } = delivery;
  const destination = request.world.tables.webhooks.get(destination_id);
  const path = `/webhooks/${encodeURIComponent(row.event_id)}/replay`;
  return (
    <Part id={`to-${destination_id}`} title={`To ${destination_id}`}>
      <Facts
        facts={{
          Address: <Words text={destination?.url ?? 'deleted'} />,
          Status: <strong data-testid="delivery-status">{status}</strong>,
          'Next attempt': next_attempt_at && <WorldTime at={next_attempt_at} />,
          'Disturbed by': delivery.disturbances.join(', ') || undefined,
        }}
      />
      {exchanges.length > 0 && <Attempts exchanges={exchanges} to={destination_id} />}
      {!request.isReadOnly && destination?.enabled && (
        <form method="post" action={request.link(path, { owner: row.owner })}>
          <button type="submit" class="secondary" name="delivery" value={delivery.id}>
            Replay
          </button>
        </form>
      )}
    </Part>
  );
}

interface AttemptsProps {
  readonly exchanges: readonly DeliveryExchange[];
  readonly to: string;
}

function Attempts({ exchanges, to }: AttemptsProps): VNode {
  const headings = ['When', 'Cause', '#Status', '#Milliseconds', 'Trouble'];
  return (
    <>
      <DataTable label={`Attempts to ${to}`} headings={headings}>
        {exchanges.toReversed().map((exchange, place) => (
          <tr key={place} data-testid="attempt">
            <td>
              <WorldTime at={exchange.at} />
            </td>
            <td>{exchange.cause}</td>
            <td class="number">{exchange.status_code ?? 'none'}</td>
            <td class="number">{exchange.duration_ms}</td>
            <td>
              <Words text={exchange.error ?? 'none'} />
            </td>
          </tr>
        ))}
      </DataTable>
      <LatestExchange exchange={exchanges.at(-1)} to={to} />
    </>
  );
}

function LatestExchange({
  exchange,
  to,
}: {
  readonly exchange: DeliveryExchange | undefined;
  readonly to: string;
}): VNode | null {
  if (!exchange) return null;
  return (
    <details>
      <summary>The latest request and its answer</summary>
      <JsonView label={`Latest request to ${to}`} value={exchange.request} />
      {exchange.response !== null && (
        <JsonView label={`Latest answer of ${to}`} value={exchange.response} />
      )}
    </details>
  );
}
