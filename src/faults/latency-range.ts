import { parseDuration } from '../domain/instant.ts';

/** The maximum latency and the maximum period of a limit. */
const LONGEST_LATENCY_MS = 3_600_000;
const LONGEST_PERIOD_MS = 365 * 86_400_000;

/** @units milliseconds */
export interface LatencyRange {
  readonly least: number;
  readonly most: number;
}

/** Reads a latency such as `500ms` or `100ms..2s`; undefined if it is invalid or more than an hour. */
export function readLatency(text: string): LatencyRange | undefined {
  const parts = text.split('..').map((part) => readMillis(part, LONGEST_LATENCY_MS));
  const [least, most = least] = parts;
  if (parts.length > 2 || least === undefined || most === undefined || least > most)
    return undefined;
  return { least, most };
}

/** The latency for a random number from 0 (inclusive) to 1 (exclusive). */
export const drawFrom = ({ least, most }: LatencyRange, draw: number): number =>
  least + Math.floor(draw * (most - least + 1));

/** Reads the period of a limit; undefined if it is invalid, 0 or more than a year. */
export function readPeriod(text: string): number | undefined {
  const millis = readMillis(text, LONGEST_PERIOD_MS);
  return millis === 0 ? undefined : millis;
}

function readMillis(text: string, most: number): number | undefined {
  const millis = text.length > 32 ? undefined : parseDuration(text)?.toMillis();
  if (millis === undefined || !Number.isFinite(millis) || millis < 0 || millis > most)
    return undefined;
  return Math.round(millis);
}
