import { convertTables, FORMER_TABLES, SCHEMA_VERSION } from './conversions.ts';
import { DataError } from './data-file.ts';
import { runToEnd } from './resumable.ts';
import { TABLE_NAMES } from './schema.ts';
import { restoreSnapshots, type StoredSnapshots, storedSnapshots } from './snapshots.ts';
import type { World, WorldImage } from './world.ts';
import { keyOf, type MadeSandbox, type Worlds } from './worlds.ts';

/** What a world holds, with its snapshots and what a reset takes it to. */
export type StoredWorld = WorldImage & StoredSnapshots;

/** What a data file holds. */
export interface StoredWorlds {
  readonly schema_version: number;
  readonly worlds: Readonly<Record<string, StoredWorld>>;
  /** Sandboxes that were made by request. */
  readonly sandboxes?: Readonly<Record<string, MadeSandbox>>;
}

export const NOTHING_STORED: StoredWorlds = { schema_version: SCHEMA_VERSION, worlds: {} };

/** All that the open worlds hold at this moment. */
export function storedForm(worlds: Pick<Worlds, 'values' | 'made'>): StoredWorlds {
  const images = [...worlds.values()].map((world) => [keyOf(world), storedWorld(world)] as const);
  return {
    schema_version: SCHEMA_VERSION,
    worlds: Object.fromEntries(images),
    sandboxes: worlds.made,
  };
}

const storedWorld = (world: World): StoredWorld => ({
  ...world.image(),
  ...storedSnapshots(world),
});

/** Fills a world with what it held when the data file was written. */
export function bringBack(world: World, stored: StoredWorld): void {
  world.restore(stored);
  restoreSnapshots(world, stored);
}

/** What a data file of an earlier release holds, in the form of this one. */
export function convertStored(
  { schema_version, worlds, ...rest }: StoredWorlds,
  reportingCurrency: string,
): StoredWorlds {
  const convert = <I extends WorldImage>(image: I): I => ({
    ...image,
    tables: runToEnd(convertTables(image.tables, schema_version, reportingCurrency)),
  });
  const converted = Object.entries(worlds).map(([key, world]) => {
    const { snapshots, origin } = world;
    const copies = snapshots?.map((each) => ({ ...each, image: convert(each.image) }));
    const goesTo = origin?.kind === 'image' ? { ...origin, image: convert(origin.image) } : origin;
    return [
      key,
      {
        ...convert(world),
        ...(copies && { snapshots: copies }),
        ...(goesTo && { origin: goesTo }),
      },
    ];
  });
  return { ...rest, schema_version: SCHEMA_VERSION, worlds: Object.fromEntries(converted) };
}

/** @throws DataError saying what is not as it should be */
export function judgeStored(data: unknown, file: string): asserts data is StoredWorlds {
  const { schema_version, worlds } = (data ?? {}) as Partial<StoredWorlds>;
  if (typeof schema_version !== 'number' || typeof worlds !== 'object' || worlds === null)
    throw new DataError(`${file} is no data file of this emulator.`);
  if (schema_version > SCHEMA_VERSION)
    throw new DataError(
      `${file} was written by a newer release (schema ${schema_version}, known up to ${SCHEMA_VERSION}).`,
    );
  for (const [key, world] of Object.entries(worlds))
    if (!isWhole(world)) throw new DataError(`${file}: the world ${key} is damaged.`);
}

function isWhole(world: StoredWorld | undefined): boolean {
  const { snapshots = [], origin } = world ?? {};
  if (!Array.isArray(snapshots)) return false;
  const copies = snapshots.map(({ image }) => image);
  const images = origin?.kind === 'image' ? [...copies, origin.image] : copies;
  return [world, ...images].every(isWholeImage);
}

const KNOWN_TABLES = new Set<string>([...TABLE_NAMES, ...FORMER_TABLES]);

function isWholeImage(image: WorldImage | undefined): boolean {
  return (
    typeof image?.sequence === 'number' &&
    Object.entries(image.tables ?? {}).every(
      ([name, rows]) => KNOWN_TABLES.has(name) && Array.isArray(rows),
    )
  );
}
