import type { Instant } from '../domain/instant.ts';
import type { FaultStep, RequestParts } from './scenario.ts';

/** A request of a scenario, its references resolved. */
export interface ScenarioRequest {
  readonly call: string;
  readonly path?: RequestParts | undefined;
  readonly query?: RequestParts | undefined;
  readonly body?: unknown;
  /** The connected account that the call acts for. */
  readonly account?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The request that a fault step stands for. */
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

/** What a scenario runs on: a world in this process, or one that answers over HTTP. */
export interface ScenarioTarget {
  readonly now: Instant;
  /** Where the emulator answers, as the world's webhooks reach it. */
  readonly baseUrl: string;
  /** Puts the clock to a moment; nothing falls due by it. */
  set(moment: Instant): Awaitable<void>;
  /** Moves the clock forward to a moment, doing what falls due. */
  advance(moment: Instant): Awaitable<void>;
  send(request: ScenarioRequest): Awaitable<ScenarioReply>;
  /** Resolves once nothing is being delivered; absent where deliveries are made later. */
  delivered?(): Awaitable<void>;
}

/** Work that hands out what has to be waited for, so that it serves callers who wait and who do not. */
export type ScenarioRun<T> = Generator<unknown, T, unknown>;

export function* wait<T>(value: Awaitable<T>): ScenarioRun<T> {
  return (yield value) as T;
}

/** Runs to the end within this call. @throws Error where something has to be waited for */
export function runToEndNow<T>(run: ScenarioRun<T>): T {
  let step = run.next();
  while (!step.done) {
    if (step.value instanceof Promise)
      throw new Error('This target answers at once or not at all.');
    step = run.next(step.value);
  }
  return step.value;
}

/** Runs to the end and waits for whatever has to be waited for; what failed is thrown where it was waited for. */
export async function runToEndAwaiting<T>(run: ScenarioRun<T>): Promise<T> {
  let step = run.next();
  while (!step.done)
    step = await Promise.resolve(step.value).then(
      (value) => run.next(value),
      (error) => run.throw(error),
    );
  return step.value;
}
