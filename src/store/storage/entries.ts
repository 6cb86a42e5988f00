import type { Instant } from '../../domain/instant.ts';
import type { Change, Row } from '../row.ts';
import { type Origin, originOf, type Snapshot, snapshotsOf } from '../snapshots.ts';
import type { World, WorldHead, WorldImage } from '../world.ts';
import { keyOf, type MadeSandbox } from '../worlds.ts';

export type TableRow = readonly [table: string, row: Row];

/** Rows of a world, or of one of its images, that are written and removed together. */
export interface RowsEntry {
  readonly kind: 'rows';
  readonly world: string;
  /** The image to which they belong; the world itself if absent. */
  readonly image?: string;
  /** For an image: the world's time when it was saved. */
  readonly saved_at?: Instant;
  readonly head: WorldHead;
  /** Whether all former rows are removed first. */
  readonly empty?: true;
  readonly put?: Iterable<TableRow>;
  readonly gone?: readonly (readonly [table: string, id: string])[];
  /** Whether the next line belongs to the same change. */
  readonly more?: true;
}

/** One step of the data: a snapshot is the entries from nothing, a journal those that came after. */
export type Entry =
  | RowsEntry
  /** The present state of the world becomes an image. */
  | {
      readonly kind: 'save';
      readonly world: string;
      readonly image: string;
      readonly saved_at: Instant;
      readonly head: WorldHead;
    }
  | { readonly kind: 'forget'; readonly world: string; readonly image: string }
  | { readonly kind: 'origin'; readonly world: string; readonly origin: PlainOrigin }
  | { readonly kind: 'sandbox'; readonly sandbox: string; readonly made: MadeSandbox }
  | { readonly kind: 'close'; readonly sandbox: string };

/** An origin other than an image, which is stored among the images. */
export type PlainOrigin = Exclude<Origin, { kind: 'image' }>;

/** The name of the image that a reset restores. */
export const ORIGIN_IMAGE = 'origin';
const SNAPSHOT_IMAGE = 'snapshot:';
export const snapshotImage = (name: string): string => `${SNAPSHOT_IMAGE}${name}`;
/** The name of a snapshot by the name of its image; undefined for any other image. */
export const snapshotOfImage = (image: string): string | undefined =>
  image.startsWith(SNAPSHOT_IMAGE) ? image.slice(SNAPSHOT_IMAGE.length) : undefined;

/** The changes of a commit: its rows as they are afterwards. */
export function changesEntry(world: World, changes: readonly Change[]): RowsEntry {
  const last = new Map(changes.map((change) => [`${change.table}\n${change.id}`, change]));
  const put: TableRow[] = [];
  const gone: [string, string][] = [];
  for (const { table, id, after } of last.values())
    if (after) put.push([table, after]);
    else gone.push([table, id]);
  return { ...headEntry(world), put, ...(gone.length > 0 && { gone }) };
}

export function headEntry(world: World): RowsEntry {
  return { kind: 'rows', world: keyOf(world), head: world.head };
}

/** All present rows of a world, in place of all former ones. */
export function contentsEntry(world: World): RowsEntry {
  return { ...headEntry(world), empty: true, put: rowsOfImage(world.capture().tables) };
}

/** An image, in place of one with the same name. */
export function imageEntry(
  world: string,
  image: string,
  { tables, sequence, requests, clock }: WorldImage,
  saved_at?: Instant,
): RowsEntry {
  const head = { sequence, requests, clock };
  const about = { image, ...(saved_at && { saved_at }) };
  return { kind: 'rows', world, ...about, head, empty: true, put: rowsOfImage(tables) };
}

/** An origin, in place of the former one. */
export function originEntry(world: string, origin: Origin): Entry {
  return origin.kind === 'image'
    ? imageEntry(world, ORIGIN_IMAGE, origin.image)
    : { kind: 'origin', world, origin };
}

export function* entriesOfWorld(world: World): Generator<Entry> {
  const key = keyOf(world);
  yield { ...headEntry(world), empty: true, put: rowsOfWorld(world) };
  yield* entriesBeside(key, snapshotsOf(world).values(), originOf(world));
}

/** The entries of a world's snapshots and origin. */
export function* entriesBeside(
  world: string,
  snapshots: Iterable<Snapshot>,
  origin: Origin,
): Generator<Entry> {
  for (const { name, saved_at, image } of snapshots)
    yield imageEntry(world, snapshotImage(name), image, saved_at);
  if (origin.kind !== 'preset') yield originEntry(world, origin);
}

/** The rows of an image, as often as they are asked for: a failed write is repeated. */
export const rowsOfImage = (tables: WorldImage['tables']): Iterable<TableRow> => ({
  [Symbol.iterator]: () =>
    byCreation(Object.entries(tables).map(([name, rows]) => [name, rows.values(), rows.length])),
});

/**
 * The rows of a world, which can be consumed while it changes: each row that exists all the time is included, in a version
 * of some moment in between.
 */
const rowsOfWorld = ({ tables }: World): Generator<TableRow> =>
  byCreation(Object.entries(tables).map(([name, table]) => [name, table.values(), table.size]));

type RowsOfTable = readonly [table: string, rows: Iterator<Row>, count: number];

/**
 * Merges the rows of several tables in the order of creation, as far as each table has it. What an event and its
 * transactions have in common is then close together in the file, and is shared in memory when it is read.
 */
function* byCreation(tables: readonly RowsOfTable[]): Generator<TableRow> {
  const heads = tables.map(([name, rows, left]) => ({ name, rows, left, row: nextOf(rows, left) }));
  let open = heads.filter(({ row }) => row);
  while (open.length > 0) {
    const first = open.reduce((least, each) => (seqOf(each) < seqOf(least) ? each : least));
    yield [first.name, first.row as Row];
    first.left -= 1;
    first.row = nextOf(first.rows, first.left);
    if (!first.row) open = open.filter((each) => each !== first);
  }
}

const seqOf = ({ row }: { readonly row: Row | undefined }): number => row?.seq ?? 0;

const nextOf = (rows: Iterator<Row>, left: number): Row | undefined =>
  left > 0 ? rows.next().value : undefined;

/** Minimum length of a line, except for the last one of an entry. One line and one piece of `lines.ts` fit one write. */
const LINE_LENGTH = 32_768;

/** An entry as JSON in one line, or in several lines if it has many rows. */
export function* textsOf(entry: Entry): Generator<string> {
  if (entry.kind !== 'rows' || !entry.put) {
    yield JSON.stringify(entry);
    return;
  }
  const { put, empty, gone, ...rest } = entry;
  const lineOf = (rows: string, more: object) =>
    `{"put":[${rows}],${JSON.stringify({ ...rest, ...more }).slice(1)}`;
  let first: object = empty ? { empty } : {};
  let rows = '';
  for (const row of put) {
    if (rows.length > LINE_LENGTH) {
      yield lineOf(rows, { ...first, more: true });
      [first, rows] = [{}, ''];
    }
    rows += `${rows === '' ? '' : ','}${JSON.stringify(row)}`;
  }
  yield lineOf(rows, { ...first, ...(gone && { gone }) });
}

export function* textsOfAll(entries: readonly Entry[]): Generator<string> {
  for (const entry of entries) yield* textsOf(entry);
}
