import { type MadeSandbox, parseKey } from '../../worlds.ts';
import type { RemoteClaim, WorldChange } from '../storage.ts';
import type { Database } from './database.ts';
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

  /** Looks at the database. Of worlds that are held here, what was noted is newer than what the database has. */
  async look(holder: string, isHeld: (key: string) => boolean): Promise<void> {
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

  #renewed({ key, holder, url, left }: HolderRow): Remote | undefined {
    if (url === null) return undefined;
    const known = this.#remote.get(key);
    const isSame = known?.holder === holder && known.url === url;
    return (isSame ? known : new Remote(key, holder, url)).renew(left);
  }
}

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
