import type { Instant } from '../../domain/instant.ts';
import type { Owned } from '../row.ts';

export interface WebhookRow extends Owned {
  readonly url: string;
  readonly topics: readonly string[];
  readonly connect: boolean;
  readonly enabled: boolean;
  /** Set while its deliveries are paused. */
  readonly paused?: true;
  readonly secret: string;
  /** Former secrets, which sign beside the current one until they expire; newest first. */
  readonly retired_secrets?: readonly RetiredSecret[];
  readonly updated_at: Instant;
}

export interface RetiredSecret {
  readonly secret: string;
  readonly until: Instant;
}

/** One attempt to deliver an event to a destination, and how it ended. */
export interface DeliveryAttempt {
  readonly destination_id: string;
  readonly at: Instant;
  /** Status of the response; null if there was none. */
  readonly status_code: number | null;
  /** What went wrong; null when it was acknowledged. */
  readonly error: string | null;
}

/**
 * One webhook event in the log of its owner, with those of the owner's destinations that it matched
 * when it happened. Keyed by owner and event id, as an event of a connected account may stand in the
 * platform's log too.
 */
export interface WebhookEventRow extends Owned {
  readonly event_id: string;
  /** The connected account it happened to, in the platform's log. */
  readonly account_id?: string;
  readonly topic: string;
  readonly data: unknown;
  /** The envelope as it is sent, byte for byte, at every attempt. */
  readonly body: string;
  readonly matched_destination_ids: readonly string[];
  readonly test: boolean;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly successful_at: Instant | null;
  readonly failed_at: Instant | null;
}

type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/**
 * What a delivery waits for: its turn among the first attempts of its destination, an instant of the
 * clock, or the next event of its destination, which goes first.
 */
type DeliveryWait = 'turn' | 'clock' | 'successor';

/** Why a request was made. */
export type AttemptCause = 'first' | 'retry' | 'flush' | 'replay' | 'duplicate';

/** The faults of a delivery. */
export type DeliveryFault = 'duplicate' | 'swap' | 'delay' | 'drop' | 'status';

export type HeaderTexts = Readonly<Record<string, string>>;

interface DeliveryRequest {
  readonly url: string;
  readonly headers: HeaderTexts;
}

export interface DeliveryResponse {
  readonly headers: HeaderTexts;
  readonly body: string;
  /** Whether there was more than was read or kept. */
  readonly truncated: boolean;
}

/** One request, sent or not, with its outcome. */
export interface DeliveryExchange extends DeliveryAttempt {
  readonly cause: AttemptCause;
  readonly faults: readonly DeliveryFault[];
  /** @units milliseconds of machine time */
  readonly duration_ms: number;
  /** Null if nothing was sent. */
  readonly request: DeliveryRequest | null;
  /** Null if there was no response. */
  readonly response: DeliveryResponse | null;
}

/** One webhook event on its way to one destination. */
export interface DeliveryRow extends Owned {
  /** Key of the event in the log. */
  readonly webhook_event: string;
  readonly event_id: string;
  readonly topic: string;
  readonly destination_id: string;
  readonly status: DeliveryStatus;
  /** Absent once it is settled. */
  readonly waits_for?: DeliveryWait;
  /** Due instant of the next attempt; null once it is settled. */
  readonly next_attempt_at: Instant | null;
  /** Number of attempts made by the retry schedule. */
  readonly tries: number;
  /** The faults applied before its first attempt. */
  readonly faults: readonly DeliveryFault[];
  /** Every request made, oldest first. */
  readonly exchanges: readonly DeliveryExchange[];
}
