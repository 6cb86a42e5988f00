import type { World } from './world.ts';

/**
 * A kind of state that each world has beside its records, such as its request log, created on first use. It takes part in
 * resets and closing without being named there.
 */
export interface WorldLocal<T> {
  readonly name: string;
  open(world: World): T;
  /** Empties it when the world is reset; absent if it outlives a reset. */
  clear?(kept: T): void;
  /** Takes over the state of a draft that replaces the contents of the world. */
  adopt?(kept: T, drafted: T): void;
  /** Releases timers and waiting callers when the world closes. */
  close?(kept: T): void;
}

/** All such state of one world. */
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

const ENDS: WorldLocal<Set<() => void>> = {
  name: 'what ends with the world',
  open: () => new Set(),
  close: (ends) => {
    for (const end of [...ends]) end();
  },
};

/** Calls a function when a world closes; returns how to stop. */
export function onClose(world: World, end: () => void): () => void {
  const ends = world.local(ENDS).add(end);
  return () => ends.delete(end);
}
