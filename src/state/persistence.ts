import { Low } from 'lowdb';
import { DataError, DataFile, lockFile } from './data-file.ts';
import type { Logger } from './log.ts';
import { TABLE_NAMES } from './schema.ts';
import type { Settings } from './settings.ts';
import type { World, WorldImage } from './world.ts';
import { keyOf } from './worlds.ts';

/** Form of a data file. A larger number was written by a newer release. */
export const SCHEMA_VERSION = 1;

interface StoredWorlds {
  readonly schema_version: number;
  readonly worlds: Readonly<Record<string, WorldImage>>;
}

const INTERVAL_MS = 1_000;

/** Keeps the worlds in a file: at the end, every second, or before a change is acknowledged. */
export interface Persistence {
  /** What a world held when the file was last written. */
  imageOf(world: World): WorldImage | undefined;
  /** Keys of the worlds in the file. */
  readonly keys: readonly string[];
  /** Begins to keep the worlds that are open at each writing. */
  keep(worlds: { values(): Iterable<World> }): void;
  /** Takes note that something changed. */
  touch(): void;
  /**
   * Resolves once all that changed so far is on disk; undefined where nobody waits for that. Rejects with a
   * `DataError` when it cannot be written; what is not written yet goes with the next writing.
   */
  durable(): Promise<void> | undefined;
  /** Gives the file back as it is. */
  release(): Promise<void>;
  /** Writes what is not written, and gives the file back. */
  close(): Promise<void>;
}

/**
 * Opens the data file that the settings name; undefined where they name none.
 *
 * @throws DataError when the file is in use, unreadable or of a newer release; it is left as it is
 */
export async function openPersistence(
  { data, data_mode: mode }: Pick<Settings, 'data' | 'data_mode'>,
  log: Pick<Logger, 'error' | 'info'>,
): Promise<Persistence | undefined> {
  if (data === '') return undefined;
  const unlock = await lockFile(data);
  try {
    const database = new Low<StoredWorlds>(new DataFile(data), {
      schema_version: SCHEMA_VERSION,
      worlds: {},
    });
    await database.read();
    judge(database.data, data);
    return persist({ database, mode, unlock, log });
  } catch (error) {
    await unlock();
    throw error;
  }
}

interface PersistenceParts {
  readonly database: Low<StoredWorlds>;
  readonly mode: Settings['data_mode'];
  readonly unlock: () => Promise<void>;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

function persist({ database, mode, unlock, log }: PersistenceParts): Persistence {
  const stored = database.data.worlds;
  let worlds: { values(): Iterable<World> } = { values: () => [] };
  let changes = 0;
  let written = 0;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  /** One writing at a time; what changes meanwhile shares the next. */
  async function write(): Promise<void> {
    while (writing) await writing;
    if (written === changes) return;
    const upTo = changes;
    writing = save().finally(() => {
      writing = undefined;
    });
    await writing;
    written = Math.max(written, upTo);
  }

  async function save(): Promise<void> {
    const images = [...worlds.values()].map((world) => [keyOf(world), world.image()] as const);
    database.data = { schema_version: SCHEMA_VERSION, worlds: Object.fromEntries(images) };
    await database.write().then(() => tell(undefined), tell);
  }

  /** Says once that the file cannot be written, and once that it can be again. @throws what it is told */
  function tell(failure: Error | undefined): void {
    if (failure && !isFailing) log.error(failure.message);
    if (!failure && isFailing) log.info('The data file is written again.');
    isFailing = failure !== undefined;
    if (failure) throw failure;
  }

  return {
    keys: Object.keys(stored),
    imageOf: (world) => stored[keyOf(world)],
    keep(open) {
      worlds = open;
      if (mode === 'interval')
        timer = setInterval(() => void write().catch(() => {}), INTERVAL_MS).unref();
    },
    touch() {
      changes += 1;
    },
    durable: () => (mode === 'on-commit' && written !== changes ? write() : undefined),
    release() {
      clearInterval(timer);
      return unlock();
    },
    async close() {
      clearInterval(timer);
      changes += 1;
      try {
        await write();
      } finally {
        await unlock();
      }
    },
  };
}

/** @throws DataError saying what is not as it should be */
function judge(data: unknown, file: string): asserts data is StoredWorlds {
  const { schema_version, worlds } = (data ?? {}) as Partial<StoredWorlds>;
  if (typeof schema_version !== 'number' || typeof worlds !== 'object' || worlds === null)
    throw new DataError(`${file} is no data file of this emulator.`);
  if (schema_version > SCHEMA_VERSION)
    throw new DataError(
      `${file} was written by a newer release (schema ${schema_version}, known up to ${SCHEMA_VERSION}).`,
    );
  for (const [key, image] of Object.entries(worlds)) {
    const tables = Object.entries(image?.tables ?? {});
    const isWhole =
      typeof image?.sequence === 'number' &&
      tables.every(
        ([name, rows]) => (TABLE_NAMES as readonly string[]).includes(name) && Array.isArray(rows),
      );
    if (!isWhole) throw new DataError(`${file}: the world ${key} is damaged.`);
  }
}
