import type { Instant } from '../../domain/instant.ts';

/** A logged request with its response: to the service, or to the control interface if it changed the world. */
export interface LoggedCall {
  /** The operation of either document. Undefined if the path has none. */
  readonly operation: string | undefined;
  /** The world's time when the request was handled. */
  readonly at: Instant;
  readonly method: string;
  /** The path as sent. */
  readonly target: string;
  readonly path: Readonly<Record<string, string>>;
  /** The query string, without the question mark. */
  readonly search: string;
  /** The connected account that the request acts for. */
  readonly account?: string;
  /** The value of `X-Emulator-Fault` that causes the same fault. */
  readonly fault?: string;
  readonly body: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly answer: string;
  /** Target of a redirect. */
  readonly location?: string;
}

/** A webhook event that a session caused. */
export interface CausedWebhookEvent {
  readonly topic: string;
  /** The connected account that the event belongs to. */
  readonly account?: string;
  readonly at: Instant;
  readonly destinations: readonly string[];
}

/** The requests to a world, in order, from a moment on. */
export interface LoggedSession {
  readonly start: Instant;
  readonly calls: readonly LoggedCall[];
  /** All webhook events it caused, if known. */
  readonly webhookEvents?: readonly CausedWebhookEvent[];
  /** Texts that give access, such as the keys that were sent. */
  readonly secrets: ReadonlySet<string>;
}

export interface RecordingOptions {
  /** Description in the fixture. */
  readonly about: string;
  /** Whether each step expects its response: the stable parts of the body, beside the status. */
  readonly expect: boolean;
  /** Whether names and e-mail addresses of customers are replaced. */
  readonly redactCustomers: boolean;
  /** Whether times in responses come from the world's clock, and are the same in a replay. */
  readonly hasExactTimes: boolean;
}
