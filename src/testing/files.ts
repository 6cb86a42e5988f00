import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDefects } from '../invariants/violations.ts';
import { FileStorage } from '../store/storage/file-storage.ts';

/** For tests: an empty folder. All of them are removed when the tests end. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));

/** The storage of a data file, without a log. */
export const openFile = (path: string): Promise<FileStorage> =>
  FileStorage.open(path, { info: () => {}, error: () => {} }, findDefects);

/** The text of a data file that holds no world. */
export const EMPTY_DATA_FILE =
  '{"format":"billing-emulator-data","schema_version":1,"entries":[\n],"count":0}\n';

/** The ready file of a process; undefined until it is written. */
export function readReady(
  file: string,
): { url: string; pid: number; keys: Record<string, string> } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A module that delays opening any file until a file exists. */
export const holdingFiles = (until: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { existsSync, promises } from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { setTimeout } from 'node:timers/promises';
  const { open } = promises;
  promises.open = async (...given) => {
    while (!existsSync(${JSON.stringify(until)})) await setTimeout(10);
    return open(...given);
  };
  syncBuiltinESMExports();
`)}`;
