import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { machineTime } from '../clock.ts';
import { DataError } from './data-error.ts';

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
      return { path, unlock: () => unlink(lock).catch(() => {}) };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new DataError(`${path} cannot be locked: ${message}`);
      const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
      if (holder === process.pid ? await isOurs(lock) : isAlive(holder))
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

/** Whether this process wrote a lock, in any of its threads, and not a former one with the same id, as in a container. */
async function isOurs(lock: string): Promise<boolean> {
  const started = machineTime() - process.uptime() * 1_000;
  return ((await stat(lock).catch(() => undefined))?.mtimeMs ?? 0) >= started;
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
