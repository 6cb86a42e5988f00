import { type MadeSandbox, parseKey } from '../../worlds.ts';
import type { KeptWorld, PublicName, WorldChange } from '../storage.ts';
import type { Database } from './database.ts';
import { HOLDER_COLUMNS, type HolderRow } from './leases.ts';

/** All worlds of a database, as of the last look at it. */
export class Directory {
  #worlds = new Map<string, MadeSandbox | undefined>();

  constructor(private readonly database: Database) {}

  get keys(): readonly string[] {
    return [...this.#worlds.keys()];
  }

  /** The sandboxes that were made by request. */
  get made(): ReadonlyMap<string, MadeSandbox> {
    const made = new Map<string, MadeSandbox>();
    for (const [key, each] of this.#worlds) {
      const { sandbox } = parseKey(key) ?? {};
      if (each && sandbox) made.set(sandbox, each);
    }
    return made;
  }

  /**
   * Looks which worlds there are, and which other emulators hold. Of those that are held here, what was noted is newer than
   * what the database has.
   */
  async read(holder: string, isHeld: (key: string) => boolean): Promise<readonly HolderRow[]> {
    const rows = await this.database.run<
      HolderRow & { readonly made: MadeSandbox | null; readonly is_there: boolean }
    >(
      `SELECT ${HOLDER_COLUMNS}, made, generation IS NOT NULL AS is_there FROM $worlds
       WHERE generation IS NOT NULL OR lease > now() ORDER BY key`,
    );
    const others = rows.filter(({ key, is_there }) => is_there && !isHeld(key));
    this.#worlds = new Map([
      ...[...this.#worlds].filter(([key]) => isHeld(key)),
      ...others.map(({ key, made }) => [key, made ?? undefined] as const),
    ]);
    return rows.filter((row) => row.left > 0 && row.holder !== holder);
  }

  note(key: string, { kind }: WorldChange, made: MadeSandbox | undefined): void {
    if (kind === 'state') this.#worlds.set(key, made);
    if (kind === 'closed') this.#worlds.delete(key);
  }

  /** The key of the world of a name, the first of several. */
  worldNamed(name: PublicName): Promise<string | undefined> {
    return findWorldNamed(this.database, name);
  }

  describe(keys: readonly string[]): Promise<readonly KeptWorld[]> {
    return describeWorlds(this.database, keys);
  }
}

/** Conditions for which the schema has an index each. */
const HAS_NAME = {
  page: "r.kind = 'links' AND r.key = $1",
  inbox: `r.kind = 'webhooks' AND substring(r.row->>'url' FROM '/_emulator/inbox/([^/?#]+)') = $1`,
};

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
