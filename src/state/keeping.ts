import type { World } from './world.ts';

/**
 * A kind of thing kept for each world beside its records, such as its request log. It is made on first use.
 * Whatever is kept this way takes part in resets, without anybody naming it there.
 */
export interface Keeping<T> {
  readonly name: string;
  open(world: World): T;
  /** Empties it when the world is reset; left out where it outlives a reset. */
  clear?(kept: T): void;
  /** Lets go of timers and waiting callers when the world closes. */
  close?(kept: T): void;
}

/** The things kept for one world. */
export class Keepings {
  readonly #kept = new Map<Keeping<unknown>, unknown>();

  of<T>(keeping: Keeping<T>, world: World): T {
    const known = this.#kept.get(keeping as Keeping<unknown>);
    if (known !== undefined) return known as T;
    const made = keeping.open(world);
    this.#kept.set(keeping as Keeping<unknown>, made);
    return made;
  }

  clear(): void {
    for (const [keeping, kept] of this.#kept) keeping.clear?.(kept);
  }

  close(): void {
    for (const [keeping, kept] of this.#kept) keeping.close?.(kept);
    this.#kept.clear();
  }
}
