import { isDatabase } from '../../config/database-address.ts';
import type { Logger } from '../../config/log.ts';
import type { DataError } from './data-error.ts';
import { FileStorage } from './file-storage.ts';

import { memoryStorage, type Storage, type StorageSettings } from './storage.ts';
import type { FindFlaws } from './stored-image.ts';

/** What the start of an emulator adds to the settings of its storage. */
export interface StorageOptions {
  /** Finds what is wrong with the records of a world. */
  readonly findFlaws: FindFlaws;
  /** Called when another process has taken it over, as this one was suspended. */
  readonly onLost?: (error: DataError) => void;
}

/**
 * Opens the storage that the settings name. The driver of PostgreSQL is loaded only if it is needed.
 *
 * @throws DataError when it is in use, damaged or of another release; it is left as it is
 */
export async function openStorage(
  settings: StorageSettings,
  log: Pick<Logger, 'error' | 'info'>,
  { findFlaws, onLost }: StorageOptions,
): Promise<Storage> {
  const { data } = settings;
  if (data === '') return memoryStorage;
  if (!isDatabase(data)) return FileStorage.open(data, log, findFlaws, onLost);
  const { PostgresStorage } = await import('./postgres/postgres-storage.ts');
  return PostgresStorage.open(settings, log, findFlaws);
}

/** What the storage that the settings name says about itself. @throws DataError where it cannot be used */
export async function describeStorage(
  settings: StorageSettings,
  findFlaws: FindFlaws,
): Promise<string> {
  const { data } = settings;
  if (data === '') return 'kept in memory';
  if (isDatabase(data)) {
    const { examineDatabase } = await import('./postgres/schema.ts');
    return examineDatabase(settings);
  }
  const storage = await FileStorage.open(data, { info: () => {}, error: () => {} }, findFlaws);
  await storage.release();
  return `${storage.path} holds ${storage.keys.length} worlds`;
}
