import { machineTime } from '../../../config/machine-time.ts';
import { NotKept } from '../data-error.ts';
import type { StoredImage } from '../stored-image.ts';
import type { Write, WrittenHead } from './batch.ts';
import type { ClaimedRow } from './generations.ts';
import type { Lease } from './leases.ts';
import { Pending } from './pending.ts';

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

  /** Adds to what waits. `state` tells the state beside the records at any moment. */
  note(state: () => WrittenHead, add: (pending: Pending) => void): void {
    this.state = state;
    add(this.#pending);
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

  /** Tells all who wait that it may not be written. */
  refuse(message: string): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(new NotKept(message));
  }
}
