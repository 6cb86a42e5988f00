import type { Change, Row } from '../../row.ts';
import type { WorldHead } from '../../world.ts';
import type { Database, Transaction } from './database.ts';

/** Which write of which claim of a world something is. */
export interface Write {
  readonly key: string;
  readonly epoch: number;
  /** One more than that of the write before it. */
  readonly head: number;
  readonly state: WrittenHead;
}

/** The state of a world beside its records, and the machine's time at which it was so, in milliseconds since 1970. */
export interface WrittenHead extends WorldHead {
  readonly at: number;
}

/** The rows that a write leaves, or undefined where it removes one, by what the database finds a row by. */
export type ChangedRows = Map<
  string,
  {
    readonly table: string;
    readonly place: number;
    readonly id: string;
    readonly row: Row | undefined;
  }
>;

export function addChanges(rows: ChangedRows, changes: readonly Change[]): void {
  const set = (table: string, { seq: place, id }: Row, row: Row | undefined) =>
    rows.set(`${table}\n${place}\n${id}`, { table, place, id, row });
  for (const { table, before, after } of changes) {
    // One that is removed and added again has another place.
    if (before) set(table, before, undefined);
    if (after) set(table, after, after);
  }
}

/**
 * Writes the commits that wait, of any number of worlds, in one statement: one round trip and one transaction. Each world
 * is fenced by its epoch and its head, so one that another emulator has claimed is left out, and a write that is sent
 * twice is made once. Removed rows are looked up one by one: joined, each batch might read the whole table.
 */
const WRITE_BATCH = `
WITH fenced AS (
  UPDATE $worlds w SET head = b.head, sequence = b.sequence, requests = b.requests, clock = b.clock::json,
    written = to_timestamp(b.at / 1000.0)
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[])
    AS b(key, epoch, head, sequence, requests, clock, at)
  WHERE w.key = b.key AND w.epoch = b.epoch AND w.head = b.head - 1
  RETURNING w.key, w.generation
), removed AS (
  DELETE FROM $records WHERE ctid = ANY (ARRAY(
    SELECT found.ctid
    FROM unnest($8::text[], $9::text[], $10::bigint[], $11::text[]) AS g(world, kind, place, key)
    JOIN fenced f ON f.key = g.world
    CROSS JOIN LATERAL (
      SELECT r.ctid FROM $records r
      WHERE r.world = f.key AND r.generation = f.generation
        AND r.place = g.place AND r.kind = g.kind AND r.key = g.key
      OFFSET 0
    ) found
  ))
), written AS (
  INSERT INTO $records AS r (world, generation, kind, key, place, row)
  SELECT f.key, f.generation, p.kind, p.key, p.place, p.row
  FROM json_to_recordset($12::json) AS p(world text, kind text, key text, place bigint, row json)
  JOIN fenced f ON f.key = p.world
  ON CONFLICT (world, generation, place, kind, key) DO UPDATE SET row = EXCLUDED.row
)
SELECT key FROM fenced`;

/** Writes a batch, and returns the keys of the worlds whose write is made, now or before. */
export async function writeBatch(
  database: Database,
  writes: readonly (Write & { readonly rows: ChangedRows })[],
): Promise<ReadonlySet<string>> {
  const gone: unknown[][] = [[], [], [], []];
  const put: StoredRow[] = [];
  for (const { key, rows } of writes)
    for (const { table, place, id, row } of rows.values())
      if (row) put.push(storedRow(key, table, row));
      else push(gone, [key, table, place, recordKey(id)]);
  const heads: unknown[][] = [[], [], [], [], [], [], []];
  for (const { key, epoch, head, state } of writes) {
    const { sequence, requests, clock, at } = state;
    push(heads, [key, epoch, head, sequence, requests, JSON.stringify(clock), Math.round(at)]);
  }
  const done = await database.run<{ key: string }>(WRITE_BATCH, [
    ...heads,
    ...gone,
    JSON.stringify(put),
  ]);
  const keys = new Set(done.map(({ key }) => key));
  const left = writes.filter(({ key }) => !keys.has(key));
  // One whose answer was lost, or whose world another emulator has claimed.
  if (left.length > 0) for (const key of await madeBefore(database, left)) keys.add(key);
  return keys;
}

/** The keys of the writes that were already made, although their response was lost. */
export async function madeBefore(
  database: Database,
  writes: readonly Write[],
): Promise<readonly string[]> {
  const found = await database.run<{ key: string }>(
    `SELECT w.key FROM $worlds w
     JOIN unnest($1::text[], $2::bigint[], $3::bigint[]) AS b(key, epoch, head)
     ON w.key = b.key AND w.epoch = b.epoch AND w.head = b.head`,
    [
      writes.map(({ key }) => key),
      writes.map(({ epoch }) => epoch),
      writes.map(({ head }) => head),
    ],
  );
  return found.map(({ key }) => key);
}

/** Changes some rows of a generation within a transaction. */
export async function writeRows(
  transaction: Transaction,
  key: string,
  generation: number,
  rows: ChangedRows,
): Promise<void> {
  const all = [...rows.values()];
  const gone = all.filter(({ row }) => !row);
  if (gone.length > 0)
    await transaction.run(
      `DELETE FROM $records r USING unnest($3::text[], $4::bigint[], $5::text[]) AS g(kind, place, key)
       WHERE r.world = $1 AND r.generation = $2 AND r.place = g.place AND r.kind = g.kind AND r.key = g.key`,
      [
        key,
        generation,
        gone.map(({ table }) => table),
        gone.map(({ place }) => place),
        gone.map(({ id }) => recordKey(id)),
      ],
    );
  const put = all.flatMap(({ table, row }) => (row ? [[table, row] as const] : []));
  for (let from = 0; from < put.length; from += SLICE) {
    const slice = put.slice(from, from + SLICE).map(([table, row]) => storedRow(key, table, row));
    await transaction.run(
      `INSERT INTO $records (world, generation, kind, key, place, row)
       SELECT p.world, $1, p.kind, p.key, p.place, p.row
       FROM json_to_recordset($2::json) AS p(world text, kind text, key text, place bigint, row json)
       ON CONFLICT (world, generation, place, kind, key) DO UPDATE SET row = EXCLUDED.row`,
      [generation, JSON.stringify(slice)],
    );
  }
}

/** A row as it is sent: all of a statement as one JSON text, as the driver escapes each text of an array by itself. */
interface StoredRow {
  readonly world: string;
  readonly kind: string;
  readonly key: string;
  readonly place: number;
  readonly row: Row;
}

function storedRow(world: string, kind: string, row: Row): StoredRow {
  // A copy: as JSON, the text of an id that shares its parts with other texts would be joined for good.
  const id = `${row.id}\n`.slice(0, -1);
  return { world, kind, key: recordKey(id), place: row.seq, row: { ...row, id } };
}

/** Rows of one statement: they take a few milliseconds to put together, so that others are served meanwhile. */
export const SLICE = 1_000;

/** The id of a record as text that PostgreSQL can hold, whatever characters it has: as in JSON. */
const recordKey = (id: string): string => JSON.stringify(id).slice(1, -1);

function push(columns: unknown[][], values: readonly unknown[]): void {
  for (const [index, value] of values.entries()) columns[index]?.push(value);
}
