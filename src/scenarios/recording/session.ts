import type { Instant } from '../../domain/instant.ts';

/** A request as it was logged, with its answer: to the service or, where it moved the world, to the control interface. */
export interface LoggedCall {
  /** The operation of either document; absent where the path leads to none. */
  readonly operation: string | undefined;
  /** The world's time when it was handled. */
  readonly at: Instant;
  readonly method: string;
  /** The path as it was sent. */
  readonly target: string;
  readonly path: Readonly<Record<string, string>>;
  /** Text behind the question mark. */
  readonly search: string;
  /** The connected account that it acted for. */
  readonly account?: string;
  /** What it needs to meet the fault that it met, as `X-Emulator-Fault` asks for it. */
  readonly fault?: string;
  readonly body: string;
  /** 0 where no answer arrived. */
  readonly status: number;
  readonly answer: string;
  /** Where it sent its client on to. */
  readonly location?: string;
}

/** A webhook event that a session caused. */
export interface CausedWebhookEvent {
  readonly topic: string;
  /** The connected account in whose log it is. */
  readonly account?: string;
  readonly at: Instant;
  /** The destinations that it was meant for. */
  readonly destinations: readonly string[];
}

/** What was asked of a world, in order, from a moment on. */
export interface LoggedSession {
  readonly start: Instant;
  readonly calls: readonly LoggedCall[];
  /** All that it caused, where that is known. */
  readonly webhookEvents?: readonly CausedWebhookEvent[];
  /** Texts that admit whoever has them, such as the keys that were sent. */
  readonly secrets: ReadonlySet<string>;
}

export interface RecordingOptions {
  /** What the fixture says it holds. */
  readonly about: string;
  /** Whether each step expects the answer that it had: what is stable of its body, beside the status. */
  readonly expect: boolean;
  /** Whether names and e-mail addresses of customers are replaced. */
  readonly redactCustomers: boolean;
  /** Whether times in answers are those of the world's clock, and come again when its steps are run. */
  readonly hasExactTimes: boolean;
}
