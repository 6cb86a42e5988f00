import type { MachineTime } from '../state/clock.ts';

/** Longest wait of one timer; a later moment is waited for in several. */
const LONGEST_WAIT_MS = 86_400_000;

/** One timer for everything: rings at the earliest moment it was set for. It keeps no process alive. */
export class Alarm {
  #timer: NodeJS.Timeout | undefined;
  #ringsAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly machine: MachineTime,
    private readonly ring: () => void,
  ) {}

  /** Makes sure that it rings within some time. */
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
