/** The short form of a table that a command tries as a whole: one row of each `size` neighbours, always the same. */
export function sampled<Row>(rows: readonly Row[], size: number): readonly Row[] {
  return rows.filter((_, place) => place % size === pick(Math.floor(place / size), size));
}

/** Which of a group of neighbours is taken: scattered, so that tables in groups of one length lose no column. */
function pick(group: number, size: number): number {
  return (Math.imul(group + 1, 0x9e3779b1) >>> 16) % size;
}
