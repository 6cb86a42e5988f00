import { after, type Instant } from '../domain/instant.ts';
import { rowsOf } from '../store/query/rows-of.ts';
import type {
  AttemptCause,
  DeliveryExchange,
  DeliveryRow,
  WebhookEventRow,
} from '../store/records.ts';
import type { Tables } from '../store/schema.ts';
import { shortenOldResponses } from './response-bounds.ts';

/** The time of the outcome, and the wait before each retry. */
export interface RecordTerms {
  readonly now: Instant;
  readonly retryWaits: readonly string[];
}

/** Status with which a receiver asks for no more deliveries. */
const GONE = 410;

/**
 * Records the outcome of one request in the delivery, with its next attempt, and in the log. Status 410
 * disables the destination.
 *
 * @assumes A-1204, A-1205, A-1212
 */
export function recordExchange(
  tables: Tables,
  deliveryId: string,
  exchange: DeliveryExchange,
  terms: RecordTerms,
): void {
  const delivery = tables.deliveries.get(deliveryId);
  if (!delivery) return;
  const progress = progressOf(delivery, exchange, terms);
  const { waits_for: _, ...rest } = delivery;
  tables.deliveries.put({ ...rest, ...progress, exchanges: [...delivery.exchanges, exchange] });
  shortenOldResponses(tables, delivery);
  const event = tables.webhook_events.get(delivery.webhook_event);
  if (event) tables.webhook_events.put(logExchange(tables, event, exchange));
  if (exchange.status_code === GONE) disable(tables, delivery.destination_id, terms.now);
}

/** Ends a delivery that can no longer be sent, and logs the reason. */
export function abandonDelivery(
  tables: Tables,
  { id, destination_id, tries }: DeliveryRow,
  error: string,
  now: Instant,
): void {
  const exchange: DeliveryExchange = {
    destination_id,
    at: now,
    status_code: null,
    error,
    cause: tries === 0 ? 'first' : 'retry',
    faults: [],
    duration_ms: 0,
    request: null,
    response: null,
  };
  recordExchange(tables, id, exchange, { now, retryWaits: [] });
}

type Progress = Pick<DeliveryRow, 'status' | 'tries' | 'next_attempt_at' | 'waits_for'>;

function progressOf(
  delivery: DeliveryRow,
  { error, cause, status_code }: DeliveryExchange,
  { now, retryWaits }: RecordTerms,
): Progress {
  const tries = delivery.tries + (isScheduled(cause) ? 1 : 0);
  if (delivery.status === 'succeeded' || error === null)
    return { status: 'succeeded', tries, next_attempt_at: null };
  if (!isScheduled(cause)) {
    const { status, next_attempt_at, waits_for } = delivery;
    return { status, tries, next_attempt_at, ...(waits_for && { waits_for }) };
  }
  const wait = status_code === GONE ? undefined : retryWaits[tries - 1];
  if (wait === undefined) return { status: 'failed', tries, next_attempt_at: null };
  return { status: 'pending', tries, next_attempt_at: after(now, wait), waits_for: 'clock' };
}

/** Whether the retry schedule counts an attempt. */
const isScheduled = (cause: AttemptCause): boolean => cause !== 'replay' && cause !== 'duplicate';

function logExchange(
  tables: Tables,
  event: WebhookEventRow,
  { destination_id, at, status_code, error }: DeliveryExchange,
): WebhookEventRow {
  const attempts = [...event.attempts, { destination_id, at, status_code, error }];
  const deliveries = rowsOf(tables.deliveries, { webhook_event: event.id });
  if (deliveries.every(({ status }) => status === 'succeeded'))
    return { ...event, attempts, successful_at: event.successful_at ?? at, failed_at: null };
  return error === null ? { ...event, attempts } : { ...event, attempts, failed_at: at };
}

function disable(tables: Tables, id: string, now: Instant): void {
  const destination = tables.webhooks.get(id);
  if (destination?.enabled)
    tables.webhooks.put({ ...destination, enabled: false, updated_at: now });
}
