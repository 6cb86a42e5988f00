import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../../config/log.ts';
import { madeBefore, writeBatch } from './batch.ts';
import { type Database, isPassing, saying } from './database.ts';
import { type HeldWorld, writeWorld } from './held-world.ts';

/** The pause before a write that failed is tried again. */
const RETRY_MS = 300;

/** Writes what waits of the worlds that are held, as long as anything does. */
export class Writer {
  #isWriting = false;
  #failure: Error | undefined;

  constructor(
    private readonly database: Database,
    private readonly held: ReadonlyMap<string, HeldWorld>,
    private readonly log: Pick<Logger, 'error' | 'info'>,
    /** Called with a world that another emulator has claimed. */
    private readonly onLost: (held: HeldWorld) => void,
  ) {}

  /** Why the database cannot be written at present. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Begins to write soon, unless that is in progress: commits of the same moment go together. */
  plan(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    setImmediate(() => void this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      const ready = [...this.held.values()].filter((held) => !held.isBusy && held.next());
      const small = ready.filter((held) => !held.next()?.pending.isLarge);
      for (const held of ready) if (!small.includes(held)) void this.#writeLarge(held);
      if (small.length === 0) break;
      await this.#writeSmall(small);
    }
    this.#isWriting = false;
  }

  async #writeSmall(all: readonly HeldWorld[]): Promise<void> {
    const writes = all.flatMap((held) => {
      const { write, pending } = held.next() ?? {};
      return write && pending ? [{ ...write, rows: pending.rows }] : [];
    });
    try {
      const made = await writeBatch(this.database, writes);
      this.#logFailure(undefined);
      for (const held of all)
        if (made.has(held.key)) held.sent();
        else this.onLost(held);
    } catch (error) {
      // One that the database does not accept must not hold up the others.
      if (!isPassing(error) && all.length > 1)
        for (const held of all) await this.#writeSmall([held]);
      else await this.#failed(all, error);
    }
  }

  async #writeLarge(held: HeldWorld): Promise<void> {
    held.isBusy = true;
    const { write, pending } = held.next() as NonNullable<ReturnType<HeldWorld['next']>>;
    try {
      const isMade =
        (await writeWorld(this.database, write, pending)) ||
        (await madeBefore(this.database, [write])).length > 0;
      this.#logFailure(undefined);
      if (isMade) held.sent();
      else this.onLost(held);
    } catch (error) {
      await this.#failed([held], error);
    }
    held.isBusy = false;
    this.plan();
  }

  /** The first failure may be of a connection that was cut: only a second one rejects those who wait. */
  async #failed(all: readonly HeldWorld[], error: unknown): Promise<void> {
    const failure = saying(this.database, error);
    for (const held of all) {
      held.failures += 1;
      if (held.failures > 1) held.refuse(failure.message);
    }
    if (all.some(({ failures }) => failures > 1)) {
      this.#logFailure(failure);
      await pause(RETRY_MS);
    }
  }

  /** Logs once that the database cannot be written, and once that it can be again. */
  #logFailure(failure: Error | undefined): void {
    if (failure && !this.#failure) this.log.error(failure.message);
    if (!failure && this.#failure) this.log.info(`${this.database.name} can be written again.`);
    this.#failure = failure;
  }
}
