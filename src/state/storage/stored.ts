import type { Instant } from '../../domain/instant.ts';
import { convertTables, FORMER_TABLES, SCHEMA_VERSION } from '../conversions.ts';
import { runToEnd } from '../resumable.ts';
import { TABLE_NAMES } from '../schema.ts';
import { setOrigin, snapshotsOf } from '../snapshots.ts';
import type { Row } from '../table.ts';
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
import { judgeHead } from './judge-head.ts';

type StoredTables = Map<string, Map<string, Row>>;

export interface StoredImage {
  head: WorldHead;
  readonly saved_at?: Instant;
  tables: StoredTables;
}

export interface StoredWorld extends StoredImage {
  readonly images: Map<string, StoredImage>;
  origin?: PlainOrigin;
}

/** What a data file and its journals come to. */
export interface Stored {
  readonly worlds: Map<string, StoredWorld>;
  /** Sandboxes that were made by request. */
  readonly sandboxes: Map<string, MadeSandbox>;
}

/** Says what of an entry cannot be used; the rest of it is. */
type TellFlaw = (message: string) => void;

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
    putRows(holder.tables, entry, flaw);
  },
  save(stored, { world: key, image, saved_at, head }, flaw) {
    const world = worldOf(stored, key, flaw);
    if (!world) return;
    for (const message of judgeHead(head)) flaw(message);
    const tables = new Map([...world.tables].map(([name, rows]) => [name, new Map(rows)]));
    world.images.set(image, { head, saved_at, tables });
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

export const emptyStored = (): Stored => ({ worlds: new Map(), sandboxes: new Map() });

/** Takes what is kept one step on. */
export function applyEntry(stored: Stored, entry: Entry, flaw: TellFlaw): void {
  const apply = APPLIERS[entry?.kind] as Appliers['rows'] | undefined;
  if (apply) apply(stored, entry as RowsEntry, flaw);
  else flaw(`There are no entries of the kind ${JSON.stringify(entry?.kind)}.`);
}

/** What the rows of an entry go into; a world opens with its first. */
function holderOf(stored: Stored, entry: RowsEntry, flaw: TellFlaw): StoredImage | undefined {
  const { world: key, image, saved_at, head, empty } = entry;
  if (parseKey(key) === undefined) return void flaw(`${JSON.stringify(key)} is no key of a world.`);
  let world = stored.worlds.get(key);
  if (image === undefined) {
    world ??= { head, tables: new Map(), images: new Map() };
    if (empty) world.tables = new Map();
    stored.worlds.set(key, world);
    return world;
  }
  if (!world) return void flaw(`The world ${key} of an image is not there.`);
  const held = empty ? undefined : world.images.get(image);
  const holder = held ?? { head, ...(saved_at && { saved_at }), tables: new Map() };
  world.images.set(image, holder);
  return holder;
}

function worldOf({ worlds }: Stored, key: string, flaw: TellFlaw): StoredWorld | undefined {
  const world = worlds.get(key);
  if (!world) flaw(`There is no world ${JSON.stringify(key)}.`);
  return world;
}

const KNOWN_TABLES = new Set<string>([...TABLE_NAMES, ...FORMER_TABLES]);

function putRows(tables: StoredTables, { put = [], gone = [] }: RowsEntry, flaw: TellFlaw): void {
  for (const [name, row] of put) {
    const rows = tableOf(tables, name, flaw);
    if (typeof row?.id === 'string') rows?.set(row.id, row);
    else flaw(`A row of ${name} has no id: ${JSON.stringify(row)?.slice(0, 80)}`);
  }
  for (const [name, id] of gone) tableOf(tables, name, flaw)?.delete(id);
}

function tableOf(tables: StoredTables, name: string, flaw: TellFlaw): Map<string, Row> | undefined {
  if (!KNOWN_TABLES.has(name)) return void flaw(`There is no table ${JSON.stringify(name)}.`);
  const rows = tables.get(name) ?? new Map<string, Row>();
  tables.set(name, rows);
  return rows;
}

/** An image in the form in which worlds give and take it. */
export function worldImage({ head, tables }: StoredImage): WorldImage {
  const rows = [...tables].map(([name, held]) => [name, [...held.values()]] as const);
  return { ...head, tables: Object.fromEntries(rows) };
}

/** Fills a world with what was kept of it. */
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

/** Brings what an earlier release kept into the form of this one. */
export function convertStored(stored: Stored, version: number, reportingCurrency: string): void {
  if (version === SCHEMA_VERSION) return;
  for (const world of stored.worlds.values())
    for (const each of [world, ...world.images.values()]) {
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

/** What is kept, as the steps to it. */
export function* entriesOfStored({ worlds, sandboxes }: Stored): Generator<Entry> {
  for (const [sandbox, made] of sandboxes) yield { kind: 'sandbox', sandbox, made };
  for (const [world, { head, tables, images, origin }] of worlds) {
    yield { kind: 'rows', world, head, empty: true, put: placedRows(tables) };
    for (const [image, { head: then, saved_at, tables: held }] of images) {
      const saved = { head: then, ...(saved_at && { saved_at }), empty: true } as const;
      yield { kind: 'rows', world, image, ...saved, put: placedRows(held) };
    }
    if (origin) yield { kind: 'origin', world, origin };
  }
}

function* placedRows(tables: StoredTables): Generator<TableRow> {
  for (const [name, rows] of tables) for (const row of rows.values()) yield [name, row];
}
