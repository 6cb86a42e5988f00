import type { DeliveryRow, WebhookEventRow } from '../../../state/records.ts';
import { Badge } from '../../badge.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { recordAddress } from '../records/find-record.ts';
import { stateOf, toneOfState } from '../webhooks/state.ts';
import type { TraceNode } from './trace-node.tsx';

/** A webhook event as it is by now, with its deliveries. */
export function webhookEventNode(request: InspectorRequest, row: WebhookEventRow): TraceNode {
  const { tables } = request.world;
  const now = tables.webhook_events.get(row.id) ?? row;
  return {
    kind: 'Webhook event',
    what: now.topic,
    href: recordAddress(request, 'webhook_events', now),
    more: [<Badge text={stateOf(now)} tone={toneOfState(now)} />],
    effects: tables.deliveries
      .list('event', row.id)
      .map((delivery) => deliveryNode(request, delivery)),
  };
}

function deliveryNode(request: InspectorRequest, row: DeliveryRow): TraceNode {
  const { destination_id, status, exchanges, next_attempt_at } = row;
  const latest = exchanges.at(-1);
  const url = request.world.tables.webhooks.get(destination_id)?.url ?? destination_id;
  const isFailing = latest !== undefined && status !== 'succeeded';
  return {
    kind: 'Delivery',
    what: <Words text={url} />,
    href: recordAddress(request, 'deliveries', row),
    tone: isFailing ? 'fail' : 'none',
    more: [
      <Badge text={status} tone={status === 'succeeded' ? 'ok' : isFailing ? 'fail' : 'none'} />,
      ...(latest ? [`${latest.status_code ?? latest.error}, attempt ${exchanges.length}`] : []),
      ...(next_attempt_at === null
        ? []
        : [
            <>
              next <Time at={next_attempt_at} />
            </>,
          ]),
    ],
    effects: [],
  };
}
