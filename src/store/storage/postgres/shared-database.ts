import { machineTime } from '../../../config/machine-time.ts';
import { deriveToken } from '../../ids.ts';
import type { World } from '../../world.ts';
import { keyOf } from '../../worlds.ts';
import { NotKept } from '../data-error.ts';
import type { KeptWorld, PublicName, RemoteClaim, SharedWorlds } from '../storage.ts';
import type { Claims } from './claims.ts';
import { type Database, saying } from './database.ts';
import type { Directory } from './directory.ts';

/** What the storage of this emulator does with its own worlds. */
interface OwnWorlds {
  look(): Promise<void>;
  unload(world: World): void;
  values(): Iterable<World>;
}

/** The worlds of a database, wherever they are held. */
export class SharedDatabase implements SharedWorlds {
  readonly hopSecret: string;

  constructor(
    private readonly database: Database,
    secret: string,
    private readonly directory: Directory,
    private readonly claims: Claims,
    private readonly own: OwnWorlds,
  ) {
    this.hopSecret = deriveToken(secret, ['hop']);
  }

  prepare(key: string): Promise<RemoteClaim | undefined> | RemoteClaim | undefined {
    return this.claims.prepare(key);
  }

  forget(claim: RemoteClaim): void {
    this.claims.remote.forget(claim);
  }

  refresh(): Promise<void> {
    return this.#asking(this.own.look());
  }

  worldNamed(name: PublicName): Promise<string | undefined> {
    return this.#asking(this.directory.worldNamed(name));
  }

  describe(keys: readonly string[]): Promise<readonly KeptWorld[]> {
    return this.#asking(this.directory.describe(keys));
  }

  unload(world: World): void {
    this.own.unload(world);
  }

  async handOver(key: string): Promise<void> {
    const held = this.claims.held.get(key);
    await held?.kept();
    const world = [...this.own.values()].find((each) => keyOf(each) === key);
    if (world) this.unload(world);
    else if (held) {
      const { epoch, images } = held;
      // Nobody knows when something of a world is due that was not opened.
      const due = images.length > 0 ? machineTime() : undefined;
      void this.claims.giveBack([{ key, epoch, state: held.state(), due }]);
    }
    await this.claims.returned(key);
  }

  async #asking<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw new NotKept(saying(this.database, error).message);
    }
  }
}
