import type { WaitRecord } from './patience.ts';

/** The longest delay that is tried when no window is declared. */
export const USUAL_WINDOW_MS = 2_000;

/** Delays reads after a write, for an eventually consistent service. */
export class Consistency {
  /** The delay of a read after a write; 0 until a check needs one. */
  delayMs = 0;
  /** Whether a read came so soon after a write that it could miss it. */
  wasHasty = false;
  /** The number of checks that ran again without a declared window. */
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
