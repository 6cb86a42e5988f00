import type { MachineTime } from '../config/machine-time.ts';
import type { Settings } from '../config/settings.ts';
import { fromMillis, type Instant, instant, nearestInstant, toMillis } from '../domain/instant.ts';

export type ClockMode = 'real' | 'frozen' | 'offset';

/** The state of a clock: none, the instant at which it is frozen, or its offset from the machine's time. */
export type ClockState =
  | { readonly mode: 'real' }
  | { readonly mode: 'frozen'; readonly at: Instant }
  | { readonly mode: 'offset'; readonly offset_ms: number };

/** The state of a world's clock when the world opens. */
export function startClock(
  { clock: mode, clock_now }: Pick<Settings, 'clock' | 'clock_now'>,
  machine: MachineTime,
): ClockState {
  const start = clock_now === '' ? fromMillis(machine()) : instant(clock_now);
  return new Clock(machine, { mode: 'real' }).stateAt(mode, start);
}

/** The only source of now in a world. Domain functions are handed the instant instead. @assumes A-302, A-1301 */
export class Clock {
  /** During an advance: the instant that it has reached. */
  held: Instant | undefined;
  /** The latest advance, for warnings; forgotten when the process ends. */
  advanced: { readonly from: Instant; readonly to: Instant } | undefined;
  /** The machine's time before which a real clock does not go on, as another machine may have written the world. */
  notBefore = -Infinity;

  constructor(
    readonly machine: MachineTime,
    public state: ClockState,
  ) {}

  now(): Instant {
    if (this.held !== undefined) return this.held;
    switch (this.state.mode) {
      case 'real':
        return fromMillis(Math.max(this.machine(), this.notBefore));
      case 'frozen':
        return this.state.at;
      case 'offset':
        return nearestInstant(this.machine() + this.state.offset_ms);
    }
  }

  /** The state to be stored: during an advance, as if it had ended at the instant that it has reached. */
  get stored(): ClockState {
    if (this.held === undefined) return this.state;
    const { mode } = this.state;
    return this.stateAt(mode === 'real' ? 'offset' : mode, this.held);
  }

  /** When this clock reads an instant, by the machine's time; undefined for never. @units milliseconds since 1970 */
  machineTimeAt(at: Instant): number | undefined {
    if (this.state.mode === 'frozen') return undefined;
    return toMillis(at) - (this.state.mode === 'offset' ? this.state.offset_ms : 0);
  }

  /** The state in which this clock reads `now` at this moment, in the given mode. */
  stateAt(mode: ClockMode, now: Instant): ClockState {
    if (mode === 'real') return { mode };
    if (mode === 'frozen') return { mode, at: now };
    return { mode, offset_ms: toMillis(now) - this.machine() };
  }
}
