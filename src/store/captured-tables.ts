import { inSlices, type Resumable } from './resumable.ts';
import type { Row } from './row.ts';
import { TABLE_NAMES, type Tables } from './schema.ts';
import type { Table } from './table.ts';
import type { World } from './world.ts';

/** Read access to the records of all tables, of a world or of a data file. */
export type RecordTables = {
  readonly [T in keyof Tables]: Pick<Tables[T], 'get' | 'values' | 'size'>;
};

/** Read access to the records, sums and index definitions of all tables, of a world or captured from it. */
export type ReadableTables = {
  readonly [T in keyof Tables]: Pick<Tables[T], 'get' | 'values' | 'size' | 'sums' | 'indexes'>;
};

/** Reads a consistent state of a world in slices, so that others are served meanwhile: later commits are not seen. */
export async function readCaptured<T>(
  world: World,
  read: (tables: ReadableTables) => Resumable<T>,
): Promise<T> {
  const tables = Object.fromEntries(
    TABLE_NAMES.map((name) => [name, new CapturedTable(world.tables[name] as Table<Row>)]),
  );
  try {
    return await inSlices(read(tables as unknown as ReadableTables));
  } finally {
    for (const table of Object.values(tables)) table.release();
  }
}

/** The rows of a table at one moment: a list of them, and the former versions of those that have changed since. */
class CapturedTable {
  readonly #all: readonly Row[];
  readonly #get: (id: string) => Row | undefined;
  readonly #former = new Map<string, Row | undefined>();
  readonly #sums = new Map<string, ReturnType<Table<Row>['sums']>>();
  readonly indexes: Table<Row>['indexes'];
  readonly release: () => void;

  constructor(table: Table<Row>) {
    this.#all = table.capture();
    this.#get = table.lookup();
    this.indexes = table.indexes;
    // The rows themselves, as a world may get others, and these again.
    this.release = table.watch((id, before) => {
      if (!this.#former.has(id)) this.#former.set(id, before);
    });
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
    return this.#former.has(id) ? this.#former.get(id) : this.#get(id);
  }

  values(): IterableIterator<Row> {
    return this.#all.values();
  }
}
