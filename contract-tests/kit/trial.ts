import { AsyncLocalStorage } from 'node:async_hooks';
import type { Effect } from 'billing-emulator/spec';
import type { Outcome } from './outcome.ts';
import type { Level } from './registry.ts';
import type { ReceivedAnswer } from './target/exchange.ts';

/** What is written down about one run of one check. */
export interface CheckRecord {
  readonly ids: readonly string[];
  readonly title: string;
  readonly resource: string;
  readonly level: Level;
  readonly effect: Effect;
  readonly requirements: readonly string[];
  outcome: Outcome;
  reason: string | undefined;
  failure: FailureRecord | undefined;
  milliseconds: number;
  readonly exchanges: ExchangeRecord[];
  readonly assumptions: AssumptionRecord[];
  readonly observations: ObservationRecord[];
  readonly shapes: ShapeRecord[];
  readonly notes: string[];
}

export interface FailureRecord {
  readonly message: string;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly differences: readonly string[];
  readonly curl: string | undefined;
}

export interface ExchangeRecord {
  readonly operation: string;
  readonly status: number;
  /** Whether the check insisted on the status and the shape, or only looked. */
  asserted: boolean;
  readonly milliseconds: number;
  readonly query: Readonly<Record<string, string>>;
  readonly fields: readonly string[];
  readonly request: unknown;
  readonly response: unknown;
}

export interface AssumptionRecord {
  readonly id: string;
  readonly verdict: 'confirmed' | 'refuted';
  readonly detail: string | undefined;
}

export interface ObservationRecord {
  readonly name: string;
  readonly value: string;
  /** Setting of the emulator that makes it behave as observed. */
  readonly setting: string | undefined;
}

export interface ShapeRecord {
  readonly kind: 'broken' | 'refuted' | 'undeclared' | 'status';
  readonly operation: string;
  readonly status: number;
  readonly finding: string;
  readonly assumptions: readonly string[];
}

/** One run of one check, while it runs. */
export interface Trial {
  readonly record: CheckRecord;
  /** The latest exchange, which a failure is about. */
  latest: ReceivedAnswer | undefined;
  /** Steps that undo what the check made, latest first. */
  readonly afterwards: (() => Promise<unknown>)[];
  /** Set while something is built for the check rather than checked. */
  isBuilding: boolean;
  /** Set while the check makes what it was allowed to use up. */
  isUsingUp: boolean;
}

const current = new AsyncLocalStorage<Trial>();

export function withTrial<T>(trial: Trial, run: () => Promise<T>): Promise<T> {
  return current.run(trial, run);
}

/** The check that is running, wherever in its calls one asks. */
export function currentTrial(): Trial | undefined {
  return current.getStore();
}
