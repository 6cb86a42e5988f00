import { isDatabase } from './config/database-address.ts';
import { createLogger, type Logger } from './config/log.ts';
import { type Settings, SettingsError } from './config/settings.ts';
import { findDefects } from './invariants/violations.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from './main.ts';
import { NotKept } from './store/storage/data-error.ts';
import { FileStorage } from './store/storage/file-storage.ts';
import { memoryStorage, type Storage, type StorageSettings } from './store/storage/storage.ts';
import { Unavailable } from './store/worlds.ts';
import { plural } from './text/wording.ts';

interface OpenOptions extends Omit<EmulatorOptions, 'settings' | 'storage'> {
  readonly settings: Settings;
  /** The key whose world is opened now. */
  readonly key: string;
  /** Whether it may be opened later, if another emulator holds it. */
  readonly mayWait?: boolean;
  /** Called when another process has taken the data over, as this one was suspended. */
  readonly onLost?: (error: Error) => void;
}

/**
 * Opens the storage that the settings name, and an emulator with it. The world of the key is opened too, so that a
 * broken fixture or damaged data fail the start; the storage is then released.
 *
 * @throws SettingsError, FixtureError, DataError
 */
export async function openEmulator({ key, mayWait = false, onLost, ...options }: OpenOptions) {
  const { settings } = options;
  const log = options.log ?? createLogger(settings);
  const storage = await openStorage(settings, log, onLost);
  try {
    const emulator = createEmulator({ ...options, settings: { ...settings }, log, storage });
    const elsewhere = await heldElsewhere(storage, key);
    if (!elsewhere) openWorld(emulator, key);
    else if (mayWait) log.info(`${key}: ${elsewhere.message}`);
    else throw elsewhere;
    return emulator;
  } catch (error) {
    await storage.release();
    throw error;
  }
}

/** Says why a world cannot be opened here, if another emulator holds it. @throws DataError where it is damaged */
async function heldElsewhere({ shared }: Storage, key: string): Promise<NotKept | undefined> {
  try {
    const claim = await shared?.prepare(key);
    return claim && new NotKept(`This world is held by another emulator, ${claim.holder}.`);
  } catch (error) {
    if (error instanceof NotKept) return error;
    throw error;
  }
}

/** @throws SettingsError where the data leaves no room for it; FixtureError */
function openWorld({ worlds }: Emulator, key: string): void {
  try {
    worlds.find(key);
  } catch (error) {
    throw error instanceof Unavailable ? new SettingsError([error.message]) : error;
  }
}

/**
 * Opens the storage that the settings name. The driver of PostgreSQL is loaded only if it is needed.
 *
 * @param onLost called when another process has taken it over, as this one was suspended
 * @throws DataError when it is in use, damaged or of another release; it is left as it is
 */
export async function openStorage(
  settings: StorageSettings,
  log: Pick<Logger, 'error' | 'info'>,
  onLost?: (error: Error) => void,
): Promise<Storage> {
  const { data } = settings;
  if (data === '') return memoryStorage;
  if (!isDatabase(data)) return FileStorage.open(data, log, findDefects, onLost);
  const { PostgresStorage } = await import('./store/storage/postgres/postgres-storage.ts');
  return PostgresStorage.open(settings, log, findDefects);
}

/** What the storage that the settings name says about itself. @throws DataError where it cannot be used */
export async function examineStorage(settings: StorageSettings): Promise<string> {
  const { data } = settings;
  if (data === '') return 'kept in memory';
  if (isDatabase(data)) {
    const { examineDatabase } = await import('./store/storage/postgres/schema.ts');
    return examineDatabase(settings);
  }
  const storage = await FileStorage.open(data, { info: () => {}, error: () => {} }, findDefects);
  await storage.release();
  return `${storage.path} holds ${plural(storage.keys.length, 'world')}`;
}
