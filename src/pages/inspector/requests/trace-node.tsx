import type { ComponentChildren } from 'preact';
import { rowsOf } from '../../../store/query.ts';
import type { DeliveryRow, WebhookEventRow } from '../../../store/records.ts';
import { Badge, type Tone, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { numberText } from '../../wording.ts';
import { recordAddress } from '../find/records.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { deliveryState, eventState, isFailing, reasonOf } from '../webhooks/deliveries.tsx';

/** An effect of a request, with its own effects. */
export interface TraceNode {
  /** The label above it. */
  readonly kind: string;
  readonly what: ComponentChildren;
  readonly href?: string;
  /** More lines. `false` is skipped. */
  readonly more?: readonly ComponentChildren[];
  readonly tone?: Tone;
  readonly effects?: readonly TraceNode[];
}

const MAX_EFFECTS = 8;

/** A tree of causes with their effects to the right; on a narrow screen, below. */
export function Trace({ nodes }: { readonly nodes: readonly TraceNode[] }) {
  const rest = nodes.length - MAX_EFFECTS;
  return (
    <ul>
      {nodes.slice(0, MAX_EFFECTS).map(({ kind, what, href, more, tone, effects }, place) => (
        <li key={place}>
          <div class={`node ${tone ?? 'none'}`}>
            <small class="muted">{kind}</small>
            <strong>{href === undefined ? what : <a href={href}>{what}</a>}</strong>
            {more?.map((line, place) => line !== false && <span key={place}>{line}</span>)}
          </div>
          {effects?.[0] && <Trace nodes={effects} />}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <div class="node">and {numberText(rest)} more</div>
        </li>
      )}
    </ul>
  );
}

/** Returns a webhook event in its current state, with its deliveries. */
export function webhookEventNode(request: InspectorRequest, row: WebhookEventRow): TraceNode {
  const { tables } = request.world;
  const now = tables.webhook_events.get(row.id) ?? row;
  return {
    kind: 'Webhook event',
    what: now.topic,
    href: recordAddress(request, 'webhook_events', now),
    more: [<Badge text={eventState(request.world, now)} />],
    effects: rowsOf(tables.deliveries, { webhook_event: row.id }).map((delivery) =>
      deliveryNode(request, delivery),
    ),
  };
}

function deliveryNode(request: InspectorRequest, row: DeliveryRow): TraceNode {
  const { destination_id, exchanges, next_attempt_at } = row;
  const latest = exchanges.at(-1);
  const url = request.world.tables.webhooks.get(destination_id)?.url ?? destination_id;
  return {
    kind: 'Delivery',
    what: <Words text={url} />,
    href: recordAddress(request, 'deliveries', row),
    tone: isFailing(row) ? 'fail' : 'none',
    more: [
      <Badge text={deliveryState(row)} />,
      latest !== undefined &&
        `${latest.status_code ?? reasonOf(latest)}, attempt ${exchanges.length}`,
      next_attempt_at !== null && <Time before="next " at={next_attempt_at} />,
    ],
  };
}
