import type { Instant } from '../../domain/instant.ts';
import { convertTables, SCHEMA_VERSION } from '../conversions.ts';
import { runToEnd } from '../resumable.ts';
import { setOrigin, snapshotsOf } from '../snapshots.ts';
import type { World, WorldHead, WorldImage } from '../world.ts';
import { type MadeSandbox, parseKey } from '../worlds.ts';
import {
  type Entry,
  ORIGIN_IMAGE,
  type PlainOrigin,
  type RowsEntry,
  snapshotOfImage,
  type TableRow,
} from './entries.ts';
import { judgeHead, mendHead } from './judge-head.ts';
import { putRows, type StoredTables, type TellFlaw } from './put-rows.ts';
import { createSharer, type Sharer } from './share-parts.ts';

export interface StoredImage {
  head: WorldHead;
  readonly saved_at?: Instant;
  tables: StoredTables;
}

export interface StoredWorld extends StoredImage {
  readonly images: Map<string, StoredImage>;
  origin?: PlainOrigin;
}

/** The contents of a data file with its journals. */
export interface Stored {
  readonly worlds: Map<string, StoredWorld>;
  /** Sandboxes that were made by request. */
  readonly sandboxes: Map<string, MadeSandbox>;
  readonly share: Sharer;
}

type Appliers = {
  readonly [K in Entry['kind']]: (
    stored: Stored,
    entry: Extract<Entry, { kind: K }>,
    flaw: TellFlaw,
  ) => void;
};

const APPLIERS: Appliers = {
  rows(stored, entry, flaw) {
    const holder = holderOf(stored, entry, flaw);
    if (!holder) return;
    const wrong = judgeHead(entry.head);
    for (const message of wrong) flaw(message);
    if (wrong.length === 0) holder.head = entry.head;
    putRows(holder.tables, entry, stored.share, flaw);
  },
  save(stored, { world: key, image, head, saved_at }, flaw) {
    const world = worldOf(stored, key, flaw);
    if (!world) return;
    for (const message of judgeHead(head)) flaw(message);
    const tables = new Map([...world.tables].map(([name, rows]) => [name, new Map(rows)]));
    world.images.set(image, { head: mendHead(head), saved_at, tables });
  },
  forget(stored, { world, image }, flaw) {
    worldOf(stored, world, flaw)?.images.delete(image);
  },
  origin(stored, { world: key, origin }, flaw) {
    const world = worldOf(stored, key, flaw);
    if (!world) return;
    world.origin = origin;
    world.images.delete(ORIGIN_IMAGE);
  },
  sandbox(stored, { sandbox, made }) {
    stored.sandboxes.set(sandbox, made);
  },
  close(stored, { sandbox }) {
    stored.sandboxes.delete(sandbox);
    for (const key of [...stored.worlds.keys()])
      if (parseKey(key)?.sandbox === sandbox) stored.worlds.delete(key);
  },
};

export const emptyStored = (): Stored => ({
  worlds: new Map(),
  sandboxes: new Map(),
  share: createSharer(),
});

export function applyEntry(stored: Stored, entry: Entry, flaw: TellFlaw): void {
  if (!Object.hasOwn(APPLIERS, entry?.kind))
    return void flaw(`There are no entries of the kind ${JSON.stringify(entry?.kind)}.`);
  const apply = APPLIERS[entry.kind] as Appliers['rows'];
  try {
    apply(stored, entry as RowsEntry, flaw);
  } catch (error) {
    // A field of another type, such as rows that are no list.
    if (!(error instanceof TypeError)) throw error;
    flaw(`It is not an entry: ${error.message}`);
  }
}

/** The world or image to which the rows of an entry belong, created with its first entry. */
function holderOf(stored: Stored, entry: RowsEntry, flaw: TellFlaw): StoredImage | undefined {
  const { world: key, image, head, empty, saved_at } = entry;
  if (parseKey(key) === undefined)
    return void flaw(`${JSON.stringify(key)} is not the key of a world.`);
  if (image === undefined) {
    let world = stored.worlds.get(key);
    world ??= { head: mendHead(head), tables: new Map(), images: new Map() };
    if (empty) world.tables = new Map();
    stored.worlds.set(key, world);
    return world;
  }
  const images = worldOf(stored, key, flaw)?.images;
  const held = empty ? undefined : images?.get(image);
  const about = saved_at ? { saved_at } : {};
  const holder = held ?? { head: mendHead(head), ...about, tables: new Map() };
  images?.set(image, holder);
  return images && holder;
}

function worldOf({ worlds }: Stored, key: string, flaw: TellFlaw): StoredWorld | undefined {
  const world = worlds.get(key);
  if (!world) flaw(`There is no world ${JSON.stringify(key)}.`, true);
  return world;
}

/** The image as worlds restore it. */
function worldImage({ head, tables }: StoredImage): WorldImage {
  const rows = [...tables].map(([name, held]) => [name, [...held.values()]] as const);
  return { ...head, tables: Object.fromEntries(rows) };
}

/** Restores a world with its snapshots and its origin. */
export function bringBack(world: World, stored: StoredWorld): void {
  world.restore(worldImage(stored));
  if (stored.origin) setOrigin(world, stored.origin);
  for (const [slot, kept] of stored.images) {
    const image = worldImage(kept);
    const name = snapshotOfImage(slot);
    if (slot === ORIGIN_IMAGE) setOrigin(world, { kind: 'image', image });
    else if (name !== undefined)
      snapshotsOf(world).set(name, { name, saved_at: kept.saved_at ?? world.now, image });
  }
}

/** Converts the data of an earlier release. */
export function convertStored(stored: Stored, version: number, reportingCurrency: string): void {
  if (version === SCHEMA_VERSION) return;
  for (const [, , each] of imagesOfStored(stored)) {
    const { tables } = worldImage(each);
    const converted = runToEnd(convertTables(tables, version, reportingCurrency));
    each.tables = new Map(
      Object.entries(converted).map(([name, rows]) => [
        name,
        new Map(rows.map((row) => [row.id, row])),
      ]),
    );
  }
}

/** Each world and each image, by key and name; the name of a world itself is empty. */
export function* imagesOfStored({
  worlds,
}: Stored): Generator<readonly [key: string, name: string, StoredImage]> {
  for (const [key, world] of worlds) {
    yield [key, '', world];
    for (const [name, image] of world.images) yield [key, name, image];
  }
}

export function* entriesOfStored(stored: Stored): Generator<Entry> {
  for (const [sandbox, made] of stored.sandboxes) yield { kind: 'sandbox', sandbox, made };
  for (const [world, name, { head, saved_at, tables }] of imagesOfStored(stored)) {
    const image = name === '' ? {} : { image: name, ...(saved_at && { saved_at }) };
    yield { kind: 'rows', world, ...image, head, empty: true, put: placedRows(tables) };
  }
  for (const [world, { origin }] of stored.worlds)
    if (origin) yield { kind: 'origin', world, origin };
}

function* placedRows(tables: StoredTables): Generator<TableRow> {
  for (const [name, rows] of tables) for (const row of rows.values()) yield [name, row];
}
