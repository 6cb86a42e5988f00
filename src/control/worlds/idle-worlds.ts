import { keyOf } from '../../store/worlds.ts';
import type { WorldManager } from './world-manager.ts';

/**
 * Unloads the worlds that have not been used for a while. A request uses its worlds until its response has ended, and keys
 * that open none are forgotten as well.
 */
export class IdleWorlds {
  /** Requests in progress, and when the latest one ended or began, by key. */
  readonly #uses = new Map<string, { requests: number; last: number }>();
  readonly #timer: NodeJS.Timeout;

  /** @param idleMs after how many milliseconds without use a world is idle */
  constructor(
    private readonly worldManager: Pick<WorldManager, 'worlds' | 'isBusy' | 'unload'>,
    private readonly idleMs: number,
  ) {
    this.#timer = setInterval(() => this.unload(), Math.min(idleMs, 60_000) / 2).unref();
  }

  /** Notes that a request uses the world of a key. Returns a function that notes the end of the request. */
  use(key: string): () => void {
    const use = this.#uses.get(key) ?? { requests: 0, last: 0 };
    this.#uses.set(key, use);
    use.requests += 1;
    use.last = performance.now();
    return () => {
      use.requests -= 1;
      use.last = performance.now();
    };
  }

  unload(): void {
    const open = new Map(
      [...this.worldManager.worlds.values()].map((world) => [keyOf(world), world]),
    );
    // One that was opened for its due work is used from now on.
    for (const key of open.keys()) if (!this.#uses.has(key)) this.use(key)();
    for (const [key, use] of this.#uses) {
      const world = open.get(key);
      if (!this.#isIdle(use) || (world && this.worldManager.isBusy(world, this.idleMs))) continue;
      this.#uses.delete(key);
      if (world) this.worldManager.unload(world);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #isIdle({ requests, last }: { readonly requests: number; readonly last: number }): boolean {
    return requests === 0 && performance.now() - last >= this.idleMs;
  }
}
