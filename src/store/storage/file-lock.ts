import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { machineTime } from '../../config/machine-time.ts';
import { DataError, reading } from './data-error.ts';

/** How often a lock is renewed. */
const RENEWAL_MS = 1_000;
/** A lock that is not renewed for so long was left behind by a crash. */
const STALE_MS = 5_000;
const LOOK_MS = 100;

/** A file that only this process writes. */
export interface LockedFile {
  /** Where it is, behind all links. */
  readonly path: string;
  /** @throws DataError if another process has taken the file over, as this one was suspended */
  confirm(): Promise<void>;
  unlock(): Promise<void>;
}

/**
 * Locks a file for this process, by a folder beside it that is renewed while the process runs. So a lock does not outlive
 * a crash, in another container or on another machine either. Of two that take over a lock left behind at the same instant, one
 * may be told only by `onLost`, within a second.
 *
 * @param onLost called when another process has taken the file over, as this one was suspended
 * @throws DataError when another emulator uses the file, or it cannot be locked
 */
export async function lockFile(
  given: string,
  onLost: (error: DataError) => void = () => {},
): Promise<LockedFile> {
  const path = await reading(given, async () => fileBehind(given));
  const folder = `${path}.lock`;
  const lost = new DataError(
    `${path} was taken over by another emulator, as this one was suspended.`,
  );
  for (;;) {
    try {
      const unlock = await lock(path, {
        realpath: false,
        stale: STALE_MS,
        update: RENEWAL_MS,
        onCompromised: () => onLost(lost),
      });
      const own = await identityOf(folder);
      const confirm = async () => {
        if ((await identityOf(folder)) !== own) throw lost;
      };
      // A lock that was lost is nobody's to remove.
      return {
        path,
        confirm,
        unlock: () =>
          confirm().then(
            () => unlock(),
            () => {},
          ),
      };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT')
        throw new DataError(`${path} cannot be used, because its folder does not exist.`);
      if (code !== 'ELOCKED') throw new DataError(`${path} cannot be locked: ${message}`);
      await untilStale(path, folder);
    }
  }
}

/** Waits until a lock is gone or was left behind. @throws DataError if it is renewed meanwhile */
async function untilStale(path: string, folder: string): Promise<void> {
  const first = await renewedAt(folder);
  for (;;) {
    const latest = await renewedAt(folder);
    if (latest === undefined || latest < machineTime() - STALE_MS) return;
    if (latest !== first) throw new DataError(`${path} is in use by another emulator (${folder}).`);
    await pause(LOOK_MS);
  }
}

const renewedAt = (folder: string): Promise<number | undefined> =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );

/** Which folder it is: another one of the same name has another time of birth. */
const identityOf = (folder: string): Promise<string | undefined> =>
  stat(folder).then(
    ({ ino, birthtimeMs }) => `${ino} ${birthtimeMs}`,
    () => undefined,
  );

/** Follows a link, also to a file that is not there yet: replacing the file by its name would replace the link. */
function fileBehind(path: string): string {
  const kind = statSync(path, { throwIfNoEntry: false });
  // Reading one may never end.
  if (kind && !kind.isFile() && !kind.isDirectory())
    throw new DataError(`${path} is a device or a pipe. Name a file, which need not exist yet.`);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return resolve(path);
  return kind
    ? realpathSync(path)
    : fileBehind(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}
