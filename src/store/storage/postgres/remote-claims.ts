import type { RemoteClaim } from '../storage.ts';
import type { HolderRow } from './leases.ts';

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

/** The worlds that other emulators hold and can be reached there, as of the last look at the database. */
export class RemoteClaims {
  #claims = new Map<string, Remote>();

  get(key: string): RemoteClaim | undefined {
    const claim = this.#claims.get(key);
    return claim?.isOver ? undefined : claim;
  }

  /** Notes what the database says of one world. Undefined if its emulator cannot be reached. */
  note(row: HolderRow): RemoteClaim | undefined {
    const claim = this.#renewed(row);
    if (claim) this.#claims.set(row.key, claim);
    return claim;
  }

  /** Notes what it says of all worlds that others hold. */
  noteAll(rows: readonly HolderRow[]): void {
    const claims = rows.flatMap((row) => this.#renewed(row) ?? []);
    this.#claims = new Map(claims.map((claim) => [claim.key, claim]));
  }

  forget({ key }: Pick<RemoteClaim, 'key'>): void {
    this.#claims.delete(key);
  }

  #renewed({ key, holder, url, left }: HolderRow): Remote | undefined {
    if (url === null) return undefined;
    const known = this.#claims.get(key);
    const isSame = known?.holder === holder && known.url === url;
    return (isSame ? known : new Remote(key, holder, url)).renew(left);
  }
}
