import { machineTime } from '../../../config/machine-time.ts';
import { originOf } from '../../snapshots.ts';
import type { World, WorldImage } from '../../world.ts';
import { keyOf, type MadeSandbox } from '../../worlds.ts';
import { NotKept } from '../data-error.ts';
import type { WorldChange } from '../storage.ts';
import type { ImageLabel, StoredImage } from '../stored-image.ts';
import { addChanges, type ChangedRows, type Write, type WrittenHead, writeRows } from './batch.ts';
import type { Database, Transaction } from './database.ts';
import {
  type ClaimedRow,
  copyAsImage,
  removeGeneration,
  removeImage,
  writeGeneration,
  writeImage,
} from './generations.ts';
import type { Lease } from './leases.ts';

interface Waiter {
  /** How many changes it waits for. */
  readonly upTo: number;
  resolve(): void;
  reject(error: Error): void;
}

/** A world that this emulator holds: what of it waits to be written, and who waits for that. */
export class HeldWorld {
  readonly key: string;
  readonly epoch: number;
  /** What was read of it and not taken yet. */
  images: readonly StoredImage[] = [];
  /** Whether a write on a connection of its own is in progress. */
  isBusy = false;
  /** How often in a row the write in progress has failed. */
  failures = 0;
  #head: number;
  #pending = new Pending();
  #sending: Pending | undefined;
  #noted = 0;
  #kept = 0;
  #sentUpTo = 0;
  #waiters: Waiter[] = [];
  /** The state beside the records, as of now. */
  state: () => WrittenHead;

  constructor(
    { key, epoch, head, sequence, requests, clock }: ClaimedRow,
    public lease: Lease,
  ) {
    this.key = key;
    this.epoch = Number(epoch);
    this.#head = Number(head);
    const read = { sequence: Number(sequence), requests: Number(requests), clock };
    this.state = () => ({ ...read, clock: clock ?? { mode: 'real' }, at: machineTime() });
  }

  /** Adds a change to what waits. */
  note(world: World, change: WorldChange, made: MadeSandbox | undefined): void {
    this.state = () => ({ ...world.head, at: world.clock.machine() });
    this.#pending.add(world, change, made);
    this.#noted += 1;
  }

  get hasUnkept(): boolean {
    return this.#kept < this.#noted;
  }

  /** The write that is next: the one that failed, or all that waits; undefined if nothing does. */
  next(): { readonly write: Write; readonly pending: Pending } | undefined {
    if (!this.#sending) {
      if (!this.#pending.isDirty) return undefined;
      this.#sending = this.#pending;
      this.#sending.head = this.state();
      this.#sentUpTo = this.#noted;
      this.#pending = new Pending();
    }
    const { key, epoch } = this;
    const state = this.#sending.head as WrittenHead;
    return { write: { key, epoch, head: this.#head + 1, state }, pending: this.#sending };
  }

  /** The write in progress is made. */
  sent(): void {
    this.#head += 1;
    this.#kept = this.#sentUpTo;
    this.#sending = undefined;
    this.failures = 0;
    const done = this.#waiters.filter(({ upTo }) => upTo <= this.#kept);
    this.#waiters = this.#waiters.filter(({ upTo }) => upTo > this.#kept);
    for (const { resolve } of done) resolve();
  }

  /** Resolves once all that was noted so far is written; undefined if it is. */
  kept(): Promise<void> | undefined {
    const upTo = this.#noted;
    if (this.#kept >= upTo) return undefined;
    return new Promise((resolve, reject) => this.#waiters.push({ upTo, resolve, reject }));
  }

  /** Rejects all who wait, because it may not be written. */
  refuse(message: string): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(new NotKept(message));
  }
}

/** A part of a write, which is told the generation of the world and returns the one after it; null for no state. */
type Step = (transaction: Transaction, generation: number | null) => Promise<number | null>;

/** What has changed of one world since it was last written. */
class Pending {
  /** The rows that have changed since the last step. */
  rows: ChangedRows = new Map();
  /** Whether there is anything to write. */
  isDirty = false;
  /** What else is to be written, in order, before the rows. */
  readonly steps: Step[] = [];
  /** The state beside the records, once it is about to be written. */
  head: WrittenHead | undefined;

  /** Whether it is more than rows, and is written on a connection of its own. */
  get isLarge(): boolean {
    return this.steps.length > 0;
  }

  add(world: World, change: WorldChange, made: MadeSandbox | undefined): void {
    this.isDirty = true;
    if (change.kind === 'rows') addChanges(this.rows, change.changes);
    else if (change.kind === 'state') this.#replace(keyOf(world), world.capture(), made);
    else if (change.kind === 'closed') this.#close(keyOf(world));
    else if (change.kind === 'image') this.#do((to) => writeImage(to, change.image));
    else if (change.kind === 'snapshot') this.#copy(change.image);
    else if (change.kind === 'no-image') this.#do((to) => removeImage(to, change.image));
    else if (change.kind === 'origin') this.#setOrigin(world);
  }

  /** Adds a step that leaves the state as it is. */
  #do(work: (transaction: Transaction) => Promise<void>): void {
    this.steps.push(async (transaction, generation) => {
      await work(transaction);
      return generation;
    });
  }

  #replace(key: string, state: WorldImage | null, made?: MadeSandbox): void {
    this.rows = new Map();
    this.steps.push(async (transaction, former) => {
      await removeGeneration(transaction, key, former);
      const generation = state && (await writeGeneration(transaction, key, state));
      await transaction.run('UPDATE $worlds SET generation = $2, made = $3 WHERE key = $1', [
        key,
        generation,
        made ? JSON.stringify(made) : null,
      ]);
      return generation;
    });
  }

  #close(key: string): void {
    this.#replace(key, null);
    this.#do((to) => removeImages(to, key));
  }

  /** A snapshot of the state with all rows so far: the database copies them, none is sent again. */
  #copy(snapshot: StoredImage): void {
    const { rows } = this;
    this.rows = new Map();
    this.steps.push(async (transaction, generation) => {
      if (generation === null) return null;
      await writeRows(transaction, snapshot.key, generation, rows);
      await copyAsImage(transaction, snapshot, generation);
      return generation;
    });
  }

  #setOrigin(world: World): void {
    const key = keyOf(world);
    const origin = originOf(world);
    this.#do(async (to) => {
      const plain = origin.kind === 'image' ? null : JSON.stringify(origin);
      await to.run('UPDATE $worlds SET origin = $2 WHERE key = $1', [key, plain]);
      const label: ImageLabel = { kind: 'origin', key };
      if (origin.kind === 'image')
        await writeImage(to, { ...label, ...origin.image } as StoredImage);
      else await removeImage(to, label);
    });
  }
}

async function removeImages(transaction: Transaction, key: string): Promise<void> {
  await transaction.run(
    `WITH gone AS (
       DELETE FROM $images WHERE world = $1 RETURNING world, generation
     )
     DELETE FROM $records r USING gone g WHERE r.world = g.world AND r.generation = g.generation`,
    [key],
  );
}

/**
 * Writes what is pending of one world in a transaction of its own, fenced by its epoch and its head. Returns false if
 * another emulator has claimed it, or the same was written before.
 */
export function writeWorld(database: Database, write: Write, pending: Pending): Promise<boolean> {
  const { key, epoch, head, state } = write;
  const { sequence, requests, clock, at } = state;
  return database.transact(async (transaction) => {
    const [fenced] = await transaction.run<{ generation: string | null }>(
      `UPDATE $worlds SET head = $3, sequence = $4, requests = $5, clock = $6, written = to_timestamp($7 / 1000.0)
       WHERE key = $1 AND epoch = $2 AND head = $3 - 1 RETURNING generation`,
      [key, epoch, head, sequence, requests, JSON.stringify(clock), Math.round(at)],
    );
    if (!fenced) return false;
    let generation = fenced.generation === null ? null : Number(fenced.generation);
    for (const step of pending.steps) generation = await step(transaction, generation);
    if (generation !== null) await writeRows(transaction, key, generation, pending.rows);
    return true;
  });
}
