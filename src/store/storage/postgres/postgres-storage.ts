import { setTimeout as pause } from 'node:timers/promises';
import { advertisedUrl } from '../../../config/access.ts';
import type { Logger } from '../../../config/log.ts';
import { machineTime } from '../../../config/machine-time.ts';
import { deriveToken, randomSecret } from '../../ids.ts';
import type { World } from '../../world.ts';
import { keyOf, type MadeSandbox } from '../../worlds.ts';
import { DataError, NotKept } from '../data-error.ts';
import {
  type KeptWorld,
  NO_WORLDS,
  type OpenWorlds,
  type PublicName,
  type RemoteClaim,
  type SharedWorlds,
  type Storage,
  type StorageSettings,
  type WorldChange,
} from '../storage.ts';
import type { FindDefects, StoredImage } from '../stored-image.ts';
import { Claims, expired } from './claims.ts';
import { Database, saying } from './database.ts';
import { Directory } from './directory.ts';
import type { HeldWorld } from './held-world.ts';
import { RENEWAL_MS } from './leases.ts';
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
export class PostgresStorage implements Storage, SharedWorlds {
  readonly shared = this;
  readonly hopSecret: string;
  readonly #directory: Directory;
  readonly #claims: Claims;
  readonly #renewing: NodeJS.Timeout;
  #worlds = NO_WORLDS;
  readonly #writer: Writer;

  private constructor(
    private readonly database: Database,
    private readonly secretOfAll: string,
    private readonly log: Log,
    findDefects: FindDefects,
    url: string | undefined,
  ) {
    this.#directory = new Directory(database);
    this.#claims = new Claims(database, this.#directory, findDefects, url, ({ key }) => {
      log.error(`${key} was claimed by another emulator; what it holds here is dropped.`);
      this.#worlds.drop(key);
    });
    this.hopSecret = deriveToken(secretOfAll, ['hop']);
    this.#writer = new Writer(database, this.#held, log, (held) => this.#claims.lose(held));
    this.#renewing = setInterval(() => void this.#renewAll(), RENEWAL_MS).unref();
  }

  get #held(): ReadonlyMap<string, HeldWorld> {
    return this.#claims.held;
  }

  /**
   * Connects, brings the schema up to date, and reads the worlds that need somebody. The others are read when they are
   * first asked for.
   *
   * @throws DataError when the database cannot be reached or used, without its password
   */
  static async open(
    settings: SharedSettings & StorageSettings,
    log: Log,
    findDefects: FindDefects,
  ) {
    const database = await Database.at(settings.data);
    let storage: PostgresStorage | undefined;
    try {
      const secret = await prepareSchema(database, settings, randomSecret());
      storage = new PostgresStorage(database, secret, log, findDefects, advertisedUrl(settings));
      for (const failure of (await storage.#claims.claimNeeded()).values())
        if (failure) throw failure;
      await storage.refresh(() => false);
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
    return this.#directory.made;
  }

  get keys(): readonly string[] {
    const images = [...this.#held.values()].flatMap((held) => held.images);
    return images.flatMap(({ kind, key }) => (kind === 'world' ? [key] : []));
  }

  get known(): readonly string[] {
    return this.#directory.keys;
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
    held.note(world, change, made);
    this.#directory.note(held.key, change, made);
    this.#writer.plan();
  }

  prepare(key: string): Promise<RemoteClaim | undefined> | RemoteClaim | undefined {
    return this.#claims.prepare(key);
  }

  forget(claim: RemoteClaim): void {
    this.#directory.forget(claim);
  }

  /** Reads which worlds there are, and which emulators hold them. */
  async refresh(isHeld = (key: string) => this.#held.has(key)): Promise<void> {
    await this.#directory.look(this.#claims.holder, isHeld);
    this.#worlds.syncMade(this.made);
  }

  worldNamed(name: PublicName): Promise<string | undefined> {
    return this.#directory.worldNamed(name);
  }

  describe(keys: readonly string[]): Promise<readonly KeptWorld[]> {
    return this.#directory.describe(keys);
  }

  unload(world: World): void {
    const [given] = this.#givenBack([world]);
    if (!given || this.#held.get(given.key)?.hasUnkept) return;
    void this.#claims.giveBack([given]);
    this.#worlds.drop(given.key);
  }

  async handOver(key: string): Promise<void> {
    const held = this.#held.get(key);
    await held?.kept();
    const world = [...this.#worlds.values()].find((each) => keyOf(each) === key);
    if (world) this.unload(world);
    else if (held) {
      const { epoch, images } = held;
      // Nobody knows when something of a world is due that was not opened.
      const due = images.length > 0 ? machineTime() : undefined;
      void this.#claims.giveBack([{ key, epoch, state: held.state(), due }]);
    }
    await this.#claims.returned(key);
  }

  durable(world?: World): Promise<void> | undefined {
    if (world) return this.#durable(keyOf(world));
    const waits = [...this.#held.values()].map((held) => held.kept());
    return waits.some(Boolean) ? Promise.all(waits).then(() => {}) : undefined;
  }

  writeFailure(world?: World): NotKept | undefined {
    const { failure } = this.#writer;
    if (failure) return new NotKept(failure.message);
    const held = world && this.#held.get(keyOf(world));
    return held?.lease.isOver ? expired() : undefined;
  }

  async release(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#claims.release();
    await this.database.end();
  }

  async close(): Promise<void> {
    for (const world of this.#worlds.values()) this.note(world, { kind: 'head' });
    const until = performance.now() + END_MS;
    const unkept = () => [...this.#held.values()].filter(({ hasUnkept }) => hasUnkept);
    while (unkept().length > 0 && performance.now() < until) await pause(10);
    const left = unkept().map(({ key }) => key);
    await this.#claims.giveBack(this.#givenBack(this.#worlds.values()));
    await this.release();
    if (left.length > 0)
      throw new DataError(
        `${this.database.name}: The last changes of ${left.join(', ')} could not be written.`,
      );
  }

  /** Open worlds, as their claims are given back. */
  #givenBack(worlds: Iterable<World>) {
    return [...worlds].flatMap((world) => {
      const held = this.#held.get(keyOf(world));
      if (!held || held.lease.isOver) return [];
      const { key, epoch } = held;
      return [{ key, epoch, state: held.state(), due: this.#worlds.dueAt(world) }];
    });
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
    await this.#claims.renew();
    await this.#takeOver().catch(() => {});
  }

  /** Claims and opens the worlds that need somebody, and looks which there are. */
  async #takeOver(): Promise<void> {
    await this.refresh();
    for (const [key, failure] of await this.#claims.claimNeeded())
      if (failure) this.log.error(`${key} cannot be opened: ${failure.message}`);
      else this.#worlds.find(key);
  }
}
