import { createSharer } from '../../intern-pool.ts';
import type { Row } from '../../row.ts';
import type { WorldHead, WorldImage } from '../../world.ts';
import type { ImageLabel, StoredImage } from '../stored-image.ts';
import { addChanges, type ChangedRows, SLICE, writeRows } from './batch.ts';
import type { Database, Transaction } from './database.ts';

/** Writes all rows of a state as a new generation, and returns its number. */
export async function writeGeneration(
  transaction: Transaction,
  key: string,
  { tables }: WorldImage,
): Promise<number> {
  const generation = await newGeneration(transaction);
  for (const [table, rows] of Object.entries(tables))
    for (let from = 0; from < rows.length; from += SLICE) {
      const changed: ChangedRows = new Map();
      const slice = rows.slice(from, from + SLICE);
      addChanges(
        changed,
        slice.map((after) => ({ table, id: after.id, before: undefined, after })),
      );
      await writeRows(transaction, key, generation, changed);
    }
  return generation;
}

export async function removeGeneration(
  transaction: Transaction,
  key: string,
  generation: number | null,
): Promise<void> {
  const values = [key, generation];
  await transaction.run('DELETE FROM $records WHERE world = $1 AND generation = $2', values);
}

async function newGeneration(transaction: Transaction): Promise<number> {
  const [row] = await transaction.run<{ nextval: string }>("SELECT nextval('$generations')");
  return Number(row?.nextval);
}

/** The name of an image among those of its kind. */
function nameOf(label: ImageLabel): string {
  if (label.kind === 'snapshot') return JSON.stringify(label.name).slice(1, -1);
  return '';
}

/** Stores an image, in the place of one with the same name. */
export async function writeImage(transaction: Transaction, image: StoredImage): Promise<void> {
  await removeImage(transaction, image);
  await labelImage(transaction, image, await writeGeneration(transaction, image.key, image));
}

/** The same for an image of a state that the database has as a generation. */
export async function copyAsImage(
  transaction: Transaction,
  image: StoredImage,
  generation: number,
): Promise<void> {
  await removeImage(transaction, image);
  const copy = await newGeneration(transaction);
  await transaction.run(
    `INSERT INTO $records (world, generation, kind, key, place, row)
     SELECT world, $3, kind, key, place, row FROM $records WHERE world = $1 AND generation = $2`,
    [image.key, generation, copy],
  );
  await labelImage(transaction, image, copy);
}

async function labelImage(
  transaction: Transaction,
  image: StoredImage,
  generation: number,
): Promise<void> {
  const { tables: _, ...label } = image;
  await transaction.run(
    'INSERT INTO $images (world, kind, name, generation, label) VALUES ($1, $2, $3, $4, $5)',
    [image.key, image.kind, nameOf(image), generation, JSON.stringify(label)],
  );
}

export async function removeImage(transaction: Transaction, label: ImageLabel): Promise<void> {
  await transaction.run(
    `WITH gone AS (
       DELETE FROM $images WHERE world = $1 AND kind = $2 AND name = $3 RETURNING world, generation
     )
     DELETE FROM $records r USING gone g WHERE r.world = g.world AND r.generation = g.generation`,
    [label.key, label.kind, nameOf(label)],
  );
}

/** A world as its row says, once it is claimed. */
export interface ClaimedRow {
  readonly key: string;
  readonly epoch: string;
  readonly head: string;
  readonly generation: string | null;
  readonly made: Extract<ImageLabel, { kind: 'world' }>['made'] | null;
  readonly origin: Extract<ImageLabel, { kind: 'world' }>['origin'] | null;
  readonly sequence: string;
  readonly requests: string;
  readonly clock: WorldHead['clock'];
  /** The machine's time of the last write; null where there was none. @units milliseconds since 1970 */
  readonly written: string | null;
}

export const CLAIMED_COLUMNS = `key, epoch, head, generation, made, origin, sequence, requests, clock,
  extract(epoch FROM written) * 1000 AS written`;

/** The present state and all images of a world. */
export async function readWorld(database: Database, row: ClaimedRow): Promise<StoredImage[]> {
  const { key, generation, made, origin, sequence, requests, clock, written } = row;
  const images: StoredImage[] = [];
  if (generation !== null)
    images.push({
      kind: 'world',
      key,
      ...(made && { made }),
      ...(origin && { origin }),
      ...(written !== null && { written: Number(written) }),
      sequence: Number(sequence),
      requests: Number(requests),
      clock,
      tables: await readRows(database, key, generation),
    });
  const found = await database.run<{ generation: string; label: StoredImage }>(
    'SELECT generation, label FROM $images WHERE world = $1 ORDER BY generation',
    [key],
  );
  for (const { generation: of, label } of found)
    images.push({ ...label, tables: await readRows(database, key, of) });
  return images;
}

/** A row as it is read, with what orders it among those of its generation. */
interface ReadRow {
  readonly place: string;
  readonly kind: string;
  readonly key: string;
  readonly row: Row;
}

/** Before all rows. */
const START = { place: '-9223372036854775808', kind: '', key: '' };

/**
 * The rows of a generation by table, in the order of creation of all of them: what an event and its transactions have in
 * common is then close together, and is shared. They are read in slices, each while the one before it is shared.
 */
async function readRows(
  database: Database,
  world: string,
  generation: string,
): Promise<Record<string, Row[]>> {
  const readAfter = ({ place, kind, key }: Omit<ReadRow, 'row'>) =>
    database.run<ReadRow>(
      `SELECT place, kind, key, row FROM $records
       WHERE world = $1 AND generation = $2 AND (place, kind, key) > ($3, $4, $5)
       ORDER BY place, kind, key LIMIT ${SLICE}`,
      [world, generation, place, kind, key],
    );
  const share = createSharer();
  const tables: Record<string, Row[]> = {};
  let next: Promise<ReadRow[]> | undefined = readAfter(START);
  while (next) {
    const rows: ReadRow[] = await next;
    next = rows.length < SLICE ? undefined : readAfter(rows.at(-1) as ReadRow);
    for (const { kind, row } of rows) {
      tables[kind] ??= [];
      tables[kind].push(share(row));
    }
  }
  return tables;
}
