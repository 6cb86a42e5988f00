import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineTime } from '../clock.ts';
import { DataError, reading } from './data-error.ts';
import { createLock, LockedFile, MOST_SILENT_MS, type SeenLock, seeLock } from './held-lock.ts';

/**
 * Locks a file for this process. The lock of a process that no longer exists is ignored.
 *
 * @param onLost called when another process has taken the file over, as this one was suspended
 * @throws DataError naming the process that holds it
 */
export async function lockFile(
  given: string,
  onLost: (error: DataError) => void = () => {},
): Promise<LockedFile> {
  const path = await reading(given, async () => fileBehind(given));
  const lock = `${path}.lock`;
  const text = `${process.pid} ${placeOfIds()}`;
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      await createLock(lock, text);
      return new LockedFile(path, lock, text, onLost);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT')
        throw new DataError(`${path} cannot be used, because its folder does not exist.`);
      if (code !== 'EEXIST') throw new DataError(`${path} cannot be locked: ${message}`);
      await removeAbandoned(path, lock);
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
  return kind
    ? realpathSync(path)
    : fileBehind(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}

/** Where a process id names the same process: on this machine since it started and, on Linux, in this container. */
function placeOfIds(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Removes a lock whose process is gone. @throws DataError if that is alive, or the lock cannot be removed */
async function removeAbandoned(path: string, lock: string): Promise<void> {
  const aside = `${lock}.${process.pid}-${machineTime()}`;
  try {
    const abandoned = await findAbandoned(path, lock);
    if (!abandoned) return;
    await rename(lock, aside);
    const { text, renewedAt } = (await seeLock(aside)) ?? {};
    // Another process was faster, or the holder has woken up.
    if (text !== abandoned.text || renewedAt !== abandoned.renewedAt)
      await link(aside, lock).catch(() => {});
    await rm(aside);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof DataError) throw error;
    if (code !== 'ENOENT')
      throw new DataError(`${path} cannot be locked, because a stale lock remains: ${message}`);
  }
}

/** Returns a lock whose process is gone; undefined to look again. @throws DataError if the process is alive */
async function findAbandoned(path: string, lock: string): Promise<SeenLock | undefined> {
  const seen = await seeLock(lock);
  if (!seen) return undefined;
  const [id = '', ...rest] = seen.text.split(' ');
  const place = rest.join(' ');
  // A lock without text is being written, or its process ended before that.
  if (seen.text === '' || (place !== '' && place !== placeOfIds())) {
    await sleep(MOST_SILENT_MS);
    const now = await seeLock(lock);
    if (now?.text !== seen.text) return undefined;
    if (now.renewedAt !== seen.renewedAt)
      throw new DataError(
        `${path} is in use by process ${id} of another container or machine, ${rest[0]} (${lock}).`,
      );
  } else if (Number(id) === process.pid ? isOurs(seen) : isAlive(Number(id)))
    throw new DataError(
      `${path} is in use by process ${id} (${lock}). If that is no emulator, delete the lock.`,
    );
  return seen;
}

/** Whether this process wrote a lock, in any of its threads, and not a former one with the same id. */
const isOurs = ({ renewedAt }: SeenLock): boolean =>
  renewedAt >= machineTime() - process.uptime() * 1_000;

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
