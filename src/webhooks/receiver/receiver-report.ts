import type { Expectation, ReceiverCheckId } from './receiver-checks.ts';
import type { ReceiverOutcome } from './receiver-suite.ts';

/** One request of a check as sent, and its outcome. */
export interface SuiteRequestResult {
  readonly about: string;
  readonly expected: ReceiverOutcome;
  /** The signature header; null if there was none. */
  readonly signature: string | null;
  /** The beginning of the body. */
  readonly body: string;
  /** Null if there was no response. */
  readonly status_code: number | null;
  /** The beginning of the response. */
  readonly answer: string;
  /** Why there was no complete response. */
  readonly error: string | null;
  readonly duration_ms: number;
}

export interface ReceiverCheckResult {
  readonly id: ReceiverCheckId;
  readonly title: string;
  readonly expectation: Expectation;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason: string | null;
  /** Facts that the responses do not show. */
  readonly remark: string | null;
  readonly requests: readonly SuiteRequestResult[];
}

export interface ReceiverReport {
  readonly url: string;
  /** Whether no check failed. */
  readonly passed: boolean;
  readonly passed_count: number;
  readonly failed_count: number;
  readonly skipped_count: number;
  readonly items: readonly ReceiverCheckResult[];
}
