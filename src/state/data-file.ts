import { constants } from 'node:fs';
import {
  access,
  copyFile,
  link,
  open,
  readFile,
  rename,
  rm,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';

/** A data file that cannot be used. The message names it; the file is left as it is. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

/**
 * Text on disk that is replaced as a whole: what is there is either the former text or the new one, whatever
 * happens in between, and the former stays beside it.
 */
export class DataFile<T> implements Adapter<T> {
  constructor(readonly path: string) {}

  /** What the file holds; null where there is none yet. @throws DataError when it cannot be read as JSON */
  async read(): Promise<T | null> {
    try {
      await access(this.path, constants.F_OK);
    } catch {
      return null;
    }
    try {
      return JSON.parse(await readFile(this.path, 'utf8')) as T;
    } catch (error) {
      throw new DataError(`${this.path} cannot be read: ${(error as Error).message}`);
    }
  }

  /** Puts new text in place once it is safely on the disk. @throws DataError when it cannot be written */
  async write(data: T): Promise<void> {
    const temporary = `${this.path}.new`;
    try {
      await writeSafely(temporary, JSON.stringify(data));
      await keepFormer(this.path);
      await rename(temporary, this.path);
      await syncFolder(dirname(this.path));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw new DataError(`${this.path} cannot be written: ${(error as Error).message}`);
    }
  }
}

async function writeSafely(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Keeps the present file under another name, without a moment in which there is none. */
async function keepFormer(path: string): Promise<void> {
  const former = `${path}.previous`;
  await rm(former, { force: true });
  try {
    await link(path, former);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    await copyFile(path, former);
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Takes a file for this process alone; answers how to give it back. A lock whose process is gone is void.
 *
 * @throws DataError naming the process that holds it
 */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' });
      return () => unlink(lock).catch(() => {});
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new DataError(`${path} cannot be locked: ${message}`);
      const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
      if (isAlive(holder)) throw new DataError(`${path} is in use by process ${holder} (${lock}).`);
      await rm(lock, { force: true });
    }
  }
  throw new DataError(`${path} cannot be locked: another process was faster.`);
}

/** A process with our own number is a former one: this one holds no lock yet. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
