import { originOf } from '../../snapshots.ts';
import type { World, WorldImage } from '../../world.ts';
import { keyOf, type MadeSandbox } from '../../worlds.ts';
import type { WorldChange } from '../storage.ts';
import type { ImageLabel, StoredImage } from '../stored-image.ts';
import { addChanges, type ChangedRows, type Write, type WrittenHead, writeRows } from './batch.ts';
import type { Database, Transaction } from './database.ts';
import { removeGeneration, removeImage, writeGeneration, writeImage } from './generations.ts';

/** What has changed of one world since it was last written. */
export class Pending {
  readonly rows: ChangedRows = new Map();
  /** Whether there is anything to write. */
  isDirty = false;
  /** The whole state, where it was replaced; `rows` came after it. Null where the world was closed. */
  state: WorldImage | null | undefined;
  /** How its sandbox was made, where the state was replaced. */
  made: MadeSandbox | undefined;
  /** What to do to its images, in order. */
  readonly images: ((transaction: Transaction) => Promise<void>)[] = [];
  /** The state beside the records, once it is about to be written. */
  head: WrittenHead | undefined;

  /** Whether it is more than rows, and is written on a connection of its own. */
  get isLarge(): boolean {
    return this.state !== undefined || this.images.length > 0;
  }

  add(world: World, change: WorldChange, made: MadeSandbox | undefined): void {
    this.isDirty = true;
    if (change.kind === 'rows') addChanges(this.rows, change.changes);
    else if (change.kind === 'state') this.#replace(world.capture(), made);
    else if (change.kind === 'closed') this.#close(world);
    else if (change.kind === 'image') this.images.push((to) => writeImage(to, change.image));
    else if (change.kind === 'no-image') this.images.push((to) => removeImage(to, change.image));
    else if (change.kind === 'origin') this.#setOrigin(world);
  }

  #replace(state: WorldImage | null, made?: MadeSandbox): void {
    this.rows.clear();
    this.state = state;
    this.made = made;
  }

  #close(world: World): void {
    this.#replace(null);
    const key = keyOf(world);
    this.images.push((to) => removeImages(to, key));
  }

  #setOrigin(world: World): void {
    const key = keyOf(world);
    const origin = originOf(world);
    this.images.push(async (to) => {
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
    for (const change of pending.images) await change(transaction);
    let generation = fenced.generation === null ? null : Number(fenced.generation);
    if (pending.state !== undefined) {
      await removeGeneration(transaction, key, generation);
      generation = pending.state && (await writeGeneration(transaction, key, pending.state));
      await transaction.run('UPDATE $worlds SET generation = $2, made = $3 WHERE key = $1', [
        key,
        generation,
        pending.made ? JSON.stringify(pending.made) : null,
      ]);
    }
    if (generation !== null) await writeRows(transaction, key, generation, pending.rows);
    return true;
  });
}
