import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { DataError } from './data-error.ts';

/** The text of a file, undefined if there is none. @throws DataError where it cannot be read */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new DataError(`${file} cannot be read: ${message}`);
  }
}

/** Writes a file that only its owner can read. @throws DataError where it cannot be written */
export function writePrivate(file: string, text: string): void {
  try {
    // Renamed, as a crash may leave a file that is only half written.
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new DataError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
