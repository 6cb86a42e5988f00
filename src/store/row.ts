import type { Instant } from '../domain/instant.ts';

/** What every record has: its key, and its place in the order of creation. */
export interface Row {
  readonly id: string;
  readonly seq: number;
}

/** One changed row: absent before it was created, absent after it was removed. */
export interface Change<R extends Row = Row> {
  readonly table: string;
  readonly id: string;
  readonly before: R | undefined;
  readonly after: R | undefined;
}

/** One change for each row, from its first state to its last; none for a row that is added and removed again. */
export function mergeChanges(changes: readonly Change[]): readonly Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const name = `${change.table}\n${change.id}`;
    merged.set(name, { ...change, before: (merged.get(name) ?? change).before });
  }
  return [...merged.values()].filter(({ before, after }) => before !== after);
}

/**
 * A record of its `owner`, the platform's account or one connected account. Fields have the names of the wire; decimals are
 * plain text.
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
