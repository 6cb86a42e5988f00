import type { Logger } from '../../config/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { DataError } from './data-error.ts';
import { FileStorage } from './file-storage.ts';
import { isDatabase } from './postgres/address.ts';
import { memoryStorage, type Storage } from './storage.ts';

export type StorageSettings = Pick<
  Settings,
  'data' | 'data_schema' | 'seed' | 'service_name' | 'reporting_currency'
>;

/**
 * Opens the storage that the settings name. The driver of PostgreSQL is loaded only if it is needed.
 *
 * @param onLost called when another process has taken it over, as this one was suspended
 * @throws DataError when it is in use, damaged or of another release; it is left as it is
 */
export async function openStorage(
  settings: StorageSettings,
  log: Pick<Logger, 'error' | 'info'>,
  onLost?: (error: DataError) => void,
): Promise<Storage> {
  const { data } = settings;
  if (data === '') return memoryStorage;
  if (!isDatabase(data)) return FileStorage.open(data, log, onLost);
  const { PostgresStorage } = await import('./postgres/postgres-storage.ts');
  return PostgresStorage.open(settings, log);
}

/** Runs work with a storage, which is released if the work fails. */
export async function holding<T>(storage: Storage, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await storage.release();
    throw error;
  }
}
