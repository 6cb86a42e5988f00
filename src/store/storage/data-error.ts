import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { shortenLiveKeys } from '../../text/wording.ts';

/** The place that `data` names cannot be used. The message names it; what it holds is not changed. */
export class DataError extends Error {
  override readonly name = 'DataError';

  constructor(message: string) {
    super(shortenLiveKeys(message));
  }
}

/** At the moment, a change may not be kept or a world cannot be reached. Another attempt can succeed. */
export class NotKept extends DataError {}

const unreadable = (path: string, error: unknown): DataError =>
  new DataError(`${path} cannot be read: ${(error as Error).message}`);

const unwritable = (path: string, error: unknown): DataError =>
  new DataError(`${path} cannot be written: ${(error as Error).message}`);

/** Runs work that writes. @throws DataError if it fails */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DataError ? error : unwritable(path, error);
  }
}

/** Runs work that reads. @throws DataError for an error of the file system */
export async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable(path, error);
  }
}

/** The text of a file, undefined if there is none. @throws DataError where it cannot be read */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(file, error);
  }
}

/** Writes a file that only its owner can read. @throws DataError where it cannot be written */
export function writePrivate(file: string, text: string): void {
  try {
    // Renamed, as a crash may leave a file that is only half written.
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw unwritable(file, error);
  }
}
