import type { Instant } from '../../domain/instant.ts';
import type { Row } from '../row.ts';

/**
 * One interface per thing kept. Names are those of the wire; decimals are plain text. A record belongs to
 * its `owner`, the platform's account or one connected account.
 */
export interface Owned extends Row {
  readonly owner: string;
  readonly created_at: Instant;
}

/** A record while it is made. */
export type Draft<R> = { -readonly [N in keyof R]: R[N] };

export type Metadata = Readonly<Record<string, string>>;

/** Keyed by owner and kind: how many ids of that kind were given. */
export interface OrdinalRow extends Row {
  readonly last: number;
}
