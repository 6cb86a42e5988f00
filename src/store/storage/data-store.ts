import { rm, stat } from 'node:fs/promises';
import type { Low } from 'lowdb';
import { SCHEMA_VERSION } from '../conversions.ts';
import { refuseFlaw } from './data-error.ts';
import type { DataSnapshot } from './data-snapshot.ts';
import type { LockedFile } from './held-lock.ts';
import { JournalFile } from './journal-file.ts';
import { databaseOf, journalNumbers, journalPath, type ReadData } from './read-data.ts';

/** A journal up to this size never causes a new snapshot. @units bytes */
const LEAST_JOURNAL = 65_536;

/**
 * A data file with its journals. Each snapshot has a number, and the journals of that number and above continue it. The
 * former snapshot is kept with its journals.
 */
export class DataStore {
  readonly #database: Low<DataSnapshot>;
  #journal: JournalFile | undefined;
  /** Size of earlier journals since the snapshot. @units bytes */
  #earlier = 0;
  /** Above this size of the journals a new snapshot is due. @units bytes */
  #limit = LEAST_JOURNAL;

  private constructor(
    private readonly file: LockedFile,
    /** The number of the present journal, or of the next snapshot. */
    private number: number,
    /** The number of the present snapshot. */
    private inPlace: number,
  ) {
    this.#database = databaseOf(file.path, refuseFlaw, () => file.confirm());
  }

  /** Continues what was read without a journal: only by a new snapshot. */
  static ofSnapshots(file: LockedFile, data: ReadData): DataStore {
    return new DataStore(file, lastNumber(data) + 1, data.number);
  }

  /**
   * Continues what was read with a journal, after a new snapshot of `steps` if the present file cannot be continued.
   *
   * @throws DataError when it cannot be written
   */
  static async ofJournals(
    file: LockedFile,
    data: ReadData,
    steps: DataSnapshot['steps'],
  ): Promise<DataStore> {
    const isNew = data.number === 0 || data.schema_version !== SCHEMA_VERSION;
    const store = new DataStore(file, lastNumber(data) + (isNew ? 1 : 0), data.number);
    await file.confirm();
    if (isNew) await store.writeSnapshot(steps);
    const found = isNew ? [] : data.journals;
    const last = found.at(-1);
    store.#journal =
      last && last.end.lines > 0
        ? await JournalFile.reopen(last.path, last.end)
        : await JournalFile.create(file.path, store.number);
    store.#earlier = found.slice(0, -1).reduce((total, { end }) => total + end.length, 0);
    store.#limit = await journalLimit(file.path);
    return store;
  }

  /** Whether the journals have outgrown their snapshot. */
  get isJournalLong(): boolean {
    return this.#bytes > this.#limit;
  }

  get journalLines(): number {
    return this.#journal?.end.lines ?? 0;
  }

  get #bytes(): number {
    return this.#earlier + (this.#journal?.end.length ?? 0);
  }

  /** Adds lines to the journal, all or none. @throws DataError when they cannot be written */
  async append(texts: Iterable<string>): Promise<void> {
    await this.file.confirm();
    await this.#journal?.append(texts);
  }

  /** Begins the journal of the next snapshot. @throws DataError when it cannot be written */
  async beginJournal(): Promise<void> {
    // If this or the snapshot fails, it is tried again when the journals have doubled.
    this.#limit = 2 * this.#bytes;
    await this.file.confirm();
    const next = await JournalFile.create(this.file.path, this.number + 1);
    const former = this.#journal;
    this.#earlier = this.#bytes;
    this.#journal = next;
    this.number += 1;
    await former?.close();
  }

  /** Writes the snapshot that the present journal continues. @throws DataError when it cannot be written */
  async writeSnapshot(steps: DataSnapshot['steps']): Promise<void> {
    const former = this.inPlace;
    this.#database.data = { number: this.number, schema_version: SCHEMA_VERSION, steps };
    await this.#database.write();
    this.inPlace = this.number;
    this.#earlier = 0;
    this.#limit = await journalLimit(this.file.path);
    for (const number of journalNumbers(this.file.path))
      if (number < former) await rm(journalPath(this.file.path, number), { force: true });
  }

  async close(): Promise<void> {
    await this.#journal?.close();
    await this.file.unlock();
  }
}

/** Journals may become as long as their snapshot. */
const journalLimit = async (path: string): Promise<number> =>
  Math.max((await stat(path)).size, LEAST_JOURNAL);

const lastNumber = ({ number, journals }: ReadData): number => journals.at(-1)?.number ?? number;
