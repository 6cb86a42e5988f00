import { DataError, NotKept } from '../data-error.ts';
import type { RemoteClaim } from '../storage.ts';
import { type FindDefects, validateImages } from '../stored-image.ts';
import { type Database, saying } from './database.ts';
import type { Directory } from './directory.ts';
import { type ClaimedRow, readWorld } from './generations.ts';
import { HeldWorld } from './held-world.ts';
import { type GivenBack, Lease, Leases } from './leases.ts';

/** The worlds that this emulator holds: it claims and reads them, renews its claims, and gives them back. */
export class Claims {
  readonly held = new Map<string, HeldWorld>();
  /** Worlds that are claimed and not read yet: reading a large one may take longer than a lease. */
  readonly #reading = new Set<HeldWorld>();
  /** Claims in progress. */
  readonly #claiming = new Map<string, Promise<RemoteClaim | undefined>>();
  /** Claims that are being given back. */
  readonly #returning = new Map<string, Promise<void>>();
  readonly #leases: Leases;

  constructor(
    private readonly database: Database,
    private readonly directory: Directory,
    private readonly findDefects: FindDefects,
    /** The address at which other emulators reach this one. */
    url: string | undefined,
    /** Called with a world that another emulator has claimed. */
    private readonly onLost: (held: HeldWorld) => void,
  ) {
    this.#leases = new Leases(database, url);
  }

  /** The name of this emulator, which no other has. */
  get holder(): string {
    return this.#leases.holder;
  }

  /**
   * Claims a world and reads it, unless this emulator holds it, which is undefined, or another one does.
   *
   * @throws NotKept naming the emulator that holds it, if that cannot be reached, or if the database does not respond
   */
  prepare(key: string): Promise<RemoteClaim | undefined> | RemoteClaim | undefined {
    const held = this.held.get(key);
    if (held && !held.lease.isOver) return undefined;
    const inProgress = this.#claiming.get(key) ?? this.directory.remoteOf(key);
    return inProgress ?? this.#track(key, this.#ready(key));
  }

  /** Claims and reads the worlds that need somebody. Returns the keys of those that have a state, or why there is none. */
  async claimNeeded(): Promise<ReadonlyMap<string, Error | undefined>> {
    const lease = new Lease();
    const found = new Map<string, Error | undefined>();
    for (const row of await this.#leases.claimNeeded()) {
      const { key } = row;
      // A request has claimed it since.
      if (this.held.has(key) || this.#claiming.has(key)) continue;
      try {
        await this.#track(key, this.#hold(row, lease));
        if (row.generation !== null) found.set(key, undefined);
      } catch (error) {
        found.set(key, error as Error);
      }
    }
    return found;
  }

  /** Renews all claims. A world whose epoch has moved is another emulator's. */
  async renew(): Promise<void> {
    const lease = new Lease();
    const asked = [...this.held.values(), ...this.#reading];
    if (asked.length === 0) return;
    const epochs = await this.#leases.renew().catch(() => undefined);
    if (!epochs) return;
    for (const held of asked)
      if (epochs.get(held.key) === held.epoch) held.lease = lease;
      else this.lose(held);
  }

  lose(held: HeldWorld): void {
    if (this.held.get(held.key) !== held) return;
    this.held.delete(held.key);
    held.refuse('This world was claimed by another emulator.');
    this.onLost(held);
  }

  /** Gives the claims of these worlds back. If that fails, they run out. */
  async giveBack(all: readonly GivenBack[]): Promise<void> {
    for (const { key } of all) this.held.delete(key);
    const back = this.#leases.giveBack(all).catch(() => {});
    for (const { key } of all) this.#returning.set(key, back);
    await back;
    for (const { key } of all) this.#returning.delete(key);
  }

  /** Resolves once the claim of a world is given back, if it is being given back. */
  returned(key: string): Promise<void> | undefined {
    return this.#returning.get(key);
  }

  /** Gives all claims back. */
  async release(): Promise<void> {
    this.held.clear();
    await this.#leases.release().catch(() => {});
  }

  #track(key: string, claim: Promise<RemoteClaim | undefined>): Promise<RemoteClaim | undefined> {
    const tracked = claim.finally(() => this.#claiming.delete(key));
    this.#claiming.set(key, tracked);
    return tracked;
  }

  /** Renews the lease of a world, or claims it. */
  async #ready(key: string): Promise<RemoteClaim | undefined> {
    await this.#returning.get(key);
    const held = this.held.get(key);
    if (held) await this.renew();
    if (!held || this.held.get(key) !== held) return this.#claim(key);
    if (held.lease.isOver) throw expired();
    return undefined;
  }

  async #claim(key: string): Promise<RemoteClaim | undefined> {
    const lease = new Lease();
    try {
      const row = await this.#leases.claim(key);
      if ('epoch' in row) return await this.#hold(row, lease);
      const remote = this.directory.noteHolder(row);
      if (remote) return remote;
      throw new NotKept(`This world is held by another emulator, ${row.holder}.`);
    } catch (error) {
      if (error instanceof DataError) throw error;
      throw new NotKept(saying(this.database, error).message);
    }
  }

  async #hold(row: ClaimedRow, lease: Lease): Promise<undefined> {
    const held = new HeldWorld(row, lease);
    this.#reading.add(held);
    try {
      held.images = await readWorld(this.database, row);
      await validateImages(this.database.name, held.images, this.findDefects);
      this.held.set(row.key, held);
      this.directory.forget(row);
    } finally {
      this.#reading.delete(held);
    }
  }
}

export const expired = (): NotKept =>
  new NotKept('The lease of this world has run out, and the database cannot be reached.');
