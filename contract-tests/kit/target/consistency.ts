import type { WaitRecord } from './patience.ts';

/** Longest window that is tried where none is declared. */
export const USUAL_WINDOW_MS = 2_000;

/** Holds reads back after a write, for a service in which what was written is seen later. */
export class Consistency {
  /** How long after a write a read waits; nothing until a check needed it. */
  delayMs = 0;
  /** Whether a read came so soon after a write that it may have missed it. */
  wasHasty = false;
  /** How many checks were tried again without a declared window. */
  tried = 0;
  #lastWrite = Number.NEGATIVE_INFINITY;

  afterWrite(): void {
    this.#lastWrite = Date.now();
  }

  async beforeRead(waits: WaitRecord[]): Promise<void> {
    const rest = this.#lastWrite + this.delayMs - Date.now();
    if (Date.now() - this.#lastWrite < USUAL_WINDOW_MS) this.wasHasty = true;
    if (rest <= 0) return;
    waits.push({ kind: 'consistency', milliseconds: rest });
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
