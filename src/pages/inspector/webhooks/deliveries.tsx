import { rowsOf } from '../../../store/query.ts';
import type { DeliveryExchange, DeliveryRow, WebhookEventRow } from '../../../store/records.ts';
import type { World } from '../../../store/world.ts';
import { JsonView } from '../../code.tsx';
import { Button } from '../../forms.tsx';
import { Badge, Section, Status, Words } from '../../parts.tsx';
import { distanceText, Time } from '../../time.tsx';
import { numberText } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';

/** The states of a delivery and of a webhook event, from the worst to the best. */
export const STATES = ['given up', 'failing', 'pending', 'delivered', 'no destination'] as const;

type DeliveryState = (typeof STATES)[number];

const FAILURES: ReadonlySet<DeliveryState> = new Set(['given up', 'failing']);

/** The state of a delivery. It is failing after a failed attempt, and given up after the last. */
export function deliveryState({ status, exchanges }: DeliveryRow): DeliveryState {
  if (status === 'delivered') return status;
  if (status === 'failed') return 'given up';
  return exchanges.length > 0 ? 'failing' : 'pending';
}

/** The worst state of a webhook event's deliveries. */
export function eventState({ tables }: World, { id }: WebhookEventRow): DeliveryState {
  const states = new Set(rowsOf(tables.deliveries, { webhook_event: id }).map(deliveryState));
  return STATES.find((state) => states.has(state)) ?? 'no destination';
}

/** Only the latest webhook events are looked at. */
const MAX_EVENTS = 1_000;

/** The webhook events that are not delivered after an attempt, oldest first. */
export const failingEvents = (world: World): readonly WebhookEventRow[] =>
  rowsOf(world.tables.webhook_events)
    .slice(-MAX_EVENTS)
    .filter((row) => FAILURES.has(eventState(world, row)));

/** Whether the latest attempt of a delivery failed. */
export const isFailing = (delivery: DeliveryRow): boolean => FAILURES.has(deliveryState(delivery));

/** The id of the customer that a webhook event is about; empty if it is about none. */
export function customersBehind({ data }: WebhookEventRow): string[] {
  const { customer_id } = (data ?? {}) as { readonly customer_id?: unknown };
  return typeof customer_id === 'string' ? [customer_id] : [];
}

/** The deliveries of a webhook event to its destinations, with all attempts. */
export function Deliveries({ row }: { readonly row: WebhookEventRow }) {
  const { world } = useRequest();
  const deliveries = rowsOf(world.tables.deliveries, { webhook_event: row.id });
  if (deliveries.length === 0) return <p>No destination receives this event.</p>;
  return (
    <>
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
    </>
  );
}

interface DeliveryProps {
  readonly delivery: DeliveryRow;
}

function Delivery({ delivery }: DeliveryProps) {
  const { world } = useRequest();
  const { destination_id, next_attempt_at, exchanges } = delivery;
  const destination = world.tables.webhooks.get(destination_id);
  return (
    <Section
      id={`to-${destination_id}`}
      title={
        <>
          To <Words text={destination?.url ?? 'a deleted destination'} />{' '}
          <Badge text={deliveryState(delivery)} />
        </>
      }
      aside={destination?.enabled && <SendAgain delivery={delivery} />}
    >
      {next_attempt_at !== null && (
        <p>
          Next attempt <Time as="exact" at={next_attempt_at} />,{' '}
          {distanceText(next_attempt_at, world.now)}
        </p>
      )}
      {delivery.faults.length > 0 && <p>Made to fail: {delivery.faults.join(', ')}</p>}
      {exchanges.toReversed().map((exchange, place) => (
        <Attempt
          key={place}
          exchange={exchange}
          name={`attempt ${exchanges.length - place} to ${destination_id}`}
          isOpen={place === 0}
        />
      ))}
    </Section>
  );
}

function SendAgain({ delivery: { id, event_id, owner } }: DeliveryProps) {
  return (
    <ActionForm
      action={`/webhooks/${encodeURIComponent(event_id)}/replay`}
      parameters={{ owner }}
      layout="small buttons"
    >
      <Button name="delivery" value={id}>
        Send again
      </Button>
    </ActionForm>
  );
}

interface AttemptProps {
  readonly exchange: DeliveryExchange;
  readonly name: string;
  readonly isOpen: boolean;
}

/** An attempt of a delivery, with its request and its response side by side. */
function Attempt({ exchange, name, isOpen }: AttemptProps) {
  const { at, cause, duration_ms, request, response } = exchange;
  return (
    <details open={isOpen} data-testid="attempt">
      <summary>
        <Time as="exact" at={at} />, {CAUSES[cause]}: <AttemptOutcome attempt={exchange} />{' '}
        <span class="muted">after {numberText(duration_ms)}&nbsp;ms</span>
      </summary>
      <div class="columns">
        <Said title="Request" label={`Request of ${name}`} value={request} />
        <Said
          title="Response"
          label={`Response to ${name}`}
          value={response}
          none={exchange.status_code === null ? 'No response.' : 'No body.'}
        />
      </div>
    </details>
  );
}

/** Why an attempt was made. */
const CAUSES: Readonly<Record<DeliveryExchange['cause'], string>> = {
  first: 'first attempt',
  retry: 'retry',
  flush: 'sent on request',
  replay: 'sent again',
  duplicate: 'sent twice',
};

interface SaidProps {
  readonly title: string;
  readonly label: string;
  readonly value: unknown;
  /** Shown if there is no value. */
  readonly none?: string;
}

const Said = ({ title, label, value, none = 'No body.' }: SaidProps) => (
  <div>
    <h3>{title}</h3>
    {value ? <JsonView label={label} value={value} /> : <p class="muted">{none}</p>}
  </div>
);

/** The response to an attempt, or why there is none. */
function AttemptOutcome({ attempt }: { readonly attempt: DeliveryExchange }) {
  const { status_code } = attempt;
  if (status_code !== null) return <Status status={status_code} />;
  return (
    <span class="refused">
      <Words text={reasonOf(attempt)} />
    </span>
  );
}

/** Why an attempt got no response, for the middle of a sentence. */
export const reasonOf = ({ error }: DeliveryExchange): string =>
  error?.replace(/\.$/, '') ?? 'no response';
