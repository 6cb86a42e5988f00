import { originOf } from '../../snapshots.ts';
import type { World, WorldImage } from '../../world.ts';
import { keyOf, type MadeSandbox } from '../../worlds.ts';
import type { WorldChange } from '../storage.ts';
import type { ImageLabel, StoredImage } from '../stored-image.ts';
import { addChanges, type ChangedRows, type Write, type WrittenHead, writeRows } from './batch.ts';
import type { Database, Transaction } from './database.ts';
import {
  copyAsImage,
  removeGeneration,
  removeImage,
  writeGeneration,
  writeImage,
} from './generations.ts';

/** A part of a write, which is told the generation of the world and returns the one after it; null for no state. */
type Step = (transaction: Transaction, generation: number | null) => Promise<number | null>;

/** What has changed of one world since it was last written. */
export class Pending {
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
