import type { MachineTime } from '../config/machine-time.ts';

/** The longest wait of one timer; a longer wait uses several. */
const LONGEST_WAIT_MS = 86_400_000;

/** One timer that rings at the earliest moment it was set for. It does not keep the process running. */
export class Alarm {
  #timer: NodeJS.Timeout | undefined;
  #ringsAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly machine: MachineTime,
    private readonly ring: () => void,
  ) {}

  /** Sets the alarm to ring after at most this time. */
  setWithin(waitMs: number): void {
    const wait = Math.min(Math.max(waitMs, 1), LONGEST_WAIT_MS);
    const ringsAt = this.machine() + wait;
    if (ringsAt >= this.#ringsAt) return;
    this.stop();
    this.#ringsAt = ringsAt;
    this.#timer = setTimeout(() => {
      this.stop();
      this.ring();
    }, wait).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ringsAt = Number.POSITIVE_INFINITY;
  }
}
