import type { Instant } from '../domain/instant.ts';
import type { FaultStep, RequestParts } from './scenario.ts';

/** A request of a scenario, with resolved references. */
export interface ScenarioRequest {
  readonly call: string;
  readonly path?: RequestParts | undefined;
  readonly query?: RequestParts | undefined;
  readonly body?: unknown;
  /** The connected account that the call acts for. */
  readonly account?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function faultRequest(fault: FaultStep['fault']): ScenarioRequest {
  if (fault === 'none') return { call: 'clearFaults' };
  return Array.isArray(fault)
    ? { call: 'setFaults', body: { rules: fault } }
    : { call: 'addFault', body: fault };
}

export interface ScenarioReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Awaitable<T> = T | Promise<T>;

/** The world that a scenario runs on: in this process, or over HTTP. */
export interface ScenarioTarget {
  readonly now: Instant;
  /** URL of the emulator, as the world's webhooks reach it. */
  readonly baseUrl: string;
  /** Sets the clock. Runs no due jobs. */
  set(moment: Instant): Awaitable<void>;
  /** Moves the clock forward and runs due jobs. */
  advance(moment: Instant): Awaitable<void>;
  send(request: ScenarioRequest): Awaitable<ScenarioReply>;
  /** Resolves once no delivery is in progress. Undefined if deliveries are made later. */
  delivered?(): Awaitable<void>;
}

/** Work that yields each promise it waits for, so that it can run synchronously or asynchronously. */
export type ScenarioRun<T> = Generator<unknown, T, unknown>;

export function* wait<T>(value: Awaitable<T>): ScenarioRun<T> {
  return (yield value) as T;
}

/** Runs work to its end synchronously. @throws Error where something has to be waited for */
export function runToEndNow<T>(run: ScenarioRun<T>): T {
  let step = run.next();
  while (!step.done) {
    if (step.value instanceof Promise)
      throw new Error('This target answers at once or not at all.');
    step = run.next(step.value);
  }
  return step.value;
}

/** Runs work to its end and awaits each promise. A rejection is thrown inside the work. */
export async function runToEndAwaiting<T>(run: ScenarioRun<T>): Promise<T> {
  let step = run.next();
  while (!step.done)
    step = await Promise.resolve(step.value).then(
      (value) => run.next(value),
      (error) => run.throw(error),
    );
  return step.value;
}
