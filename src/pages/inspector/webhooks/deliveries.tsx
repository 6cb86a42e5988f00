import type { DeliveryExchange, DeliveryRow, WebhookEventRow } from '../../../store/records.ts';
import type { World } from '../../../store/world.ts';
import { DataTable } from '../../data-table.tsx';
import { Button } from '../../forms.tsx';
import { Id } from '../../id.tsx';
import { Badge, Facts, JsonView, Section, type Tone, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';

interface EventProps {
  readonly row: WebhookEventRow;
}

/** The deliveries of a webhook event to its destinations, with all attempts. */
export function Deliveries({ row }: EventProps) {
  const { world } = useRequest();
  const deliveries = world.tables.deliveries.list('event', row.id);
  if (deliveries.length === 0) return <p>No destination receives this event.</p>;
  return (
    <>
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} row={row} delivery={delivery} />
      ))}
    </>
  );
}

type DeliveryProps = EventProps & { readonly delivery: DeliveryRow };

function Delivery({ row, delivery }: DeliveryProps) {
  const { world } = useRequest();
  const { destination_id, next_attempt_at, exchanges } = delivery;
  const destination = world.tables.webhooks.get(destination_id);
  const path = `/webhooks/${encodeURIComponent(row.event_id)}/replay`;
  return (
    <Section
      id={`to-${destination_id}`}
      title={
        <>
          To <Words text={destination?.url ?? 'a deleted destination'} />
        </>
      }
    >
      <Facts
        facts={{
          Destination: <Id id={destination_id} />,
          Delivery: <Id id={delivery.id} />,
          State: <StateBadge state={deliveryState(delivery)} testId="delivery-status" />,
          'Next attempt': next_attempt_at && <Time as="exact" at={next_attempt_at} />,
          Faults: delivery.faults.join(', ') || undefined,
        }}
      />
      {exchanges.length > 0 && <Attempts exchanges={exchanges} to={destination_id} />}
      {destination?.enabled && (
        <ActionForm action={path} parameters={{ owner: row.owner }}>
          <Button isSecondary name="delivery" value={delivery.id}>
            Replay
          </Button>
        </ActionForm>
      )}
    </Section>
  );
}

interface AttemptsProps {
  readonly exchanges: readonly DeliveryExchange[];
  readonly to: string;
}

/** All attempts of a delivery, newest first. */
export function Attempts({ exchanges, to }: AttemptsProps) {
  const latest = exchanges.at(-1);
  return (
    <>
      <DataTable
        label={`Attempts to ${to}`}
        rows={exchanges.toReversed()}
        columns={{
          When: ({ at }) => <Time as="exact" at={at} />,
          Cause: ({ cause }) => cause,
          '#Status': ({ status_code }) => status_code ?? 'none',
          '#Took': ({ duration_ms }) => `${duration_ms} ms`,
          Error: ({ error }) => <Words text={error ?? undefined} />,
        }}
        testId="attempt"
      />
      <details>
        <summary>Latest request and response</summary>
        <JsonView label={`Latest request to ${to}`} value={latest?.request} />
        {latest?.response && (
          <JsonView label={`Latest response from ${to}`} value={latest.response} />
        )}
      </details>
    </>
  );
}

/** The states of a delivery and of a webhook event, from the worst to the best. */
const STATES = {
  'given up': 'fail',
  failing: 'fail',
  pending: 'none',
  delivered: 'ok',
  'no destination': 'none',
} as const satisfies Record<string, Tone>;

export type DeliveryState = keyof typeof STATES;

/** The state of a delivery. It is failing after a failed try, and given up after the last. */
export function deliveryState({ status, exchanges }: DeliveryRow): DeliveryState {
  if (status === 'succeeded') return 'delivered';
  if (status === 'failed') return 'given up';
  return exchanges.length > 0 ? 'failing' : 'pending';
}

/** The worst state of a webhook event's deliveries. */
export function eventState({ tables }: World, { id }: WebhookEventRow): DeliveryState {
  const states = new Set(tables.deliveries.list('event', id).map(deliveryState));
  return (
    (Object.keys(STATES).find((state) => states.has(state as DeliveryState)) as DeliveryState) ??
    'no destination'
  );
}

export function StateBadge({
  state,
  testId,
}: {
  readonly state: DeliveryState;
  readonly testId?: string;
}) {
  return <Badge text={state} tone={STATES[state]} testId={testId} />;
}
