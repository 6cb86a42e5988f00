import { call, expect, type OperationId, TooFew } from '../../kit/index.ts';

/** A page of any list that pages by offset. */
export interface AnyPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total_count: number;
  readonly limit: number;
  readonly offset: number;
}

/** A list, and what confines it to what a check has made. */
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

/** What tells the items of a list apart. */
export function keyOf(item: Readonly<Record<string, unknown>>): string {
  const { id, customer_id, code, version, is_default } = item;
  const key = String(id ?? customer_id ?? code);
  return is_default === undefined ? key : `${key}@${version}`;
}

/** The most items of a long list that are walked at either of its ends. */
const REACH = 6;

/** Where the pages of a walk begin: all of them, or those at both ends of a long list, and the one past it. */
function offsetsOf(total: number, limit: number): readonly number[] {
  const all = Array.from({ length: Math.floor(total / limit) + 1 }, (_, count) => count * limit);
  return all.length <= 2 * REACH ? all : [...all.slice(0, REACH), ...all.slice(-REACH)];
}

/**
 * Walks a list to its end with limit 1, 2 and a divisor of its size, so that the last page is a full one too, and
 * compares each page with the whole.
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

/** The smallest divisor of a size beyond 2, which the walk takes anyway. */
function smallestDivisor(size: number): number {
  for (let divisor = 3; divisor < size; divisor += 1) if (size % divisor === 0) return divisor;
  return Math.max(size, 1);
}

/** One filter: what is asked, and the names of the rows that fit it. */
export interface Filter {
  readonly query: Readonly<Record<string, unknown>>;
  readonly fits: readonly string[];
  /** Set where others may fit it as well, so that nothing can be said of how many there are. */
  readonly isShared?: boolean;
}

/**
 * Tries each filter by itself, and with each of the others that asks for something else: the rows that fit, their
 * count, and the second page of one row each.
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
      if (endsBeforeItStarts(query)) continue;
      await tryFilter(confined, ids, {
        query,
        fits: one.fits.filter((name) => other.fits.includes(name)),
        isShared: (one.isShared ?? false) && (other.isShared ?? false),
      });
    }
  }
}

/** Whether a period of days is turned round, which is a matter of its own. */
function endsBeforeItStarts(query: Filter['query']): boolean {
  return Object.entries(query).some(
    ([name, from]) =>
      name.endsWith('_from') && String(from) > String(query[name.replace('_from', '_to')] ?? '~'),
  );
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
  // Among more than a page of others the own may stand further back; then only what is too much shows.
  if (page.total_count > 1000) expect(wanted, asked).toEqual(expect.arrayContaining(found));
  else expect([...found].sort(), asked).toEqual([...wanted].sort());
  if (isShared) return;
  expect(page.total_count, asked).toBe(fits.length);
  if (fits.length < 2) return;
  const second = await pageOf(confined, { ...query, limit: 1, offset: 1 });
  expect(second.items, asked).toEqual([page.items[1]]);
  expect(second.total_count, asked).toBe(fits.length);
}
