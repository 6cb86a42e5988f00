/** How a wait ended: the time passed, the client disconnected, or the wait was dropped without a response. */
export type WaitEnd = 'over' | 'left' | 'dropped';

/** Adds a listener for the client's disconnect; returns a function that removes it. */
export type OnClientClose = (listener: () => void) => () => void;

/** Requests that are delayed. */
export class Waits {
  readonly #waiting = new Set<(end: WaitEnd) => void>();

  get size(): number {
    return this.#waiting.size;
  }

  /** @units milliseconds */
  wait(millis: number, onClientClose: OnClientClose): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const end = (how: WaitEnd): void => {
        clearTimeout(timer);
        stop();
        this.#waiting.delete(end);
        resolve(how);
      };
      const timer = setTimeout(() => end('over'), millis);
      const stop = onClientClose(() => end('left'));
      this.#waiting.add(end);
    });
  }

  /** Ends all waits at once; the requests continue. */
  release(): void {
    for (const end of [...this.#waiting]) end('over');
  }

  /** Ends all waits; the requests get no response. */
  drop(): void {
    for (const end of [...this.#waiting]) end('dropped');
  }
}
