import { FIRST_INSTANT, parseClockTime } from '../../domain/instant.ts';
import type { ClockState } from '../clock.ts';
import type { WorldHead } from '../world.ts';

export function judgeHead(head: Partial<WorldHead> | null | undefined): string[] {
  const { sequence, requests, clock } = head ?? {};
  const counts = Object.entries({ sequence, requests })
    .filter(([, value]) => !isCount(value))
    .map(([name, value]) => `${name}: Expected a whole number, got ${JSON.stringify(value)}.`);
  if (isClock(clock)) return counts;
  return [...counts, `clock: Expected a clock from 1970 to 9999, got ${JSON.stringify(clock)}.`];
}

/** A head with the sound parts of another. A frozen clock stays frozen, so that no work becomes due. */
export function mendHead(head: Partial<WorldHead> | null | undefined): WorldHead {
  const { sequence, requests, clock } = head ?? {};
  const stopped: ClockState =
    clock?.mode === 'frozen' ? { mode: 'frozen', at: FIRST_INSTANT } : { mode: 'real' };
  return {
    sequence: isCount(sequence) ? sequence : 0,
    requests: isCount(requests) ? requests : 0,
    clock: clock && isClock(clock) ? clock : stopped,
  };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const CLOCKS: { readonly [M in ClockState['mode']]: (clock: never) => boolean } = {
  real: () => true,
  frozen: ({ at }: { at: unknown }) => typeof at === 'string' && parseClockTime(at) === at,
  offset: ({ offset_ms }: { offset_ms: unknown }) => Number.isFinite(offset_ms),
};

const isClock = (clock: ClockState | null | undefined): boolean =>
  CLOCKS[clock?.mode as ClockState['mode']]?.(clock as never) === true;
