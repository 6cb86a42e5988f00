import type { Logger } from '../../config/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { DataError } from './data-error.ts';
import { FileStorage } from './file-storage.ts';
import { memoryStorage, type Storage } from './storage.ts';

/**
 * Opens the storage that the settings name.
 *
 * @param onLost called when another process has taken it over, as this one was suspended
 * @throws DataError when it is in use, damaged or of another release; it is left as it is
 */
export async function openStorage(
  { data }: Pick<Settings, 'data'>,
  log: Pick<Logger, 'error' | 'info'>,
  onLost?: (error: DataError) => void,
): Promise<Storage> {
  return data === '' ? memoryStorage : FileStorage.open(data, log, onLost);
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
