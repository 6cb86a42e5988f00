import type { Instant } from '../../domain/instant.ts';
import type { FormerState } from '../former-states.ts';
import { type Origin, originOf, type Snapshot, snapshotsOf } from '../snapshots.ts';
import type { Change, Row } from '../table.ts';
import type { World, WorldHead, WorldImage } from '../world.ts';
import { keyOf, type MadeSandbox } from '../worlds.ts';

export type TableRow = readonly [table: string, row: Row];

/** Rows of a world, or of one of its images, that come and go together. */
export interface RowsEntry {
  readonly kind: 'rows';
  readonly world: string;
  /** The image of the world that they are of; of the world itself where absent. */
  readonly image?: string;
  /** Of an image: the world's time when it was saved. */
  readonly saved_at?: Instant;
  /** Of an image: how the sandbox was made that was deleted then. */
  readonly made?: MadeSandbox;
  readonly head: WorldHead;
  /** Whether nothing stays of what was there before. */
  readonly empty?: true;
  readonly put?: Iterable<TableRow>;
  readonly gone?: readonly (readonly [table: string, id: string])[];
  /** Whether the next line is part of the same change. */
  readonly more?: true;
}

/** One step in what is kept: a snapshot is such steps from nothing, a journal those that came after. */
export type Entry =
  | RowsEntry
  /** What the world holds now becomes an image. */
  | {
      readonly kind: 'save';
      readonly world: string;
      readonly image: string;
      readonly saved_at: Instant;
      readonly made?: MadeSandbox;
      readonly head: WorldHead;
    }
  | { readonly kind: 'forget'; readonly world: string; readonly image: string }
  | { readonly kind: 'origin'; readonly world: string; readonly origin: PlainOrigin }
  | { readonly kind: 'sandbox'; readonly sandbox: string; readonly made: MadeSandbox }
  | { readonly kind: 'close'; readonly sandbox: string };

/** An origin that is no image; that one stands among the images. */
export type PlainOrigin = Exclude<Origin, { kind: 'image' }>;

/** The image that a world goes back to. */
export const ORIGIN_IMAGE = 'origin';
const SNAPSHOT_IMAGE = 'snapshot:';
export const snapshotImage = (name: string): string => `${SNAPSHOT_IMAGE}${name}`;
const FORMER_IMAGE = 'former:';
/** The image that a former state of a world is kept as; it outlives the world. */
export const formerImage = (number: number): string => `${FORMER_IMAGE}${number}`;
/** The number of a former state by its image; undefined where that is none. */
export const formerOfImage = (image: string): number | undefined =>
  image.startsWith(FORMER_IMAGE) ? Number(image.slice(FORMER_IMAGE.length)) : undefined;
/** The name of a snapshot by its image; undefined where that is none. */
export const snapshotOfImage = (image: string): string | undefined =>
  image.startsWith(SNAPSHOT_IMAGE) ? image.slice(SNAPSHOT_IMAGE.length) : undefined;

/** What a commit changed, as its rows are afterwards. */
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

/** All rows that a world holds at this moment, in the place of all that it held. */
export function contentsEntry(world: World): RowsEntry {
  return { ...headEntry(world), empty: true, put: rowsOfImage(world.capture().tables) };
}

/** What is kept of an image beside what it holds. */
export type AboutImage = Pick<RowsEntry, 'saved_at' | 'made'>;

/** An image in the place of one of the same name. */
export function imageEntry(
  world: string,
  image: string,
  { tables, sequence, requests, clock }: WorldImage,
  about: AboutImage = {},
): RowsEntry {
  const head = { sequence, requests, clock };
  return { kind: 'rows', world, image, ...about, head, empty: true, put: rowsOfImage(tables) };
}

export function formerEntry(world: string, { number, image, ...about }: FormerState): RowsEntry {
  return imageEntry(world, formerImage(number), image, about);
}

/** An origin, in the place of the one before. */
export function originEntry(world: string, origin: Origin): Entry {
  return origin.kind === 'image'
    ? imageEntry(world, ORIGIN_IMAGE, origin.image)
    : { kind: 'origin', world, origin };
}

/** All that is kept of an open world. */
export function* entriesOfWorld(world: World): Generator<Entry> {
  const key = keyOf(world);
  yield { ...headEntry(world), empty: true, put: rowsOfWorld(world) };
  yield* entriesBeside(key, snapshotsOf(world).values(), originOf(world));
}

/** What is kept of a world beside what it holds. */
export function* entriesBeside(
  world: string,
  snapshots: Iterable<Snapshot>,
  origin: Origin,
): Generator<Entry> {
  for (const { name, saved_at, image } of snapshots)
    yield imageEntry(world, snapshotImage(name), image, { saved_at });
  if (origin.kind !== 'preset') yield originEntry(world, origin);
}

export const rowsOfImage = (tables: WorldImage['tables']): Generator<TableRow> =>
  byCreation(Object.entries(tables).map(([name, rows]) => [name, rows.values(), rows.length]));

/**
 * The rows of a world. They may be taken while it goes on: each that was there from the first to the last
 * moment is among them, as it was at some moment between.
 */
export const rowsOfWorld = ({ tables }: World): Generator<TableRow> =>
  byCreation(Object.entries(tables).map(([name, table]) => [name, table.values(), table.size]));

type RowsOfTable = readonly [table: string, rows: Iterator<Row>, count: number];

/**
 * Rows of several tables, those first that were made first, as far as each table has its own in that order: what an
 * event and its transactions say alike then stands near each other, and is kept once by whoever reads it.
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

/** Characters of a line that is not the last of its entry, at least. */
const LINE_LENGTH = 65_536;

/** An entry as JSON in one line, or in several where it has many rows. */
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
