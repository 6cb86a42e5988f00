import type { Logger } from '../../config/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { Change } from '../row.ts';
import type { Snapshot } from '../snapshots.ts';
import type { World, WorldHead } from '../world.ts';
import { keyOf, parseKey, type Worlds } from '../worlds.ts';
import { MOST_UNWRITTEN, TooMuchUnwritten } from './data-error.ts';
import { stepsTo } from './data-file.ts';
import type { DataStep } from './data-snapshot.ts';
import type { DataStore } from './data-store.ts';
import {
  changesEntry,
  type Entry,
  entriesOfWorld,
  headEntry,
  imageEntry,
  textsOfAll,
} from './entries.ts';
import { applyEntry, entriesOfStored, type Stored, type StoredWorld } from './stored.ts';

type KeptWorlds = Pick<Worlds, 'values' | 'made'>;

const INTERVAL_MS = 1_000;

/**
 * Stores the worlds in a file: as a whole at the end, or each change in a journal, every second or before it is
 * acknowledged. Concurrent changes share one sync. When a journal has outgrown its snapshot, a new snapshot is written
 * while the worlds go on.
 */
export class Persistence {
  #worlds: KeptWorlds = { values: () => [].values(), made: {} };
  /** Entries that are not written yet, in order. */
  #pending: Entry[] = [];
  /** The number of changed rows and other entries among them. */
  #unwritten = 0;
  #noted = 0;
  #written = 0;
  /** By world: the count of noted entries at its last change, and its head then. */
  readonly #latest = new WeakMap<World, { readonly at: number; readonly head: WorldHead }>();
  #turn: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> | undefined;
  #compaction: Promise<void> | undefined;
  /** Whether a snapshot is being written: entries must then be idempotent, as they may be applied to a later state. */
  #isCompacting = false;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  /** Set when the file is about to be closed: no snapshot is begun any more. */
  #isClosing = false;

  constructor(
    /** The data of worlds that are not open. */
    readonly closed: Stored,
    private readonly store: DataStore,
    private readonly mode: Settings['data_mode'],
    private readonly log: Pick<Logger, 'error' | 'info'>,
  ) {}

  /** Takes the stored data of a world that is being opened out of `closed`. */
  take(world: World): StoredWorld | undefined {
    const key = keyOf(world);
    const kept = this.closed.worlds.get(key);
    this.closed.worlds.delete(key);
    return kept;
  }

  /** Whether there is data of a sandbox that is not open. */
  holdsClosed(sandbox: string): boolean {
    return [...this.closed.worlds.keys()].some((key) => parseKey(key)?.sandbox === sandbox);
  }

  /** Begins to store the open worlds and the sandboxes that were made by request. */
  keep(worlds: KeptWorlds): void {
    this.#worlds = worlds;
    this.closed.sandboxes.clear();
    const closed = [...this.closed.worlds.keys()].join(', ');
    if (closed !== '')
      this.log.info(`The settings do not allow ${closed}; they stay in the data file.`);
    const write = () => void this.#flush(this.#noted).catch(() => {});
    if (this.mode === 'interval') this.#timer = setInterval(write, INTERVAL_MS).unref();
  }

  /** Queues an entry; none of a world that is closed, as its key may have another world by now. */
  note(world: World, entry: () => Entry): void {
    if (this.mode === 'on-exit' || world.isClosed) return;
    this.#pending.push(entry());
    this.#noted += 1;
    this.#unwritten += 1;
    this.#latest.set(world, { at: this.#noted, head: world.head });
  }

  noteCommit(world: World, changes: readonly Change[]): void {
    this.note(world, () => changesEntry(world, changes));
    this.#unwritten += changes.length;
  }

  /** Queues an image of the present state of a world. */
  noteImage(world: World, name: string, { image, saved_at }: Snapshot): void {
    const [key, { head }] = [keyOf(world), world];
    this.note(world, () =>
      this.#isCompacting
        ? imageEntry(key, name, image, saved_at)
        : { kind: 'save', world: key, image: name, saved_at, head },
    );
  }

  /** Queues that a world is being closed, and with it all of its sandbox. */
  noteClosed(world: World): void {
    const { sandbox } = world;
    this.note(world, () => ({ kind: 'close', sandbox }));
    applyEntry(this.closed, { kind: 'close', sandbox }, () => {});
  }

  /**
   * Resolves once all changes so far, of one world or of all, are on disk; undefined if there is nothing to wait for.
   * Rejects with a `DataError` if they cannot be written; they are then part of the next attempt.
   */
  durable(world?: World): Promise<void> | undefined {
    if (this.mode !== 'on-commit') return undefined;
    const upTo = world ? (this.#latest.get(world)?.at ?? 0) : this.#noted;
    return upTo > this.#written ? this.#flush(upTo) : undefined;
  }

  /**
   * Undefined if further changes are accepted. If too many are unwritten, tries to write them: resolves if that succeeds,
   * rejects with `TooMuchUnwritten` if not.
   */
  room(): Promise<void> | undefined {
    if (!this.#isFailing || this.#unwritten < MOST_UNWRITTEN) return undefined;
    return this.#flush(this.#noted).catch(({ message }: Error) => {
      throw new TooMuchUnwritten(message);
    });
  }

  /** Closes the file without writing. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.store.close();
  }

  /** Writes all that is not written, and closes the file. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosing = true;
    try {
      await this.#compaction?.catch(() => {});
      if (this.mode === 'on-exit') await this.store.writeSnapshot(this.#steps());
      else await this.#writeHeads();
    } catch (error) {
      this.log.error((error as Error).message);
      throw error;
    } finally {
      await this.store.close();
    }
  }

  /** Writes the heads of worlds, as request counts and clocks change without a commit. */
  #writeHeads(): Promise<void> {
    for (const world of this.#worlds.values()) {
      const known = this.#latest.get(world)?.head;
      if (JSON.stringify(known) !== JSON.stringify(world.head))
        this.note(world, () => headEntry(world));
    }
    return this.#flush(this.#noted);
  }

  async #flush(upTo: number): Promise<void> {
    while (this.#written < upTo) {
      this.#writing ??= this.#inTurn(() => this.#write()).finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  /** Runs work on the journal one after the other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #write(): Promise<void> {
    await this.#append();
    if (!this.store.isJournalLong || this.#compaction || this.#isClosing) return;
    this.#compaction = this.#compact()
      .catch((error: Error) => this.log.error(error.message))
      .finally(() => {
        this.#compaction = undefined;
      });
  }

  async #append(): Promise<void> {
    const [batch, unwritten] = [this.#pending, this.#unwritten];
    this.#pending = [];
    try {
      await this.store.append(textsOfAll(batch));
    } catch (error) {
      this.#pending = [...batch, ...this.#pending];
      this.#tell(error as Error);
      throw error;
    }
    this.#written += batch.length;
    this.#unwritten -= unwritten;
    this.#tell(undefined);
  }

  /** Logs once that the file cannot be written, and once that it can be again. */
  #tell(failure: Error | undefined): void {
    if (failure && !this.#isFailing) this.log.error(failure.message);
    if (!failure && this.#isFailing) this.log.info('The data file can be written again.');
    this.#isFailing = failure !== undefined;
  }

  /**
   * Writes a snapshot while the worlds go on. Its rows are of different moments; the journal that was begun before it
   * leads from any of these to one consistent state, and is on disk up to there before the snapshot is put in place.
   */
  async #compact(): Promise<void> {
    try {
      await this.#inTurn(async () => {
        // Entries queued until now may not be idempotent, and go into the former journal.
        this.#isCompacting = true;
        await this.#append();
        await this.store.beginJournal();
      });
      await this.store.writeSnapshot(this.#steps());
    } finally {
      this.#isCompacting = false;
    }
  }

  /** All data, then the number of journal lines that complete it. */
  async *#steps(): AsyncGenerator<DataStep> {
    for (const [sandbox, made] of Object.entries(this.#worlds.made))
      yield { value: { kind: 'sandbox', sandbox, made } satisfies Entry };
    for (const world of this.#worlds.values()) yield* stepsTo(entriesOfWorld(world));
    yield* stepsTo(entriesOfStored(this.closed));
    await this.#flush(this.#noted);
    yield { value: { kind: 'journal', lines: this.store.journalLines } };
  }
}
