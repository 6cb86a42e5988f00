import { bisect } from '../../domain/collections.ts';
import type { Row } from '../row.ts';

/** Random access to rows by their position, from 0. */
export interface Places<R> {
  readonly length: number;
  at(place: number): R | undefined;
}

export type Compare<R> = (left: R, right: R) => number;

/** Compares rows by a text, if one is given, then by their creation. */
export function compareBy<R extends Row>(order?: (row: R) => string) {
  if (!order) return (left: R, right: R): number => left.seq - right.seq;
  return (left: R, right: R): number => {
    const [a, b] = [order(left), order(right)];
    return a === b ? left.seq - right.seq : a < b ? -1 : 1;
  };
}

export interface OrderedRows<R> extends Places<R>, Iterable<R> {
  /** Up to `count` rows from a position on. */
  page(from: number, count: number): R[];
  /** How many rows at the start meet a condition that no later row meets. */
  countWhile(isBefore: (row: R) => boolean): number;
}

/** Rows per block: in longer ones, moving rows would cost more than finding them. */
const MAX_BLOCK = 1_024;

/** Sorted rows in blocks, so that adding or removing one moves few others, however many there are. */
export class SortedRows<R> implements OrderedRows<R> {
  #blocks: R[][] = [];
  #length = 0;

  constructor(private readonly compare: Compare<R>) {}

  get length(): number {
    return this.#length;
  }

  /** Walks the blocks from the nearer end. */
  at(place: number): R | undefined {
    if (place < 0 || place >= this.#length) return undefined;
    const blocks = this.#blocks;
    if (place < this.#length / 2) {
      let [index, start] = [0, 0];
      for (; start + (blocks[index] as R[]).length <= place; index += 1)
        start += (blocks[index] as R[]).length;
      return (blocks[index] as R[])[place - start];
    }
    let [index, start] = [blocks.length - 1, this.#length - (blocks.at(-1) as R[]).length];
    for (; start > place; start -= (blocks[index] as R[]).length) index -= 1;
    return (blocks[index] as R[])[place - start];
  }

  page(from: number, count: number): R[] {
    const length = Math.max(0, Math.min(count, this.length - from));
    return Array.from({ length }, (_, place) => this.at(from + place) as R);
  }

  *[Symbol.iterator](): Generator<R, undefined> {
    for (const block of this.#blocks) yield* block;
  }

  countWhile(isBefore: (row: R) => boolean): number {
    const index = bisect(this.#blocks, (block) => isBefore(block.at(-1) as R));
    let count = 0;
    for (let place = 0; place < index; place += 1) count += (this.#blocks[place] as R[]).length;
    return count + bisect(this.#blocks[index] ?? [], isBefore);
  }

  add(row: R): void {
    this.#length += 1;
    const last = this.#blocks.length - 1;
    const index = Math.min(this.#blockOf(row), last);
    const block = this.#blocks[index];
    const place = block ? this.#placeIn(block, row) : 0;
    if (block && block.length < MAX_BLOCK) block.splice(place, 0, row);
    else if (!block || (index === last && place === MAX_BLOCK)) this.#blocks.push([row]);
    else {
      const half = MAX_BLOCK / 2;
      this.#blocks.splice(index + 1, 0, block.splice(half));
      const target = place <= half ? block : (this.#blocks[index + 1] as R[]);
      target.splice(place <= half ? place : place - half, 0, row);
    }
  }

  remove(row: R): void {
    const index = this.#blockOf(row);
    const block = this.#blocks[index] as R[];
    block.splice(this.#placeIn(block, row), 1);
    if (block.length === 0) this.#blocks.splice(index, 1);
    this.#length -= 1;
  }

  /** Replaces the row that compares equal. */
  replace(row: R): void {
    const block = this.#blocks[this.#blockOf(row)] as R[];
    block[this.#placeIn(block, row)] = row;
  }

  has(row: R): boolean {
    const block = this.#blocks[this.#blockOf(row)];
    return block !== undefined && block[this.#placeIn(block, row)] === row;
  }

  /** The index of the first block whose last row is not before the given one. */
  #blockOf(row: R): number {
    return bisect(this.#blocks, (block) => this.compare(block.at(-1) as R, row) < 0);
  }

  #placeIn(block: readonly R[], row: R): number {
    return bisect(block, (each) => this.compare(each, row) < 0);
  }
}

/** The rows at the start of a list that are not taken yet. */
interface Rest<R> {
  readonly rows: Places<R>;
  length: number;
}

/**
 * A page of several sorted lists merged into one, in descending order. It takes time proportional to the number of lists
 * and of rows in the page, and to the logarithm of the offset.
 */
export function lastOfAll<R>(
  lists: readonly Places<R>[],
  compare: Compare<R>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): R[] {
  let rests = lists.map((rows): Rest<R> => ({ rows, length: rows.length }));
  for (let left = offset; left > 0; ) {
    rests = rests.filter(({ length }) => length > 0);
    if (rests.length === 0) return [];
    left -= leaveOut(rests, compare, left);
  }
  const found: R[] = [];
  // Cached, as the last row of most lists stays the same while those of others are taken.
  const lasts = rests.map(lastOf);
  while (found.length < limit) {
    const place = placeOfLatest(lasts, compare);
    const rest = rests[place];
    if (!rest) break;
    found.push(lasts[place] as R);
    rest.length -= 1;
    lasts[place] = lastOf(rest);
  }
  return found;
}

const lastOf = <R>({ rows, length }: Rest<R>): R | undefined =>
  length > 0 ? rows.at(length - 1) : undefined;

/**
 * Skips rows that are surely among the last `count`. Of the rows at `step` from the end of each list, take the last one:
 * fewer than `count` rows of all lists come after it, so it and its successors in its list can be skipped.
 */
function leaveOut<R>(rests: readonly Rest<R>[], compare: Compare<R>, count: number): number {
  const step = Math.max(1, Math.floor(count / rests.length));
  const rows = rests.map(({ rows, length }) => rows.at(Math.max(0, length - step)));
  const rest = rests[placeOfLatest(rows, compare)] as Rest<R>;
  const gone = Math.min(step, rest.length);
  rest.length -= gone;
  return gone;
}

/** The position of the row that comes last; -1 without any. */
function placeOfLatest<R>(rows: readonly (R | undefined)[], compare: Compare<R>): number {
  let found = -1;
  let last: R | undefined;
  rows.forEach((row, place) => {
    if (row === undefined || (last !== undefined && compare(row, last) < 0)) return;
    [found, last] = [place, row];
  });
  return found;
}
