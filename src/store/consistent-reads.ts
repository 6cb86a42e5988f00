import type { Row } from './row.ts';
import { TABLE_NAMES, type Tables } from './schema.ts';
import type { Table } from './table.ts';
import { runTimeSliced, type TimeSliced } from './time-sliced.ts';
import type { World } from './world.ts';

/** Read access to the records of all tables, of a world or of a data file. */
export type RecordTables = {
  readonly [T in keyof Tables]: Pick<Tables[T], 'get' | 'values' | 'size'>;
};

/** Reads an image of a world in slices, so that others are served meanwhile: later commits are not seen. */
export async function readCaptured<T>(
  world: World,
  read: (tables: RecordTables) => TimeSliced<T>,
): Promise<T> {
  const tables = TABLE_NAMES.map((name) => [
    name,
    new CapturedTable(world.tables[name] as unknown as Table<Row>),
  ]);
  return runTimeSliced(read(Object.fromEntries(tables) as RecordTables));
}

/** The rows of a table at one moment. */
class CapturedTable {
  readonly #all: readonly Row[];
  #byId: ReadonlyMap<string, Row> | undefined;

  constructor(table: Table<Row>) {
    this.#all = table.capture();
  }

  get size(): number {
    return this.#all.length;
  }

  get(id: string): Row | undefined {
    this.#byId ??= new Map(this.#all.map((row) => [row.id, row]));
    return this.#byId.get(id);
  }

  values(): IterableIterator<Row> {
    return this.#all.values();
  }
}
