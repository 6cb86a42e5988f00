import type { Settings } from '../config/settings.ts';
import { type Instant, toUnixSeconds } from '../domain/instant.ts';
import type { FaultRule } from '../faults/rule.ts';
import type {
  AttemptCause,
  DeliveryExchange,
  DeliveryFault,
  DeliveryRow,
  HeaderTexts,
  WebhookEventRow,
  WebhookRow,
} from '../store/records.ts';
import type { World } from '../store/world.ts';
import { abandonDelivery, matchFault, recordExchange } from './delivery-rows.ts';
import type { DeliveryTask } from './destination-queue.ts';
import { errorOf, type PostOutcome } from './post.ts';
import { sign } from './signature.ts';

/** What an attempt needs from outside its world. */
interface AttemptTools {
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

/** A request ready to be sent, unless a fault forces its outcome. */
export interface PreparedRequest {
  readonly url: string;
  readonly headers: HeaderTexts;
  readonly body: string;
  readonly faults: readonly DeliveryFault[];
  readonly isDoubled: boolean;
  /** The outcome that a fault forces; nothing is sent then. */
  readonly forced?: PostOutcome;
}

interface DeliveryRequestParts {
  readonly event: WebhookEventRow;
  readonly destination: WebhookRow;
  /** The fault rules of the attempt, at most one for each effect. */
  readonly rules: readonly FaultRule[];
  readonly serviceName: string;
  readonly now: Instant;
  /** The time of dispatch in the signature. @units seconds since 1970 */
  readonly dispatched_at: number;
}

/**
 * Builds the request of one attempt, signed at the time of dispatch with every secret that is valid then.
 *
 * @source  specification, Signature
 * @assumes A-101, A-1203, A-1208
 */
function prepareRequest({
  event,
  destination,
  rules,
  serviceName,
  now,
  dispatched_at,
}: DeliveryRequestParts): PreparedRequest {
  const ruleOf = (effect: DeliveryFault) => rules.find(({ delivery }) => delivery === effect);
  const status_code = ruleOf('status')?.status ?? null;
  const forced =
    ruleOf('drop') || status_code !== null
      ? forcedOutcome(ruleOf('drop') ? null : status_code)
      : undefined;
  return {
    url: destination.url,
    headers: headersOf(serviceName, sign(event.body, secretsAt(destination, now), dispatched_at)),
    body: event.body,
    faults: rules.flatMap(({ delivery }) => delivery ?? []),
    isDoubled: ruleOf('duplicate') !== undefined,
    ...(forced && { forced }),
  };
}

/** The outcome of a request that is not sent: dropped, or with the status of a fault. */
function forcedOutcome(status_code: number | null): PostOutcome {
  const error = status_code === null ? 'Dropped by a fault.' : errorOf(status_code);
  return { status_code, error, duration_ms: 0, response: null };
}

/**
 * The time of dispatch in the signature. For receivers it is the machine's time, because they compare it with
 * their own clock. For inboxes it is the world's time, so that each run has the same bytes.
 *
 * @units   seconds since 1970
 * @assumes A-1204
 */
const dispatchTime = ({ clock }: Pick<World, 'clock'>, isInbox: boolean): number =>
  isInbox ? toUnixSeconds(clock.now()) : Math.floor(clock.machine() / 1000);

/** The headers of a webhook request. `signature` null leaves the header out. @assumes A-101 */
function headersOf(serviceName: string, signature: string | null): HeaderTexts {
  return {
    'Content-Type': 'application/json',
    'User-Agent': `${serviceName}-Webhooks/1.0`,
    ...(signature !== null && { [`${serviceName}-Signature`]: signature }),
  };
}

/** The secrets that are valid at an instant, newest first. @assumes A-1208 */
function secretsAt({ secret, retired_secrets = [] }: WebhookRow, now: Instant): string[] {
  const retired = retired_secrets.filter(({ until }) => until > now);
  return [secret, ...retired.map((each) => each.secret)];
}
