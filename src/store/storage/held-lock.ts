import { access, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { machineTime } from '../clock.ts';
import { DataError, writing } from './data-error.ts';

/** How often a lock is renewed. */
const RENEWAL_MS = 1_000;
/** A lock that is not renewed for so long is abandoned. */
export const MOST_SILENT_MS = 3 * RENEWAL_MS;
/** After how long without a renewal a lock is renewed before the file is written. */
const MOST_UNCONFIRMED_MS = 1.5 * RENEWAL_MS;

/** What a lock says, and when it was last renewed. */
export interface SeenLock {
  readonly text: string;
  readonly renewedAt: number;
}

/** Reads a lock; undefined if there is none. */
export async function seeLock(lock: string): Promise<SeenLock | undefined> {
  try {
    return { text: await readFile(lock, 'utf8'), renewedAt: (await stat(lock)).mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates a lock; fails with EEXIST if there is one. */
export async function createLock(lock: string, text: string): Promise<void> {
  await writeFile(lock, text, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    // It is there, but the disk is full.
    if (error.syscall === 'write') await rm(lock, { force: true });
    throw error;
  });
}

/** A data file that this process has locked. Its lock is renewed until it is unlocked or lost. */
export class LockedFile {
  #renewedAt = machineTime();
  #renewing: Promise<void> | undefined;
  #lost: DataError | undefined;
  readonly #timer = setInterval(() => void this.#renew().catch(() => {}), RENEWAL_MS).unref();

  constructor(
    /** Of the file itself, if a link was given. */
    readonly path: string,
    private readonly lock: string,
    private readonly text: string,
    private readonly onLost: (error: DataError) => void,
  ) {}

  /**
   * To be called before each write: after a time in which this process did not run, another one may have taken over.
   *
   * @throws DataError if the lock is lost, or if that cannot be found out
   */
  async confirm(): Promise<void> {
    const silence = Math.abs(machineTime() - this.#renewedAt);
    if (silence > MOST_UNCONFIRMED_MS) await writing(this.path, () => this.#renew());
    if (this.#lost) throw this.#lost;
  }

  /** Removes the lock, unless it is lost. */
  async unlock(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renew().catch(() => {});
    if (!this.#lost) await unlink(this.lock).catch(() => {});
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewNow(): Promise<void> {
    if (this.#lost) return;
    const now = machineTime();
    // Nobody takes over a lock that was renewed lately.
    const isSafe = Math.abs(now - this.#renewedAt) < MOST_SILENT_MS;
    // Before it is read: who takes it over looks at the time last.
    await utimes(this.lock, now / 1_000, now / 1_000).catch(() => {});
    const seen = await seeLock(this.lock).catch((error: Error) => {
      // There may be too many open files.
      if (isSafe) return { text: this.text };
      throw error;
    });
    if (!seen) await this.#replace(isSafe);
    else if (seen.text !== this.text) this.#lose(seen.text);
    this.#renewedAt = now;
  }

  /** Replaces a lock that someone has deleted. */
  async #replace(isSafe: boolean): Promise<void> {
    await access(dirname(this.lock));
    if (isSafe) await createLock(this.lock, this.text);
    else this.#lose('');
  }

  #lose(text: string): void {
    clearInterval(this.#timer);
    const [id] = text.split(' ');
    const other = id ? `process ${id} (${this.lock})` : 'another process, which has ended';
    this.#lost = new DataError(
      `${this.path} was taken over by ${other} while this process was suspended. This process writes nothing more to it.`,
    );
    this.onLost(this.#lost);
  }
}
