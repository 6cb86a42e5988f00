import type { World } from './world.ts';
import { WorldClosed } from './world-closed.ts';

/**
 * Reads a world. If its whole state is replaced before the read has ended, reads again, so that the result is of one state.
 *
 * @throws WorldClosed if the world was closed meanwhile
 */
export function readConsistently<T>(world: World, read: () => T | Promise<T>): T | Promise<T> {
  const { replacements } = world;
  const found = read();
  if (!(found instanceof Promise)) return found;
  const orAgain = (end: () => T | Promise<T>) => {
    if (world.isClosed) throw new WorldClosed();
    return world.replacements === replacements ? end() : readConsistently(world, read);
  };
  return found.then(
    (value) => orAgain(() => value),
    (error) => orAgain(() => Promise.reject(error)),
  );
}
