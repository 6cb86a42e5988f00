import type { Local } from './locals.ts';
import type { World } from './world.ts';

/**
 * A kind of state that each world has beside its records, such as its request log, created on first use. It takes part in
 * resets and closing without being named there.
 */
export type WorldLocal<T> = Local<T, World>;

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
