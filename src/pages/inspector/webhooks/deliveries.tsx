import { rowsOf } from '../../../store/query/rows-of.ts';
import type { DeliveryExchange, DeliveryRow, WebhookEventRow } from '../../../store/records.ts';
import { JsonView } from '../../code.tsx';
import { Button } from '../../forms.tsx';
import { Section, Status, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';
import { deliveryState, StateBadge } from './delivery-state.tsx';

interface EventProps {
  readonly row: WebhookEventRow;
}

/** The deliveries of a webhook event to its destinations, with all attempts. */
export function Deliveries({ row }: EventProps) {
  const { world } = useRequest();
  const deliveries = rowsOf(world.tables.deliveries, { webhook_event: row.id });
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
  const path = `/webhooks/${encodeURIComponent(row.event_id)}/replay` as const;
  return (
    <Section
      id={`to-${destination_id}`}
      title={
        <>
          To <Words text={destination?.url ?? 'a deleted destination'} />{' '}
          <StateBadge state={deliveryState(delivery)} testId="delivery-status" />
        </>
      }
    >
      {next_attempt_at !== null && (
        <p>
          Next try <Time as="exact" at={next_attempt_at} />
        </p>
      )}
      {delivery.faults.length > 0 && <p>Made to fail: {delivery.faults.join(', ')}</p>}
      {exchanges.length > 0 && <Tries exchanges={exchanges} to={destination_id} />}
      {destination?.enabled && (
        <ActionForm action={path} parameters={{ owner: row.owner }}>
          <Button isSecondary name="delivery" value={delivery.id}>
            Send again
          </Button>
        </ActionForm>
      )}
    </Section>
  );
}

interface TriesProps {
  readonly exchanges: readonly DeliveryExchange[];
  readonly to: string;
}

/** All tries of a delivery, newest first, each with its request and its response side by side. */
function Tries({ exchanges, to }: TriesProps) {
  return (
    <>
      {exchanges.toReversed().map((exchange, place) => (
        <Try
          key={place}
          exchange={exchange}
          name={`try ${exchanges.length - place} to ${to}`}
          isOpen={place === 0}
        />
      ))}
    </>
  );
}

interface TryProps {
  readonly exchange: DeliveryExchange;
  readonly name: string;
  readonly isOpen: boolean;
}

function Try({ exchange, name, isOpen }: TryProps) {
  const { at, cause, status_code, duration_ms, error, request, response } = exchange;
  return (
    <details open={isOpen} data-testid="attempt">
      <summary>
        <Time as="exact" at={at} /> <span class="muted">{cause}</span>{' '}
        {status_code === null ? (
          <span class="refused">
            <Words text={error ?? 'no response'} />
          </span>
        ) : (
          <Status status={status_code} />
        )}{' '}
        <span class="muted">{duration_ms} ms</span>
      </summary>
      <div class="columns">
        <Said title="Request" label={`Request of ${name}`} value={request} />
        <Said title="Response" label={`Response to ${name}`} value={response} />
      </div>
    </details>
  );
}

interface SaidProps {
  readonly title: string;
  readonly label: string;
  readonly value: unknown;
}

const Said = ({ title, label, value }: SaidProps) => (
  <div>
    <h3>{title}</h3>
    {value ? <JsonView label={label} value={value} /> : <p class="muted">None.</p>}
  </div>
);
