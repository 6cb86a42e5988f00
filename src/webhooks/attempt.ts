import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import type { FaultRule } from '../faults/rule.ts';
import type {
  AttemptCause,
  DeliveryExchange,
  DeliveryRow,
  WebhookEventRow,
  WebhookRow,
} from '../store/records.ts';
import type { World } from '../store/world.ts';
import type { DeliveryTask } from './destination-queue.ts';
import { matchFault } from './match-fault.ts';
import type { PostOutcome } from './post.ts';
import { abandonDelivery, recordExchange } from './record.ts';
import { dispatchTime, type PreparedRequest, prepareRequest } from './request.ts';

/** What an attempt needs from outside its world. */
export interface AttemptTools {
  readonly settings: Settings;
  /** Sends a request, or stores it in one of the emulator's inboxes. Never throws. */
  send(request: PreparedRequest, now: Instant): Promise<PostOutcome>;
  isInbox(url: string): boolean;
  /** Whether the outcome is still wanted. It is not after the world closed. */
  isCurrent(): boolean;
}

interface Subject {
  readonly delivery: DeliveryRow;
  readonly event: WebhookEventRow;
  readonly destination: WebhookRow;
}

/**
 * Makes one attempt and records it. Makes two if a fault rule duplicates it: both are sent before either is recorded, so
 * that whoever waits for the first has received the second too.
 */
export async function attemptDelivery(
  world: World,
  job: DeliveryTask,
  tools: AttemptTools,
): Promise<void> {
  const subject = findSubject(world, job);
  if (!subject) return;
  const at = world.now;
  const rules = matchFaults(world, subject);
  const { service_name: serviceName, retry_schedule: retryWaits } = tools.settings;
  const dispatched_at = dispatchTime(world, tools.isInbox(subject.destination.url));
  const request = prepareRequest({ ...subject, rules, serviceName, now: at, dispatched_at });
  const cause = causeOf(job, subject.delivery);
  const record = (outcome: PostOutcome, as: AttemptCause) =>
    world.commit(() => {
      const exchange = exchangeOf(subject, request, outcome, { at, cause: as });
      const terms = { now: world.now, retryWaits };
      recordExchange(world.tables, job.deliveryId, exchange, terms);
    });

  const outcome = request.forced ?? (await tools.send(request, at));
  const isDoubled = request.isDoubled && !request.forced;
  const second = isDoubled && tools.isCurrent() ? await tools.send(request, at) : undefined;
  if (tools.isCurrent()) record(outcome, cause);
  if (second && tools.isCurrent()) record(second, 'duplicate');
}

/**
 * Returns what to send, or undefined if the delivery is finished or cannot be sent. A pending delivery to a
 * disabled destination is ended.
 */
function findSubject(world: World, { deliveryId, reason }: DeliveryTask): Subject | undefined {
  const { tables } = world;
  const delivery = tables.deliveries.get(deliveryId);
  const event = delivery && tables.webhook_events.get(delivery.webhook_event);
  if (!event || (reason !== 'replay' && delivery.status !== 'pending')) return undefined;
  const destination = tables.webhooks.get(delivery.destination_id);
  if (destination?.enabled) return { delivery, event, destination };
  if (delivery.status === 'pending')
    world.commit(() =>
      abandonDelivery(tables, delivery, 'The destination is disabled.', world.now),
    );
  return undefined;
}

const ATTEMPT_FAULTS = ['duplicate', 'drop', 'status'] as const;

/** The fault rules of an attempt, at most one for each effect. */
function matchFaults(world: World, { delivery }: Subject): readonly FaultRule[] {
  return ATTEMPT_FAULTS.map((effect) => matchFault(world, effect, delivery)).filter(
    (rule) => rule !== undefined,
  );
}

function causeOf({ reason }: DeliveryTask, { tries }: DeliveryRow): AttemptCause {
  if (reason === 'flush' || reason === 'replay') return reason;
  return tries === 0 ? 'first' : 'retry';
}

function exchangeOf(
  { delivery }: Subject,
  { url, headers, faults, forced }: PreparedRequest,
  { status_code, error, duration_ms, response }: PostOutcome,
  { at, cause }: { readonly at: Instant; readonly cause: AttemptCause },
): DeliveryExchange {
  return {
    destination_id: delivery.destination_id,
    at,
    status_code,
    error,
    cause,
    faults,
    duration_ms,
    request: forced ? null : { url, headers },
    response,
  };
}
