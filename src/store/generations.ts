import type { Instant } from '../domain/instant.ts';
import type { Locals } from './locals.ts';
import { copySnapshots, type SnapshotStore } from './snapshots.ts';
import type { World, WorldImage } from './world.ts';
import { keyOf, type MadeSandbox } from './worlds.ts';

/** The state of a world before a new generation of it began: by a reset, a restore, an import, a deletion or an advance. */
export interface Generation {
  readonly key: string;
  /** The world's time when it ended. */
  readonly saved_at: Instant;
  /** What ended it, such as `reset to empty`. */
  readonly ended_by: string;
  readonly image: WorldImage;
  /** State beside the records that returns with them: the request log. */
  readonly beside: Locals<World>;
  /** Estimated memory that only this generation holds. */
  readonly bytes: number;
  /** How a deleted sandbox had been made, if that was by request. */
  readonly made?: MadeSandbox;
  /** Snapshots and origin of a world that was deleted. */
  readonly deleted?: SnapshotStore;
}

/** Limits over all worlds. */
const MAX_GENERATIONS = 10;
const MAX_BYTES = 64 * 1_024 * 1_024;

/** Estimated memory of a row that no other state shares, and of a row that the world still has. */
const BYTES_OF_ROW = 512;
const BYTES_OF_SHARED_ROW = 8;

/** The generations of all worlds that can be returned to. Past the limits, the oldest are dropped. */
export class Generations {
  #all: readonly Generation[] = [];

  /** The one before the present generation of a world. */
  latest(key: string): Generation | undefined {
    return this.#all.findLast((each) => each.key === key);
  }

  /** Adds a generation. One that is too large drops all of its world, as none before it could be returned to. */
  add(generation: Generation): void {
    if (generation.bytes > MAX_BYTES) {
      this.forget(generation.key);
      return;
    }
    this.#all = [...this.#all, generation];
    while (this.#all.length > MAX_GENERATIONS || this.#bytes > MAX_BYTES)
      this.#all = this.#all.slice(1);
  }

  remove(generation: Generation): void {
    this.#all = this.#all.filter((each) => each !== generation);
  }

  /** Drops all generations of a world. */
  forget(key: string): void {
    this.#all = this.#all.filter((each) => each.key !== key);
  }

  get #bytes(): number {
    return this.#all.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** The present state of a world, held before another replaces all of its rows. */
export function holdGeneration(world: World, ended_by: string): Generation {
  const { image, beside, held } = hold(world);
  const bytes = held + countRows(image) * BYTES_OF_ROW;
  return { key: keyOf(world), saved_at: world.now, ended_by, image, beside, bytes };
}

/** The same before the world is deleted. */
export function holdDeleted(world: World, made: MadeSandbox | undefined): Generation {
  const generation = holdGeneration(world, 'deletion');
  return { ...generation, ...(made && { made }), deleted: copySnapshots(world) };
}

/**
 * The present state of a world, held before work that replaces some of its rows.
 *
 * @returns a function for the end of the work, which returns the generation
 */
export function beginGeneration(world: World, ended_by: string): () => Generation {
  const [key, saved_at, { image, beside, held }] = [keyOf(world), world.now, hold(world)];
  let replaced = 0;
  const stop = world.onCommit((changes) => {
    replaced += changes.length;
  });
  return () => {
    stop();
    const rows = countRows(image) * BYTES_OF_SHARED_ROW + replaced * BYTES_OF_ROW;
    return { key, saved_at, ended_by, image, beside, bytes: held + rows };
  };
}

const hold = (world: World) => {
  const { beside, bytes: held } = world.holdBeside();
  return { image: world.capture(), beside, held };
};

const countRows = ({ tables }: WorldImage): number =>
  Object.values(tables).reduce((sum, rows) => sum + rows.length, 0);
