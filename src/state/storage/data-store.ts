import { rm, stat } from 'node:fs/promises';
import type { Low } from 'lowdb';
import { SCHEMA_VERSION } from '../conversions.ts';
import { refuseFlaw } from './data-error.ts';
import type { DataSnapshot } from './data-file.ts';
import { JournalFile } from './journal-file.ts';
import { databaseOf, journalNumbers, journalPath, type ReadData } from './read-data.ts';

/** Bytes of journals that are never too many. */
const LEAST_JOURNAL = 65_536;

/**
 * A data file with its journals. Each snapshot has a number, and the journals of that number and above go on
 * from it; those of the snapshot before stay beside it as long as that is kept.
 */
export class DataStore {
  readonly #database: Low<DataSnapshot>;
  #journal: JournalFile | undefined;
  /** Bytes of journals before the present one that go on from the snapshot. */
  #earlier = 0;
  /** From how many bytes on the journals are too long. */
  #limit = LEAST_JOURNAL;

  private constructor(
    private readonly path: string,
    /** Of the present journal, or of the next snapshot. */
    private number: number,
    /** Of the snapshot in place. */
    private inPlace: number,
    private readonly unlock: () => Promise<void>,
  ) {
    this.#database = databaseOf(path, refuseFlaw);
  }

  /** Goes on from what was read, by a new snapshot and nothing else. */
  static ofSnapshots(path: string, data: ReadData, unlock: () => Promise<void>): DataStore {
    return new DataStore(path, lastNumber(data) + 1, data.number, unlock);
  }

  /**
   * Goes on from what was read by a journal. Where none can, `steps` to the same take its place first.
   *
   * @throws DataError when it cannot be written
   */
  static async ofJournals(
    path: string,
    data: ReadData,
    unlock: () => Promise<void>,
    steps: DataSnapshot['steps'],
  ): Promise<DataStore> {
    const isNew = data.number === 0 || data.schema_version !== SCHEMA_VERSION;
    const store = new DataStore(path, lastNumber(data) + (isNew ? 1 : 0), data.number, unlock);
    if (isNew) await store.writeSnapshot(steps);
    const found = isNew ? [] : data.journals;
    const last = found.at(-1);
    store.#journal =
      last && last.end.lines > 0
        ? await JournalFile.reopen(last.path, last.end)
        : await JournalFile.create(journalPath(path, store.number), store.number);
    store.#earlier = found.slice(0, -1).reduce((total, { end }) => total + end.length, 0);
    store.#limit = await journalLimit(path);
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
    await this.#journal?.append(texts);
  }

  /** Begins the journal of the next snapshot. @throws DataError when it cannot be written */
  async beginJournal(): Promise<void> {
    // Where it fails, or the snapshot does, it is tried again after as much once more.
    this.#limit = 2 * this.#bytes;
    const next = await JournalFile.create(journalPath(this.path, this.number + 1), this.number + 1);
    const former = this.#journal;
    this.#earlier = this.#bytes;
    this.#journal = next;
    this.number += 1;
    await former?.close();
  }

  /** Puts a snapshot in place, from which the present journal goes on. @throws DataError when it cannot be written */
  async writeSnapshot(steps: DataSnapshot['steps']): Promise<void> {
    const former = this.inPlace;
    this.#database.data = { number: this.number, schema_version: SCHEMA_VERSION, steps };
    await this.#database.write();
    this.inPlace = this.number;
    this.#earlier = 0;
    this.#limit = await journalLimit(this.path);
    for (const number of journalNumbers(this.path))
      if (number < former) await rm(journalPath(this.path, number), { force: true });
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    await this.#journal?.close();
    await this.unlock();
  }
}

/** A journal may become as long as the snapshot that it goes on from. */
const journalLimit = async (path: string): Promise<number> =>
  Math.max((await stat(path)).size, LEAST_JOURNAL);

const lastNumber = ({ number, journals }: ReadData): number => journals.at(-1)?.number ?? number;
