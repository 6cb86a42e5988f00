/** The longest delay that is tried when no window is declared. */
export const USUAL_WINDOW_MS = 2_000;

/** Delays reads after a write, for an eventually consistent service. */
export class Consistency {
  /** The delay of a read after a write: 0 but in a check that runs again. */
  delayMs = 0;
  /** The number of checks that ran again without a declared window. */
  tried = 0;
  #lastWrite = Number.NEGATIVE_INFINITY;

  afterWrite(): void {
    this.#lastWrite = Date.now();
  }

  async beforeRead(): Promise<void> {
    const rest = this.#lastWrite + this.delayMs - Date.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
