import { startMutant } from '../mutants/emulator.ts';
import type { ShapeMutant } from './shape-mutants.ts';

export type SpoiledEmulator = Awaited<ReturnType<typeof startSpoiledEmulator>>;

/** Starts a correct emulator that changes the responses of one operation by a mutant. */
export async function startSpoiledEmulator() {
  let current: ShapeMutant | undefined;
  let spoiled = 0;
  const { baseUrl, close } = await startMutant({
    get of() {
      return current ? [current.operation.id] : [];
    },
    response(answer) {
      const changed = answer.status === current?.status && current.change(answer);
      if (!changed) return;
      spoiled += 1;
      Object.assign(answer, changed);
    },
  });

  return {
    baseUrl,
    close,
    /** The number of responses changed since the mutant was set. */
    get spoiled() {
      return spoiled;
    },
    set(mutant: ShapeMutant | undefined) {
      current = mutant;
      spoiled = 0;
    },
  };
}
