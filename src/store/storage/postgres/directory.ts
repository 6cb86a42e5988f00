import { type MadeSandbox, parseKey } from '../../worlds.ts';
import { NotKept } from '../data-error.ts';
import type { KeptWorld, PublicName, RemoteClaim, WorldChange } from '../storage.ts';
import { type Database, saying } from './database.ts';
import { HOLDER_COLUMNS, type HolderRow } from './leases.ts';

/** All worlds of a database, and which other emulators hold, as of the last look at it. */
export class Directory {
  #worlds = new Map<string, MadeSandbox | undefined>();
  /** Those that can be reached where they are held. */
  #remote = new Map<string, Remote>();

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

  /** Where another emulator holds a world; undefined if none does, or cannot be reached. */
  remoteOf(key: string): RemoteClaim | undefined {
    const claim = this.#remote.get(key);
    return claim?.isOver ? undefined : claim;
  }

  /**
   * Looks at the database. Of worlds that are held here, what was noted is newer than what the database has.
   *
   * @throws NotKept if the database does not respond
   */
  async look(holder: string, isHeld: (key: string) => boolean): Promise<void> {
    const rows = await this.#ask<
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
    const held = rows.filter((row) => row.left > 0 && row.holder !== holder);
    const claims = held.flatMap((row) => this.#renewed(row) ?? []);
    this.#remote = new Map(claims.map((claim) => [claim.key, claim]));
  }

  note(key: string, { kind }: WorldChange, made: MadeSandbox | undefined): void {
    if (kind === 'state') this.#worlds.set(key, made);
    if (kind === 'closed') this.#worlds.delete(key);
  }

  /** Notes which emulator holds a world. Undefined if that one cannot be reached. */
  noteHolder(row: HolderRow): RemoteClaim | undefined {
    const claim = this.#renewed(row);
    if (claim) this.#remote.set(row.key, claim);
    return claim;
  }

  /** Forgets where a world is held. */
  forget({ key }: Pick<RemoteClaim, 'key'>): void {
    this.#remote.delete(key);
  }

  /** The key of the world of a name, the first of several; undefined if there is none. @throws NotKept */
  async worldNamed({ of, name }: PublicName): Promise<string | undefined> {
    const [row] = await this.#ask<{ key: string }>(
      `SELECT w.key FROM $records r JOIN $worlds w ON w.key = r.world AND w.generation = r.generation
       WHERE ${HAS_NAME[of]} ORDER BY w.key LIMIT 1`,
      [name],
    );
    return row?.key;
  }

  /** What worlds hold, as they were last written. @throws NotKept */
  async describe(keys: readonly string[]): Promise<readonly KeptWorld[]> {
    const rows = await this.#ask<Omit<KeptWorld, 'requests'> & { requests: string }>(
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

  async #ask<R extends object>(statement: string, values: readonly unknown[] = []): Promise<R[]> {
    try {
      return await this.database.run<R>(statement, values);
    } catch (error) {
      throw new NotKept(saying(this.database, error).message);
    }
  }

  #renewed({ key, holder, url, left }: HolderRow): Remote | undefined {
    if (url === null) return undefined;
    const known = this.#remote.get(key);
    const isSame = known?.holder === holder && known.url === url;
    return (isSame ? known : new Remote(key, holder, url)).renew(left);
  }
}

/** Conditions for which the schema has an index each. */
const HAS_NAME = {
  page: "r.kind = 'links' AND r.key = $1",
  inbox: `r.kind = 'webhooks' AND substring(r.row->>'url' FROM '/_emulator/inbox/([^/?#]+)') = $1`,
};

class Remote implements RemoteClaim {
  #until = 0;

  constructor(
    readonly key: string,
    readonly holder: string,
    readonly url: string,
  ) {}

  renew(leftMs: number): this {
    this.#until = performance.now() + leftMs;
    return this;
  }

  get isOver(): boolean {
    return performance.now() > this.#until;
  }
}
