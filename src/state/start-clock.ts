import type { Settings } from '../config/settings.ts';
import { fromMillis, instant, toMillis } from '../domain/instant.ts';
import type { ClockState, MachineTime } from './clock.ts';

/** How the clock of a world stands when it opens. */
export function startClock(
  { clock, clock_now }: Pick<Settings, 'clock' | 'clock_now'>,
  machine: MachineTime,
): ClockState {
  if (clock === 'real') return { mode: 'real' };
  const start = clock_now === '' ? fromMillis(machine()) : instant(clock_now);
  return clock === 'frozen'
    ? { mode: 'frozen', at: start }
    : { mode: 'offset', offset_ms: toMillis(start) - machine() };
}
