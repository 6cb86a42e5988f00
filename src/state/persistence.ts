import { copyFile } from 'node:fs/promises';
import { Low } from 'lowdb';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { SCHEMA_VERSION } from './conversions.ts';
import { DataError, DataFile, lockFile } from './data-file.ts';
import {
  convertStored,
  judgeStored,
  NOTHING_STORED,
  type StoredWorld,
  type StoredWorlds,
  storedForm,
} from './stored-worlds.ts';
import type { World } from './world.ts';
import { keyOf, type MadeSandbox, type Worlds } from './worlds.ts';

type KeptWorlds = Pick<Worlds, 'values' | 'made'>;

const INTERVAL_MS = 1_000;

/** Keeps the worlds in a file: at the end, every second, or before a change is acknowledged. */
export interface Persistence {
  /** What a world held when the file was last written. */
  imageOf(world: World): StoredWorld | undefined;
  /** Keys of the worlds in the file. */
  readonly keys: readonly string[];
  /** The sandboxes in the file that were made by request. */
  readonly made: Readonly<Record<string, MadeSandbox>>;
  /** Begins to keep the worlds that are open at each writing. */
  keep(worlds: KeptWorlds): void;
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
  {
    data,
    data_mode: mode,
    reporting_currency,
  }: Pick<Settings, 'data' | 'data_mode' | 'reporting_currency'>,
  log: Pick<Logger, 'error' | 'info'>,
): Promise<Persistence | undefined> {
  if (data === '') return undefined;
  const unlock = await lockFile(data);
  try {
    const database = new Low<StoredWorlds>(new DataFile(data), NOTHING_STORED);
    await database.read();
    judgeStored(database.data, data);
    await adoptRelease(database, data, reporting_currency, log);
    return persist({ database, mode, unlock, log });
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Brings what an earlier release wrote into the form of this one; its file is kept under another name. */
async function adoptRelease(
  database: Low<StoredWorlds>,
  file: string,
  reportingCurrency: string,
  log: Pick<Logger, 'info'>,
): Promise<void> {
  const { schema_version } = database.data;
  if (schema_version === SCHEMA_VERSION) return;
  const original = `${file}.schema-${schema_version}`;
  await copyFile(file, original).catch(({ message }: Error) => {
    throw new DataError(`${file} cannot be converted, as it cannot be kept as it is: ${message}`);
  });
  database.data = convertStored(database.data, reportingCurrency);
  log.info(`${file} was written by an earlier release and is converted; ${original} keeps it.`);
}

interface PersistenceParts {
  readonly database: Low<StoredWorlds>;
  readonly mode: Settings['data_mode'];
  readonly unlock: () => Promise<void>;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

function persist({ database, mode, unlock, log }: PersistenceParts): Persistence {
  const { worlds: stored, sandboxes: made = {} } = database.data;
  let worlds: KeptWorlds = { values: () => [].values(), made: {} };
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
    database.data = storedForm(worlds);
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
    made,
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
