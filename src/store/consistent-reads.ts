import type { Row } from './row.ts';
import { type RecordTables, TABLE_NAMES } from './schema.ts';
import { runTimeSliced, type TimeSliced } from './time-sliced.ts';
import { type World, WorldClosed, type WorldImage } from './world.ts';

/** Reads an image of a world in slices, so that others are served meanwhile: later commits are not seen. */
export async function readCaptured<T>(
  world: World,
  read: (tables: RecordTables) => TimeSliced<T>,
): Promise<T> {
  return runTimeSliced(read(recordsOf(world.capture())));
}

/** Read access to the records of an image. */
export function recordsOf({ tables }: WorldImage): RecordTables {
  const entries = TABLE_NAMES.map((name) => [name, new ImageTable(tables[name] ?? [])]);
  return Object.fromEntries(entries) as RecordTables;
}

class ImageTable {
  #byId: ReadonlyMap<string, Row> | undefined;

  constructor(readonly all: readonly Row[]) {}

  get size(): number {
    return this.all.length;
  }

  get(id: string): Row | undefined {
    this.#byId ??= new Map(this.all.map((row) => [row.id, row]));
    return this.#byId.get(id);
  }

  values(): IterableIterator<Row> {
    return this.all.values();
  }
}

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
