import type { World } from './world.ts';

/**
 * A kind of thing kept for each world beside its records, such as its request log. It is made on first use.
 * Whatever is kept this way takes part in resets, without anybody naming it there.
 */
export interface WorldLocal<T> {
  readonly name: string;
  open(world: World): T;
  /** Empties it when the world is reset; left out where it outlives a reset. */
  clear?(kept: T): void;
  /** Takes over what a draft kept that takes the world's place. */
  adopt?(kept: T, drafted: T): void;
  /** Lets go of timers and waiting callers when the world closes. */
  close?(kept: T): void;
}

/** The things kept for one world. */
export class WorldLocals {
  readonly #values = new Map<WorldLocal<unknown>, unknown>();

  of<T>(definition: WorldLocal<T>, world: World): T {
    const known = this.#values.get(definition as WorldLocal<unknown>);
    if (known !== undefined) return known as T;
    const made = definition.open(world);
    this.#values.set(definition as WorldLocal<unknown>, made);
    return made;
  }

  clear(): void {
    for (const [definition, kept] of this.#values) definition.clear?.(kept);
  }

  adopt(draft: WorldLocals, world: World): void {
    for (const [definition, drafted] of draft.#values)
      definition.adopt?.(this.of(definition, world), drafted);
  }

  close(): void {
    for (const [definition, kept] of this.#values) definition.close?.(kept);
    this.#values.clear();
  }
}
