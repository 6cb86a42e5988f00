/** The short form of a table: one row of each `size` consecutive rows, always the same ones. */
export const sampled = <Row>(rows: readonly Row[], size: number): readonly Row[] =>
  rows.filter((_, place) => place % size === pick(Math.floor(place / size), size));

/** The position to take within a group. It varies, so that tables with a repeating pattern lose no column. */
const pick = (group: number, size: number): number =>
  (Math.imul(group + 1, 0x9e3779b1) >>> 16) % size;
