import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineTime } from '../clock.ts';
import { DataError, reading } from './data-error.ts';

/** How often a lock is renewed. */
const RENEWAL_MS = 1_000;
/** A lock that is not renewed for so long is abandoned. */
const MOST_SILENT_MS = 3 * RENEWAL_MS;

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
  const path = await reading(given, async () => fileBehind(given));
  const lock = `${path}.lock`;
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      await writeFile(lock, `${process.pid} ${placeOfIds()}`, { flag: 'wx' });
      return { path, unlock: keepLocked(lock) };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT')
        throw new DataError(`${path} cannot be used, because its folder does not exist.`);
      if (code !== 'EEXIST') throw new DataError(`${path} cannot be locked: ${message}`);
      await refuseHeld(path, lock);
      await rm(lock, { force: true }).catch((reason: Error) => {
        throw new DataError(
          `${path} cannot be locked, because a stale lock remains: ${reason.message}`,
        );
      });
    }
  }
  throw new DataError(`${path} cannot be locked: another process was faster.`);
}

/** Follows a link, also to a file that is not there yet: replacing the file by its name would replace the link. */
function fileBehind(path: string): string {
  const kind = statSync(path, { throwIfNoEntry: false });
  // Reading one may never end.
  if (kind && !kind.isFile() && !kind.isDirectory())
    throw new DataError(`${path} is a device or a pipe. Name a file, which need not exist yet.`);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  return kind ? realpathSync(path) : fileBehind(resolve(dirname(path), readlinkSync(path)));
}

/** Renews a lock until the returned function removes it. */
function keepLocked(lock: string): () => Promise<void> {
  const renew = () => {
    const seconds = machineTime() / 1_000;
    utimes(lock, seconds, seconds).catch(() => {});
  };
  const timer = setInterval(renew, RENEWAL_MS).unref();
  return () => {
    clearInterval(timer);
    return unlink(lock).catch(() => {});
  };
}

/** Where a process id names the same process: on this machine and, on Linux, in this container. */
function placeOfIds(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** @throws DataError if the holder of a lock is alive */
async function refuseHeld(path: string, lock: string): Promise<void> {
  const text = await readFile(lock, 'utf8').catch(() => '');
  const [id = '', ...rest] = text.split(' ');
  const [holder, place] = [Number(id), rest.join(' ')];
  // A lock without text is being written, or its process ended before that.
  if (text === '' || (place !== '' && place !== placeOfIds())) {
    if (await isRenewed(lock))
      throw new DataError(
        `${path} is in use by process ${id} of another container or machine, ${rest[0]} (${lock}).`,
      );
  } else if (holder === process.pid ? await isOurs(lock) : isAlive(holder))
    throw new DataError(
      `${path} is in use by process ${holder} (${lock}). If that is no emulator, delete the lock.`,
    );
}

const renewedAt = async (lock: string): Promise<number | undefined> =>
  (await stat(lock).catch(() => undefined))?.mtimeMs;

/** Whether a process that cannot be asked for still renews its lock. */
async function isRenewed(lock: string): Promise<boolean> {
  const before = await renewedAt(lock);
  await sleep(MOST_SILENT_MS);
  const now = await renewedAt(lock);
  return now !== undefined && now !== before;
}

/** Whether this process wrote a lock, in any of its threads, and not a former one with the same id. */
async function isOurs(lock: string): Promise<boolean> {
  const started = machineTime() - process.uptime() * 1_000;
  return ((await renewedAt(lock)) ?? 0) >= started;
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
