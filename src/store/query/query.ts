import type { Row } from '../row.ts';

export type Condition<R> = (row: R) => boolean;

/** What is asked of a table: filter and order. A page is taken of what is found. */
export interface Query<R extends Row> {
  /** The values that fields must have. */
  readonly where?: Readonly<Partial<R>>;
  /** The texts that fields must have, whatever the case of either. */
  readonly alike?: { readonly [F in keyof R]?: string | undefined };
  /** Only these rows, if the caller knows the few that can match. */
  readonly among?: readonly R[] | undefined;
  /** What else each row must meet. */
  readonly fits?: readonly Condition<R>[];
  /** What `fits` looks at: it meets all rows of one facet or none. */
  readonly facet?: ((row: R) => string) | undefined;
  /** Names `fits`, if the same filter is likely to be asked for again. */
  readonly named?: string | undefined;
  /** The field by which rows are sorted; by their creation if absent. */
  readonly order?: string & keyof R;
}
