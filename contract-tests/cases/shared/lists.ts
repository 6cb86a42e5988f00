import { call, expect, type OperationId, TooFew } from '../../kit/index.ts';
import { endsBeforeItStarts } from '../../kit/periods.ts';

/** A page of a list with offset paging. */
export interface AnyPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total_count: number;
  readonly limit: number;
  readonly offset: number;
}

/** A list operation, with the path and filters that limit it to objects of a check. */
export interface Confined {
  readonly list: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

export async function pageOf({ list, path, query }: Confined, more: object = {}): Promise<AnyPage> {
  const whole = { ...query, ...more };
  const { body } = await call(list, { ...(path && { path }), query: whole }, [200]);
  return body as AnyPage;
}

/** The text that identifies an item in its list. */
export function keyOf(item: Readonly<Record<string, unknown>>): string {
  const { id, customer_id, code, version, is_default } = item;
  const key = String(id ?? customer_id ?? code);
  return is_default === undefined ? key : `${key}@${version}`;
}

/** The number of pages to read at each end of a long list. */
const REACH = 6;

/** The offsets of the pages to read: all pages, or only those at both ends of a long list. */
function offsetsOf(total: number, limit: number): readonly number[] {
  const all = Array.from({ length: Math.floor(total / limit) + 1 }, (_, count) => count * limit);
  return all.length <= 2 * REACH ? all : [...all.slice(0, REACH), ...all.slice(-REACH)];
}

/**
 * Reads a list page by page with limit 1, 2 and a divisor of its size, so that its last page is full, and compares
 * each page with the whole list.
 */
export async function walk(confined: Confined, wanted?: readonly string[]): Promise<void> {
  const whole = await pageOf(confined, { limit: 1000 });
  const total = whole.total_count;
  const keys = whole.items.map(keyOf);
  if (wanted) expect([...keys].sort()).toEqual([...wanted].sort());
  if (wanted) expect(total).toBe(wanted.length);
  if (total > 1000) return;
  if (total < 2) throw new TooFew(`needs two of ${confined.list}, and there is ${total}`);
  expect(keys).toHaveLength(total);
  expect(new Set(keys).size).toBe(total);
  for (const limit of new Set([1, 2, smallestDivisor(total)]))
    for (const offset of offsetsOf(total, limit)) {
      const page = await pageOf(confined, { limit, offset });
      expect(page).toEqual({
        ...whole,
        limit,
        offset,
        items: whole.items.slice(offset, offset + limit),
      });
    }
}

/** The smallest divisor of a size from 3 on; the walk always uses 1 and 2. */
function smallestDivisor(size: number): number {
  for (let divisor = 3; divisor < size; divisor += 1) if (size % divisor === 0) return divisor;
  return Math.max(size, 1);
}

/** A filter: its query, and the names of the rows that match. */
export interface Filter {
  readonly query: Readonly<Record<string, unknown>>;
  readonly fits: readonly string[];
  /** Whether objects of others can match too, so that the count is unknown. */
  readonly isShared?: boolean;
}

/**
 * Tests each filter alone and with each filter of another parameter: the matching rows, their count, and the second
 * page with limit 1.
 *
 * @param ids what each row's key is in the list
 */
export async function tryFilters(
  confined: Confined,
  ids: Readonly<Record<string, string>>,
  filters: readonly Filter[],
): Promise<void> {
  for (const [index, one] of filters.entries()) {
    await tryFilter(confined, ids, one);
    for (const other of filters.slice(index + 1)) {
      if (Object.keys(other.query).some((name) => name in one.query)) continue;
      const query = { ...one.query, ...other.query };
      // Other checks test such periods.
      if (endsBeforeItStarts(query)) continue;
      await tryFilter(confined, ids, {
        query,
        fits: one.fits.filter((name) => other.fits.includes(name)),
        isShared: (one.isShared ?? false) && (other.isShared ?? false),
      });
    }
  }
}

async function tryFilter(
  confined: Confined,
  ids: Readonly<Record<string, string>>,
  { query, fits, isShared }: Filter,
): Promise<void> {
  const own = new Set(Object.values(ids));
  const page = await pageOf(confined, { ...query, limit: 1000 });
  const found = page.items.map(keyOf).filter((key) => !isShared || own.has(key));
  const asked = JSON.stringify(query);

  const wanted = fits.map((name) => ids[name]);
  // If others fill more than a page, our rows can be on a later page. Then only a surplus row is an error.
  if (page.total_count > 1000) expect(wanted, asked).toEqual(expect.arrayContaining(found));
  else expect([...found].sort(), asked).toEqual([...wanted].sort());
  if (isShared) return;
  expect(page.total_count, asked).toBe(fits.length);
  if (fits.length < 2) return;
  const second = await pageOf(confined, { ...query, limit: 1, offset: 1 });
  expect(second.items, asked).toEqual([page.items[1]]);
  expect(second.total_count, asked).toBe(fits.length);
}
