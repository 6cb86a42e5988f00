import { type Instant, toUnixSeconds } from '../domain/instant.ts';
import type { FaultRule } from '../faults/rule.ts';
import type { DeliveryFault, HeaderTexts, WebhookEventRow, WebhookRow } from '../store/records.ts';
import type { World } from '../store/world.ts';
import { errorOf, type PostOutcome } from './post.ts';
import { sign } from './signature.ts';

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

export interface DeliveryRequestParts {
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
export function prepareRequest({
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
export const dispatchTime = ({ clock }: Pick<World, 'clock'>, isInbox: boolean): number =>
  isInbox ? toUnixSeconds(clock.now()) : Math.floor(clock.machine() / 1000);

/** The headers of a webhook request. `signature` null leaves the header out. @assumes A-101 */
export function headersOf(serviceName: string, signature: string | null): HeaderTexts {
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
