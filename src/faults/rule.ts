import { parseDuration } from '../domain/instant.ts';
import type { components } from '../spec/control.d.ts';

type Schemas = components['schemas'];

/** Which fault is injected into which requests or deliveries, and when. */
export type FaultRule = Schemas['FaultRule'];

/** The effect of a fault: at most one of `FAULT_OUTCOMES`, and a latency. */
export type FaultEffect = Omit<FaultRule, 'name' | 'match' | 'skip' | 'times'>;

/** How a connection ends without a response: refused before the request runs, or cut after it. */
export type Ending = Schemas['FaultConnection'];

/** The parts of an effect that exclude each other. A delivery may be given a `status`. */
export const FAULT_OUTCOMES = [
  'status',
  'connection',
  'rate_limit',
  'lost_response',
  'delivery',
] as const;

/** The maximum number of rules in a world. @assumes A-1411 */
export const MAX_RULES = 100;

const MAX_LATENCY_MS = 3_600_000;
const MAX_PERIOD_MS = 365 * 86_400_000;

/** Reads a latency such as `500ms`; undefined if it is invalid or more than an hour. @units milliseconds */
export const readLatency = (text: string): number | undefined => readMillis(text, MAX_LATENCY_MS);

/** Reads the period of a limit; undefined if it is invalid, 0 or more than a year. @units milliseconds */
export function readPeriod(text: string): number | undefined {
  const millis = readMillis(text, MAX_PERIOD_MS);
  return millis === 0 ? undefined : millis;
}

function readMillis(text: string, most: number): number | undefined {
  const millis = text.length > 32 ? undefined : parseDuration(text)?.toMillis();
  if (millis === undefined || !Number.isFinite(millis) || millis < 0 || millis > most)
    return undefined;
  return Math.round(millis);
}
