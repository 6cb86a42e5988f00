import type { Settings } from '../config/settings.ts';
import { fromMillis, type Instant, instant, LAST_INSTANT, toMillis } from '../domain/instant.ts';

export type ClockMode = 'real' | 'frozen' | 'offset';

/** What a clock keeps: nothing, the instant it stands at, or its distance from the machine's time. */
export type ClockState =
  | { readonly mode: 'real' }
  | { readonly mode: 'frozen'; readonly at: Instant }
  | { readonly mode: 'offset'; readonly offset_ms: number };

/** The machine's time in milliseconds since 1970: the one place that reads it. */
export type MachineTime = () => number;
export const machineTime: MachineTime = () => Date.now();

/** How the clock of a world stands when it opens. */
export function startClock(
  { clock: mode, clock_now }: Pick<Settings, 'clock' | 'clock_now'>,
  machine: MachineTime,
): ClockState {
  const start = clock_now === '' ? fromMillis(machine()) : instant(clock_now);
  return new Clock(machine, { mode: 'real' }).stateAt(mode, start);
}

/**
 * The only source of now in a world. Domain functions are handed the instant instead.
 *
 * @assumes A-302, A-1301
 */
export class Clock {
  /** While an advance is under way: the instant it has reached. */
  held: Instant | undefined;

  constructor(
    readonly machine: MachineTime,
    public state: ClockState,
  ) {}

  now(): Instant {
    if (this.held !== undefined) return this.held;
    switch (this.state.mode) {
      case 'real':
        return fromMillis(this.machine());
      case 'frozen':
        return this.state.at;
      case 'offset':
        return fromMillis(Math.min(this.machine() + this.state.offset_ms, toMillis(LAST_INSTANT)));
    }
  }

  /** What of it is kept: in an advance, as if that had ended at the instant reached. */
  get kept(): ClockState {
    if (this.held === undefined) return this.state;
    const { mode } = this.state;
    return this.stateAt(mode === 'real' ? 'offset' : mode, this.held);
  }

  /** The state in which this clock reads `now` at this moment, in the given mode. */
  stateAt(mode: ClockMode, now: Instant): ClockState {
    if (mode === 'real') return { mode };
    if (mode === 'frozen') return { mode, at: now };
    return { mode, offset_ms: toMillis(now) - this.machine() };
  }
}
