import type { Logger } from '../../config/log.ts';
import type { Settings } from '../../config/settings.ts';
import { type FormerState, FormerStates } from '../former-states.ts';
import type { Change } from '../table.ts';
import type { World, WorldHead } from '../world.ts';
import { keyOf, parseKey, type Worlds } from '../worlds.ts';
import { MOST_UNWRITTEN, TooMuchUnwritten } from './data-error.ts';
import { type DataStep, stepsTo } from './data-file.ts';
import type { DataStore } from './data-store.ts';
import {
  changesEntry,
  type Entry,
  entriesOfWorld,
  formerEntry,
  headEntry,
  imageEntry,
  textsOfAll,
} from './entries.ts';
import { applyEntry, entriesOfStored, type Stored, type StoredWorld } from './stored.ts';

type KeptWorlds = Pick<Worlds, 'values' | 'made'>;

const INTERVAL_MS = 1_000;

/**
 * Keeps the worlds in a file: as a whole at the end, or change by change in a journal, every second or before a
 * change is acknowledged. Changes that come together share one wait for the disk. A journal that has outgrown
 * its snapshot gives way to a new snapshot, which is written while the worlds go on.
 */
export class Persistence {
  #formers = new FormerStates();
  #worlds: KeptWorlds = { values: () => [].values(), made: {} };
  /** What is not written yet, in order. */
  #pending: Entry[] = [];
  /** Changed rows, and other entries, among it. */
  #unwritten = 0;
  #noted = 0;
  #written = 0;
  /** By world: how much was noted when it last changed, and its head then. */
  readonly #latest = new WeakMap<World, { readonly at: number; readonly head: WorldHead }>();
  #turn: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> | undefined;
  #compaction: Promise<void> | undefined;
  /** Whether a snapshot is being written, so that what is noted must lead to the same from any later state. */
  #isCompacting = false;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  /** From then on no snapshot is begun, as the file is about to be given back. */
  #isClosing = false;

  constructor(
    /** What the file holds of worlds that are not open. */
    readonly closed: Stored,
    private readonly store: DataStore,
    private readonly mode: Settings['data_mode'],
    private readonly log: Pick<Logger, 'error' | 'info'>,
  ) {}

  /** What was kept of a world that opens now; from here on it is kept as it is. */
  take(world: World): StoredWorld | undefined {
    const key = keyOf(world);
    const kept = this.closed.worlds.get(key);
    this.closed.worlds.delete(key);
    return kept;
  }

  /** Whether a world of a sandbox is kept that is not open. */
  holdsClosed(sandbox: string): boolean {
    return [...this.closed.worlds.keys()].some((key) => parseKey(key)?.sandbox === sandbox);
  }

  /** Begins to keep the worlds that are open, the sandboxes that were made by request, and what worlds held. */
  keep(worlds: KeptWorlds, formers: FormerStates): void {
    this.#worlds = worlds;
    this.#formers = formers;
    this.closed.sandboxes.clear();
    this.closed.formers.clear();
    const closed = [...this.closed.worlds.keys()].join(', ');
    if (closed !== '')
      this.log.info(`The settings do not admit ${closed}; they stay in the data file.`);
    const write = () => void this.#flush(this.#noted).catch(() => {});
    if (this.mode === 'interval') this.#timer = setInterval(write, INTERVAL_MS).unref();
  }

  /** Takes note of a step in what is kept. */
  note(world: World, entry: () => Entry): void {
    if (this.mode === 'on-exit') return;
    this.#pending.push(entry());
    this.#noted += 1;
    this.#unwritten += 1;
    this.#latest.set(world, { at: this.#noted, head: world.head });
  }

  noteCommit(world: World, changes: readonly Change[]): void {
    this.note(world, () => changesEntry(world, changes));
    this.#unwritten += changes.length;
  }

  /** Takes note of an image of what a world holds at this moment. */
  noteImage(world: World, name: string, saved: Omit<FormerState, 'number'>): void {
    const { image, saved_at, made } = saved;
    const [key, { head }, about] = [keyOf(world), world, { saved_at, ...(made && { made }) }];
    this.note(world, () =>
      this.#isCompacting
        ? imageEntry(key, name, image, about)
        : { kind: 'save', world: key, image: name, ...about, head },
    );
  }

  /** Takes note that a world closed, and with it all of its sandbox. */
  noteClosed(world: World): void {
    const { sandbox } = world;
    this.note(world, () => ({ kind: 'close', sandbox }));
    applyEntry(this.closed, { kind: 'close', sandbox }, () => {});
  }

  /**
   * Resolves once all that changed in a world so far, or in all of them, is on disk; undefined where nobody waits
   * for that. Rejects with a `DataError` when it cannot be written; what is not written yet goes with the next
   * writing.
   */
  durable(world?: World): Promise<void> | undefined {
    if (this.mode !== 'on-commit') return undefined;
    const upTo = world ? (this.#latest.get(world)?.at ?? 0) : this.#noted;
    return upTo > this.#written ? this.#flush(upTo) : undefined;
  }

  /**
   * Resolves once there is room for further changes: where too many could not be written, that is tried again first.
   * Undefined where there is room. Rejects with `TooMuchUnwritten` where there is still none.
   */
  room(): Promise<void> | undefined {
    if (!this.#isFailing || this.#unwritten < MOST_UNWRITTEN) return undefined;
    return this.#flush(this.#noted).catch(({ message }: Error) => {
      throw new TooMuchUnwritten(message);
    });
  }

  /** Gives the file back as it is. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.store.close();
  }

  /** Writes what is not written, and gives the file back. */
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

  /** Counters of requests and clocks move without a commit. */
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

  /** One work on the journal at a time. */
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

  /** Says once that the file cannot be written, and once that it can be again. */
  #tell(failure: Error | undefined): void {
    if (failure && !this.#isFailing) this.log.error(failure.message);
    if (!failure && this.#isFailing) this.log.info('The data file can be written again.');
    this.#isFailing = failure !== undefined;
  }

  /**
   * Writes a snapshot while the worlds go on. It holds rows of different moments; the journal that was begun
   * before it leads from any of them to the state at its end, and is on disk that far when the snapshot counts.
   */
  async #compact(): Promise<void> {
    try {
      await this.#inTurn(async () => {
        // What was noted until now may need the state of its moment, and goes into the journal before.
        this.#isCompacting = true;
        await this.#append();
        await this.store.beginJournal();
      });
      await this.store.writeSnapshot(this.#steps());
    } finally {
      this.#isCompacting = false;
    }
  }

  /** All that is kept, and how much of the journal completes it. */
  async *#steps(): AsyncGenerator<DataStep> {
    for (const [sandbox, made] of Object.entries(this.#worlds.made))
      yield { value: { kind: 'sandbox', sandbox, made } satisfies Entry };
    for (const world of this.#worlds.values()) yield* stepsTo(entriesOfWorld(world));
    for (const [key, state] of this.#formers.entries()) yield { value: formerEntry(key, state) };
    yield* stepsTo(entriesOfStored(this.closed));
    await this.#flush(this.#noted);
    yield { value: { kind: 'journal', lines: this.store.journalLines } };
  }
}
