import { parseClockTime } from '../../domain/instant.ts';
import type { ClockState } from '../clock.ts';
import type { WorldHead } from '../world.ts';

/** The flaws in the head of a world. */
export function judgeHead(head: Partial<WorldHead> | null | undefined): string[] {
  const { sequence, requests, clock } = head ?? {};
  const counts = Object.entries({ sequence, requests })
    .filter(([, value]) => !Number.isSafeInteger(value) || (value as number) < 0)
    .map(([name, value]) => `${name}: Expected a whole number, got ${JSON.stringify(value)}.`);
  if (isClock(clock)) return counts;
  return [...counts, `clock: Expected a clock from 1970 to 9999, got ${JSON.stringify(clock)}.`];
}

const CLOCKS: { readonly [M in ClockState['mode']]: (clock: never) => boolean } = {
  real: () => true,
  frozen: ({ at }: { at: unknown }) => typeof at === 'string' && parseClockTime(at) === at,
  offset: ({ offset_ms }: { offset_ms: unknown }) => Number.isFinite(offset_ms),
};

const isClock = (clock: ClockState | null | undefined): boolean =>
  CLOCKS[clock?.mode as ClockState['mode']]?.(clock as never) === true;
