import type { Row } from './row.ts';
import { TABLE_NAMES, type Tables } from './schema.ts';
import type { Table } from './table.ts';
import { runTimeSliced, type TimeSliced } from './time-sliced.ts';
import type { World } from './world.ts';

/** Read access to the records of all tables, of a world or of a data file. */
export type RecordTables = {
  readonly [T in keyof Tables]: Pick<Tables[T], 'get' | 'values' | 'size'>;
};

/** Read access to the records, sums and index definitions of all tables, of a world or of its image. */
export type ReadableTables = {
  readonly [T in keyof Tables]: Pick<Tables[T], 'get' | 'values' | 'size' | 'sums' | 'indexes'>;
};

/** Reads an image of a world in slices, so that others are served meanwhile: later commits are not seen. */
export async function readCaptured<T>(
  world: World,
  read: (tables: ReadableTables) => TimeSliced<T>,
): Promise<T> {
  const tables = TABLE_NAMES.map((name) => [
    name,
    new CapturedTable(world.tables[name] as Table<Row>),
  ]);
  return runTimeSliced(read(Object.fromEntries(tables) as ReadableTables));
}

/** The rows of a table at one moment, with the sums of its indexes then. */
class CapturedTable {
  readonly #all: readonly Row[];
  #byId: ReadonlyMap<string, Row> | undefined;
  readonly #sums = new Map<string, ReturnType<Table<Row>['sums']>>();
  readonly indexes: Table<Row>['indexes'];

  constructor(table: Table<Row>) {
    this.#all = table.capture();
    this.indexes = table.indexes;
    for (const [name, index] of Object.entries(table.indexes))
      if ('amounts' in index) this.#sums.set(name, new Map(table.sums(name)));
  }

  sums(index: string): ReturnType<Table<Row>['sums']> {
    return this.#sums.get(index) ?? new Map();
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
