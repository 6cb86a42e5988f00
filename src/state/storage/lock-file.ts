import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DataError } from './data-error.ts';

/** What emulators of this thread hold; their process id does not tell them apart. */
const held = new Set<string>();

/** Follows a link, because replacing the file by its name would replace the link. */
const fileBehind = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && existsSync(path)
    ? realpathSync(path)
    : path;

export interface LockedFile {
  /** Of the file itself, if a link was given. */
  readonly path: string;
  readonly unlock: () => Promise<void>;
}

/**
 * Locks a file for this process. The lock of a process that no longer exists is ignored.
 *
 * @throws DataError naming the process that holds it
 */
export async function lockFile(given: string): Promise<LockedFile> {
  const path = fileBehind(given);
  const lock = `${path}.lock`;
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' });
      held.add(resolve(lock));
      const unlock = () => {
        held.delete(resolve(lock));
        return unlink(lock).catch(() => {});
      };
      return { path, unlock };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new DataError(`${path} cannot be locked: ${message}`);
      const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
      if (held.has(resolve(lock)) || isAlive(holder))
        throw new DataError(`${path} is in use by process ${holder} (${lock}).`);
      await rm(lock, { force: true }).catch((reason: Error) => {
        throw new DataError(
          `${path} cannot be locked, because a stale lock remains: ${reason.message}`,
        );
      });
    }
  }
  throw new DataError(`${path} cannot be locked: another process was faster.`);
}

/** Our own process id means a former process with the same id, as this one has no lock yet. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
