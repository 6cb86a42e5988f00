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
    this.directory.forget(claim);
  }

  refresh(): Promise<void> {
    return this.#asking(this.own.look());
  }

  worldNamed(name: PublicName): Promise<string | undefined> {
    return this.#asking(findWorldNamed(this.database, name));
  }

  describe(keys: readonly string[]): Promise<readonly KeptWorld[]> {
    return this.#asking(describeWorlds(this.database, keys));
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

/** Conditions for which the schema has an index each. */
const HAS_NAME = {
  page: "r.kind = 'links' AND r.key = $1",
  inbox: `r.kind = 'webhooks' AND substring(r.row->>'url' FROM '/_emulator/inbox/([^/?#]+)') = $1`,
};

/** The key of the world of a name, the first of several. */
async function findWorldNamed(
  database: Database,
  { of, name }: PublicName,
): Promise<string | undefined> {
  const [row] = await database.run<{ key: string }>(
    `SELECT w.key FROM $records r JOIN $worlds w ON w.key = r.world AND w.generation = r.generation
     WHERE ${HAS_NAME[of]} ORDER BY w.key LIMIT 1`,
    [name],
  );
  return row?.key;
}

/** What worlds hold, as they were last written. */
async function describeWorlds(
  database: Database,
  keys: readonly string[],
): Promise<readonly KeptWorld[]> {
  const rows = await database.run<Omit<KeptWorld, 'requests'> & { requests: string }>(
    `SELECT w.key, w.requests, w.clock, coalesce(json_object_agg(c.kind, c.count ORDER BY c.kind)
       FILTER (WHERE c.kind IS NOT NULL), '{}') AS records
     FROM $worlds w LEFT JOIN LATERAL (
       SELECT r.kind, count(*) FROM $records r
       WHERE r.world = w.key AND r.generation = w.generation GROUP BY r.kind
     ) c ON true
     WHERE w.key = ANY ($1) GROUP BY w.key`,
    [keys],
  );
  return rows.map((row) => ({ ...row, requests: Number(row.requests) }));
}
