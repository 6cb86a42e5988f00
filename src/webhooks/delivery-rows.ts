import { after, type Instant } from '../domain/instant.ts';
import type { FaultRule } from '../faults/rule.ts';
import { faultRulesOf } from '../faults/rules.ts';
import { destinationId } from '../store/ids.ts';
import { rowsOf } from '../store/query.ts';
import type {
  AttemptCause,
  DeliveryExchange,
  DeliveryFault,
  DeliveryRow,
  WebhookEventRow,
} from '../store/records.ts';
import { key, type Tables } from '../store/schema.ts';
import type { World } from '../store/world.ts';

/**
 * Enqueues the delivery of an event to one destination, in the commit of the event. It waits for its turn,
 * unless a fault rule makes it wait for the clock or for the next event.
 *
 * @assumes A-1204
 */
export function enqueueDelivery(world: World, event: WebhookEventRow, destinationId: string): void {
  const { tables } = world;
  const { owner, created_at, event_id, topic } = event;
  const [predecessor] = tables.deliveries.sorted('waiting', key('successor', destinationId));
  const subject = { topic, destination_id: destinationId };
  // Only one event is held back at a time.
  const rule =
    matchFault(world, 'delay', subject) ??
    (predecessor ? undefined : matchFault(world, 'swap', subject));
  tables.deliveries.put({
    id: world.nextId('delivery', owner),
    seq: world.nextSeq(),
    owner,
    created_at,
    webhook_event: event.id,
    event_id,
    topic,
    destination_id: destinationId,
    status: 'pending',
    ...waitOf(rule, created_at),
    tries: 0,
    faults: rule?.delivery ? [rule.delivery] : [],
    exchanges: [],
  });
  if (predecessor) release(world, predecessor);
}

/** Puts a delivery that was held back at the end of the queue. */
export function release(world: World, delivery: DeliveryRow): void {
  world.tables.deliveries.put({ ...delivery, seq: world.nextSeq(), waits_for: 'turn' });
}

function waitOf(
  rule: FaultRule | undefined,
  now: Instant,
): Pick<DeliveryRow, 'waits_for' | 'next_attempt_at'> {
  if (rule?.delivery === 'delay')
    return {
      waits_for: 'clock',
      next_attempt_at: after(now, `PT${rule.seconds ?? PRESET_DELAY}S`),
    };
  return { waits_for: rule ? 'successor' : 'turn', next_attempt_at: now };
}

/** @units seconds */
const PRESET_DELAY = 60;

/** Returns the fault rule that applies an effect to a delivery, or undefined. */
export function matchFault(
  world: World,
  effect: DeliveryFault,
  { topic, destination_id }: Pick<DeliveryRow, 'topic' | 'destination_id'>,
): FaultRule | undefined {
  return faultRulesOf(world).match(
    ({ delivery, match = {} }) =>
      delivery === effect &&
      (match.topic ?? topic) === topic &&
      destinationId(match.destination ?? destination_id) === destination_id,
  )?.rule;
}

/** The time of the outcome, and the wait before each retry. */
interface RecordTerms {
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
  if (delivery.status === 'delivered' || error === null)
    return { status: 'delivered', tries, next_attempt_at: null };
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
  if (deliveries.every(({ status }) => status === 'delivered'))
    return { ...event, attempts, successful_at: event.successful_at ?? at, failed_at: null };
  return error === null ? { ...event, attempts } : { ...event, attempts, failed_at: at };
}

function disable(tables: Tables, id: string, now: Instant): void {
  const destination = tables.webhooks.get(id);
  if (destination?.enabled)
    tables.webhooks.put({ ...destination, enabled: false, updated_at: now });
}
