import { open, readFile } from 'node:fs/promises';
import { SCHEMA_VERSION } from '../conversions.ts';
import type { Origin, Snapshot } from '../snapshots.ts';
import type { WorldImage } from '../world.ts';
import type { MadeSandbox } from '../worlds.ts';
import type { OnFlaw } from './data-error.ts';
import type { DataSnapshot, DataStep } from './data-snapshot.ts';
import { type Entry, entriesBeside, rowsOfImage } from './entries.ts';

/** What a data file held as one JSON text, before there were lines and journals. */
interface FormerData {
  readonly schema_version: number;
  readonly worlds: Readonly<Record<string, FormerWorld>>;
  readonly sandboxes?: Readonly<Record<string, MadeSandbox>>;
}

type FormerWorld = WorldImage & {
  readonly snapshots?: readonly Snapshot[];
  readonly origin?: Origin;
};

/** Whether a file is one JSON text. */
export async function isFormerLayout(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, 0);
    return bytesRead === 1 && buffer[0] === '{'.charCodeAt(0);
  } finally {
    await handle.close();
  }
}

/** The steps to what such a file holds, which no journal goes on from; null where it has told a flaw of all of it. */
export async function readFormer(file: string, flaw: OnFlaw): Promise<DataSnapshot | null> {
  const refuse = (message: string) => {
    flaw({ file, message });
    return null;
  };
  let data: Partial<FormerData>;
  try {
    data = JSON.parse(await readFile(file, 'utf8')) as Partial<FormerData>;
  } catch (error) {
    return refuse(`It cannot be read: ${(error as Error).message}`);
  }
  const { schema_version, worlds } = data;
  if (!Number.isSafeInteger(schema_version) || !isRecord(worlds))
    return refuse('It is not a data file of this emulator.');
  if ((schema_version as number) < 1 || (schema_version as number) > SCHEMA_VERSION)
    return refuse(
      `It was written by a newer release (schema ${schema_version}, known up to ${SCHEMA_VERSION}).`,
    );
  return {
    number: 0,
    schema_version: schema_version as number,
    steps: stepsOf(file, data as FormerData, flaw),
  };
}

async function* stepsOf(
  file: string,
  { worlds, sandboxes = {} }: FormerData,
  flaw: OnFlaw,
): AsyncGenerator<DataStep> {
  for (const [sandbox, made] of Object.entries(sandboxes))
    yield { place: 'sandboxes', value: { kind: 'sandbox', sandbox, made } satisfies Entry };
  for (const [key, world] of Object.entries(worlds)) {
    const place = `worlds.${key}`;
    if (!isWorld(world)) flaw({ file, place, message: 'The world is damaged.' });
    else for (const value of entriesOfFormer(key, world)) yield { place, value };
  }
}

function* entriesOfFormer(key: string, world: FormerWorld): Generator<Entry> {
  const { sequence, requests, clock, tables, snapshots = [], origin } = world;
  const head = { sequence, requests, clock };
  yield { kind: 'rows', world: key, head, empty: true, put: rowsOfImage(tables) };
  yield* entriesBeside(key, snapshots, origin ?? { kind: 'preset' });
}

function isWorld(world: Partial<FormerWorld>): boolean {
  if (!isImage(world)) return false;
  const { snapshots = [], origin = { kind: 'preset' } } = world;
  const isOrigin = isRecord(origin) && (origin.kind !== 'image' || isImage(origin.image));
  return Array.isArray(snapshots) && snapshots.every((each) => isImage(each?.image)) && isOrigin;
}

const isImage = (image: Partial<WorldImage> | undefined): boolean =>
  isRecord(image) && isRecord(image.tables) && Object.values(image.tables).every(Array.isArray);

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
