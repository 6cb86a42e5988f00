import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../../config/log.ts';
import type { Settings } from '../../../config/settings.ts';
import { randomSecret } from '../../ids.ts';
import type { World } from '../../world.ts';
import { keyOf, type MadeSandbox } from '../../worlds.ts';
import { DataError, NotKept } from '../data-error.ts';
import { NO_WORLDS, type OpenWorlds, type Storage, type WorldChange } from '../storage.ts';
import { madeIn, type StoredImage } from '../stored-image.ts';
import { validateImages } from '../validate-images.ts';
import { Database, saying } from './database.ts';
import { type ClaimedRow, readWorld } from './generations.ts';
import { HeldWorld } from './held-world.ts';
import { Lease, Leases, RENEWAL_MS } from './leases.ts';
import { prepareSchema, type SharedSettings } from './schema.ts';
import { Writer } from './writer.ts';

/** How long an end waits for writes that fail. */
const END_MS = 10_000;

type Log = Pick<Logger, 'error' | 'info'>;

/**
 * Keeps worlds in PostgreSQL. A commit is kept when the database has it. All commits that wait go in one statement; whole
 * states go on connections of their own. Each world is claimed with an epoch, which fences its writes, and a lease, which
 * is renewed while this emulator runs.
 *
 * @assumes A-1407
 */
export class PostgresStorage implements Storage {
  readonly #held = new Map<string, HeldWorld>();
  /** Claims in progress. */
  readonly #claims = new Map<string, Promise<void>>();
  readonly #leases: Leases;
  readonly #renewing: NodeJS.Timeout;
  #worlds = NO_WORLDS;
  readonly #writer: Writer;

  private constructor(
    private readonly database: Database,
    private readonly secretOfAll: string,
    private readonly log: Log,
  ) {
    this.#leases = new Leases(database);
    this.#writer = new Writer(database, this.#held, log, (held) => this.#lose(held));
    this.#renewing = setInterval(() => void this.#renewAll(), RENEWAL_MS).unref();
  }

  /**
   * Connects, brings the schema up to date, and claims and reads all worlds that nobody holds.
   *
   * @throws DataError when the database cannot be reached or used, without its password
   */
  static async open(settings: SharedSettings & Pick<Settings, 'data' | 'data_schema'>, log: Log) {
    const database = await Database.at(settings.data, settings.data_schema);
    let storage: PostgresStorage | undefined;
    try {
      const secret = await prepareSchema(database, settings, randomSecret());
      storage = new PostgresStorage(database, secret, log);
      const lease = new Lease();
      for (const row of await storage.#leases.claimFree()) await storage.#hold(row, lease);
      return storage;
    } catch (error) {
      await (storage ? storage.release() : database.end());
      throw saying(database, error);
    }
  }

  secret(): string {
    return this.secretOfAll;
  }

  get made(): ReadonlyMap<string, MadeSandbox> {
    return madeIn(this.#images);
  }

  get keys(): readonly string[] {
    return this.#images.flatMap(({ kind, key }) => (kind === 'world' ? [key] : []));
  }

  /** Claims a world and reads it, unless this emulator holds it. @throws NotKept naming the emulator that holds it */
  prepare(key: string): Promise<void> | undefined {
    const held = this.#held.get(key);
    if (held && !held.lease.isOver) return undefined;
    const claim = this.#claims.get(key) ?? this.#ready(key).finally(() => this.#claims.delete(key));
    this.#claims.set(key, claim);
    return claim;
  }

  take(key: string): readonly StoredImage[] {
    const held = this.#held.get(key);
    if (!held) throw new NotKept('This world is not claimed. Try again.');
    const { images } = held;
    held.images = [];
    return images;
  }

  keep(worlds: OpenWorlds): void {
    this.#worlds = worlds;
  }

  note(world: World, change: WorldChange): void {
    const held = this.#held.get(keyOf(world));
    // One that is lost is about to be dropped.
    if (!held) return;
    const made = this.#worlds.madeOf(world.sandbox);
    held.note(
      () => world.head,
      (pending) => pending.add(world, change, made),
    );
    this.#writer.plan();
  }

  durable(world?: World): Promise<void> | undefined {
    if (world) return this.#durable(keyOf(world));
    const waits = [...this.#held.values()].map((held) => held.kept());
    return waits.some(Boolean) ? Promise.all(waits).then(() => {}) : undefined;
  }

  room(world?: World): Promise<void> | undefined {
    const { failure } = this.#writer;
    if (failure) return Promise.reject(new NotKept(failure.message));
    const held = world && this.#held.get(keyOf(world));
    return held?.lease.isOver ? Promise.reject(expired()) : undefined;
  }

  async release(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#leases.release().catch(() => {});
    await this.database.end();
  }

  async close(): Promise<void> {
    for (const world of this.#worlds.values()) this.note(world, { kind: 'head' });
    const until = performance.now() + END_MS;
    const unkept = () => [...this.#held.values()].filter(({ hasUnkept }) => hasUnkept);
    while (unkept().length > 0 && performance.now() < until) await pause(10);
    const left = unkept().map(({ key }) => key);
    this.#held.clear();
    await this.release();
    if (left.length > 0)
      throw new DataError(
        `${this.database.name}: The last changes of ${left.join(', ')} could not be written.`,
      );
  }

  get #images(): readonly StoredImage[] {
    return [...this.#held.values()].flatMap(({ images }) => images);
  }

  /** Renews the lease of a world, or claims it. */
  async #ready(key: string): Promise<void> {
    const held = this.#held.get(key);
    if (held) await this.#renew();
    if (!held || this.#held.get(key) !== held) await this.#claim(key);
    else if (held.lease.isOver) throw expired();
  }

  async #claim(key: string): Promise<void> {
    const lease = new Lease();
    try {
      await this.#hold(await this.#leases.claim(key), lease);
    } catch (error) {
      if (error instanceof DataError) throw error;
      throw new NotKept(saying(this.database, error).message);
    }
  }

  async #hold(row: ClaimedRow, lease: Lease): Promise<void> {
    const images = await readWorld(this.database, row);
    await validateImages(this.database.name, images);
    this.#held.set(row.key, new HeldWorld(row, images, lease));
  }

  #durable(key: string): Promise<void> | undefined {
    const held = this.#held.get(key);
    if (!held) return Promise.reject(new NotKept('This world was claimed by another emulator.'));
    if (held.lease.isOver) return Promise.reject(expired());
    // It may have expired while the write was in progress.
    return held.kept()?.then(() => {
      if (held.lease.isOver) throw expired();
    });
  }

  async #renewAll(): Promise<void> {
    await this.#renew();
    await this.#takeOver().catch(() => {});
  }

  /** Claims and opens the worlds whose emulator has ended, as work of theirs may become due. */
  async #takeOver(): Promise<void> {
    const lease = new Lease();
    for (const row of await this.#leases.claimFree()) {
      const { key } = row;
      // A request has claimed it since.
      if (this.#held.has(key) || this.#claims.has(key)) continue;
      const claim = this.#hold(row, lease).finally(() => this.#claims.delete(key));
      this.#claims.set(key, claim);
      try {
        await claim;
        if (row.generation !== null) this.#worlds.find(key);
      } catch (error) {
        this.log.error(`${key} cannot be opened: ${(error as Error).message}`);
      }
    }
  }

  /** Renews all leases. A world whose epoch has moved is another emulator's. */
  async #renew(): Promise<void> {
    const lease = new Lease();
    const asked = [...this.#held.values()];
    if (asked.length === 0) return;
    const epochs = await this.#leases.renew().catch(() => undefined);
    if (!epochs) return;
    for (const held of asked)
      if (epochs.get(held.key) === held.epoch) held.lease = lease;
      else this.#lose(held);
  }

  #lose(held: HeldWorld): void {
    if (this.#held.get(held.key) !== held) return;
    this.#held.delete(held.key);
    this.log.error(`${held.key} was claimed by another emulator; what it holds here is dropped.`);
    held.refuse('This world was claimed by another emulator.');
    this.#worlds.drop(held.key);
  }
}

const expired = () =>
  new NotKept('The lease of this world has run out, and the database cannot be reached.');
