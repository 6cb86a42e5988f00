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
