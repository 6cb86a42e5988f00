import { Low } from 'lowdb';
import { secretFile } from '../../config/access.ts';
import type { Logger } from '../../config/log.ts';
import { randomSecret } from '../ids.ts';
import type { MadeSandbox } from '../worlds.ts';
import { DataError, readIfThere, reading, writePrivate } from './data-error.ts';
import { DataFile, type DataFileImages } from './data-file.ts';
import { type LockedFile, lockFile } from './file-lock.ts';
import { NO_WORLDS, type OpenWorlds, type Storage } from './storage.ts';
import {
  type FindDefects,
  imagesOfWorld,
  madeIn,
  type StoredImage,
  validateImages,
} from './stored-image.ts';

/** The shortest time between two writes in the background. */
const REST_MS = 1_000;
/** The rest after a write lasts at least this many times as long: writes take at most a tenth of the time. */
const REST_PER_WRITE = 9;

/**
 * Keeps all worlds in one JSON file, which is replaced in the background after changes, and on exit. A crash loses what
 * the last write missed.
 *
 * @assumes A-1407
 */
export class FileStorage implements Storage {
  #images: readonly StoredImage[];
  #worlds = NO_WORLDS;
  readonly #database: Low<DataFileImages>;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #restMs = REST_MS;
  #hasChanged = false;
  #isFailing = false;
  #isEnding = false;

  private constructor(
    private readonly file: LockedFile,
    images: readonly StoredImage[],
    private readonly log: Pick<Logger, 'error' | 'info'>,
  ) {
    this.#images = images;
    this.#database = new Low<DataFileImages>(new DataFile(file.path, () => file.confirm()), []);
  }

  /**
   * Opens a data file, which need not exist yet.
   *
   * @param findDefects finds what is wrong with the records of a world
   * @param onLost called when another process has taken the file over, as this one was suspended
   * @throws DataError when the file is in use, damaged or of another release; it is left as it is
   */
  static async open(
    path: string,
    log: Pick<Logger, 'error' | 'info'>,
    findDefects: FindDefects,
    onLost: (error: DataError) => void = ({ message }) => log.error(message),
  ): Promise<FileStorage> {
    const file = await lockFile(path, onLost);
    try {
      return new FileStorage(file, await readImages(file.path, findDefects), log);
    } catch (error) {
      await file.unlock();
      throw error;
    }
  }

  /** Where the file is, behind all links. */
  get path(): string {
    return this.file.path;
  }

  secret(): string {
    return storedSecret(secretFile(this.path));
  }

  get made(): ReadonlyMap<string, MadeSandbox> {
    return madeIn(this.#images);
  }

  get keys(): readonly string[] {
    return this.#images.flatMap(({ kind, key }) => (kind === 'world' ? [key] : []));
  }

  get known(): readonly string[] {
    return this.keys;
  }

  take(wanted: string): readonly StoredImage[] {
    const taken = this.#images.filter(({ key }) => key === wanted);
    this.#images = this.#images.filter(({ key }) => key !== wanted);
    return taken;
  }

  keep(worlds: OpenWorlds): void {
    this.#worlds = worlds;
    if (this.keys.length > 0)
      this.log.info(
        `The setting keys does not list ${this.keys.join(', ')}; these worlds stay in the data file, closed.`,
      );
  }

  note(): void {
    this.#hasChanged = true;
    this.#plan();
  }

  durable(): undefined {
    return undefined;
  }

  writeFailure(): undefined {
    return undefined;
  }

  async release(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.file.unlock();
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await this.#writing;
    try {
      await this.#write();
    } finally {
      await this.file.unlock();
    }
  }

  /** Plans the next write in the background, if none is planned or in progress. */
  #plan(): void {
    if (this.#isEnding || this.#timer || this.#writing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writeAndRest();
    }, this.#restMs).unref();
  }

  async #writeAndRest(): Promise<void> {
    const begun = performance.now();
    this.#hasChanged = false;
    try {
      await this.#write();
      this.#logFailure(undefined);
    } catch (error) {
      this.#hasChanged = true;
      this.#logFailure(error as Error);
    }
    this.#restMs = Math.max(REST_MS, REST_PER_WRITE * (performance.now() - begun));
    this.#writing = undefined;
    if (this.#hasChanged) this.#plan();
  }

  async #write(): Promise<void> {
    this.#database.data = this.#allImages();
    await this.#database.write();
  }

  *#allImages(): Generator<StoredImage> {
    // A list, as worlds come and go meanwhile.
    for (const world of [...this.#worlds.values()])
      if (!world.isClosed) yield* imagesOfWorld(world, this.#worlds.madeOf(world.sandbox));
    yield* this.#images;
  }

  /** Logs once that the file cannot be written, and once that it can be again. */
  #logFailure(failure: Error | undefined): void {
    if (failure && !this.#isFailing) this.log.error(failure.message);
    if (!failure && this.#isFailing) this.log.info('The data file can be written again.');
    this.#isFailing = failure !== undefined;
  }
}

/** Reads and validates a data file; no images if there is none yet. @throws DataError saying what is wrong with it */
export async function readImages(
  path: string,
  findDefects: FindDefects,
): Promise<readonly StoredImage[]> {
  const images = (await reading(path, () => new DataFile(path).read())) ?? [];
  await validateImages(path, images, findDefects);
  return images;
}

const SECRET = /^[\w-]{43}$/;

/** The secret in a file, which is made if it is not there. @throws DataError where it cannot be used */
export function storedSecret(file: string): string {
  const stored = readIfThere(file);
  if (stored !== undefined && SECRET.test(stored)) return stored;
  if (stored !== undefined)
    throw new DataError(`${file}: expected 43 characters of base 64. Delete it for a new secret.`);
  const secret = randomSecret();
  writePrivate(file, `${secret}\n`);
  return secret;
}
