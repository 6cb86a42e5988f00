/** An entry, and where it was read. */
export interface DataStep {
  readonly value: unknown;
  readonly place?: string;
}

/** The whole data at one moment, as the entries that lead there from nothing. */
export interface DataSnapshot {
  /** The number of the journal that continues it. */
  readonly number: number;
  readonly schema_version: number;
  readonly steps: AsyncIterable<DataStep>;
}
