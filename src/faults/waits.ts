/** How a wait ended: in time, or because the client left, or without an answer. */
export type WaitEnd = 'over' | 'left' | 'dropped';

/** Tells a listener when the client leaves; answers how to stop. */
export type OnClientClose = (listener: () => void) => () => void;

/** Requests that are kept waiting. */
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

  /** Lets all that wait go on at once. */
  release(): void {
    for (const end of [...this.#waiting]) end('over');
  }

  /** Ends all waits without an answer. */
  drop(): void {
    for (const end of [...this.#waiting]) end('dropped');
  }
}
