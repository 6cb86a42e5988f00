import {
  assuming,
  call,
  expect,
  isOurs,
  type LooseParts,
  type OperationId,
  send,
  Untestable,
} from '../../kit/index.ts';

/** A page of a list with offset paging. */
export interface AnyPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total_count: number;
  readonly limit: number;
  readonly offset: number;
}

/** A list operation, with the path and filters that limit it to objects of a check. */
interface Confined {
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

/** The largest int64, which a JSON number in a program would round. */
export const LARGEST = '9223372036854775807';

interface Wanted {
  readonly items: readonly object[];
  readonly total: number;
}

/** Expects a page with these items, which names limit and offset as they were sent. */
export async function expectPage(
  { list, path, query }: Confined,
  page: { readonly limit: number; readonly offset: number | string },
  { items, total }: Wanted,
  caller: Pick<LooseParts, 'actingFor'> = {},
) {
  const parts = { ...(path && { path }), query: { ...query, ...page }, ...caller };
  const { status, body, text } = await send(list, parts);
  const asked = `${list} ${JSON.stringify(parts.query)}`;
  expect(status, `${asked}: status`).toBe(200);
  expect(body.items.map(keyOf), `${asked}: items`).toEqual(items.map((item) => keyOf({ ...item })));
  expect(body.items, `${asked}: items`).toEqual(items);
  expect(body.total_count, `${asked}: total_count`).toBe(total);
  expect(body.limit, `${asked}: limit`).toBe(page.limit);
  const offset = /"offset"\s*:\s*(\d+)\s*[,}]/.exec(text)?.[1];
  expect(offset, `${asked}: offset`).toBe(String(page.offset));
  return body;
}

/** The number of pages of two to read at each end of a long list. */
const REACH = 2;

/**
 * Compares pages with the whole list: pages of two, up to two at each end, the second item, a full last page, and what is
 * past the end. Returns the whole list.
 *
 * @param wanted the keys of all its items, if known
 * @throws Untestable if the list has fewer than two items
 */
export async function walk(confined: Confined, wanted?: readonly string[]): Promise<AnyPage> {
  const whole = await pageOf(confined, { limit: 1000 });
  const { items, total_count: total, limit: _, offset: __, ...rest } = whole;
  const keys = items.map(keyOf);
  if (wanted) expect([...keys].sort(), confined.list).toEqual([...wanted].sort());
  if (total > 1000) return whole;
  if (total < 2) throw new Untestable(`needs two of ${confined.list}, and there is ${total}`);
  expect(keys, `${confined.list}: as many items as total_count`).toHaveLength(total);
  expect(new Set(keys).size, `${confined.list}: different items`).toBe(total);
  const expectAt = async (limit: number, offset: number | string) => {
    const from = Math.min(Number(offset), total);
    const page = { items: items.slice(from, from + limit), total };
    expect(await expectPage(confined, { limit, offset }, page)).toMatchObject(rest);
  };
  const evens = Array.from({ length: Math.ceil(total / 2) }, (_, index) => index * 2);
  const atEnds = [...evens.slice(0, REACH), ...evens.slice(REACH).slice(-REACH)];
  for (const offset of atEnds) await expectAt(2, offset);
  for (const offset of [1, total]) await expectAt(1, offset);
  const full = smallestDivisor(total);
  await expectAt(full, total - full);
  await assuming('A-305', () => expectAt(1000, LARGEST));
  return whole;
}

/** The smallest divisor of a size from 3 on. */
function smallestDivisor(size: number): number {
  for (let divisor = 3; divisor < size; divisor += 1) if (size % divisor === 0) return divisor;
  return size;
}

/** A filter: its query, and the names of the rows that match. */
export interface Filter {
  readonly query: Readonly<Record<string, unknown>>;
  readonly fits: readonly string[];
  /** Whether objects of others can match too, so that the count is unknown. */
  readonly isShared?: boolean;
}

/** Whether a query limits a list to a period that ends before it starts, which the service rejects. */
const endsBeforeItStarts = (query: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(query).some(
    ([name, from]) =>
      name.endsWith('_from') && String(from) > String(query[name.replace('_from', '_to')] ?? '~'),
  );

/** For each two parameters, two of their filters: if possible, such that fewer rows match both than either. */
function pairsOf(filters: readonly Filter[]): readonly Filter[] {
  const pairs = new Map<string, Filter & { readonly isTelling: boolean }>();
  for (const [index, one] of filters.entries())
    for (const other of filters.slice(index + 1)) {
      const query = { ...one.query, ...other.query };
      const names = Object.keys(query).join();
      // Other checks test periods that end before they start.
      if (Object.keys(query).length < 2 || endsBeforeItStarts(query)) continue;
      const fits = one.fits.filter((name) => other.fits.includes(name));
      const isTelling = fits.length < Math.min(one.fits.length, other.fits.length);
      const isShared = (one.isShared ?? false) && (other.isShared ?? false);
      if (!pairs.has(names) || (isTelling && !pairs.get(names)?.isTelling))
        pairs.set(names, { query, fits, isShared, isTelling });
    }
  return [...pairs.values()];
}

/** The parameter of a filter. */
const nameOf = ({ query }: Filter): string => Object.keys(query).join();

/** What a filter limits: its parameter, or the period of which that is a bound. */
const limitedBy = (filter: Filter): string => nameOf(filter).replace(/_(from|to)$/, '');

/**
 * All parameters together: by their first filters that find a row, and in turn one of them by a filter that does not.
 */
function allFinding(row: string, filters: readonly Filter[]): readonly Filter[] {
  const isOf = ({ fits }: Filter) => fits.includes(row);
  const firstOfEach = (some: readonly Filter[]) =>
    some.filter((one) => some.find((each) => nameOf(each) === nameOf(one)) === one);
  const finding = firstOfEach(filters.filter(isOf));
  const missing = firstOfEach(filters.filter((one) => !isOf(one)));
  const others = missing.map((miss) => [
    miss,
    ...finding.filter((one) => limitedBy(one) !== limitedBy(miss)),
  ]);
  return [finding, ...others]
    .map((together) => ({
      query: Object.assign({}, ...together.map(({ query }) => query)),
      fits:
        together[0]?.fits.filter((name) => together.every(({ fits }) => fits.includes(name))) ?? [],
      isShared: together.every(({ isShared = false }) => isShared),
    }))
    .filter(({ query }) => !endsBeforeItStarts(query));
}

/**
 * Tests each filter alone: the matching rows, their count, and the second page with limit 1.
 *
 * @param ids what each row's key is in the list, the last of the list first
 */
export async function tryFilters(
  confined: Confined,
  ids: Readonly<Record<string, string>>,
  filters: readonly Filter[],
): Promise<void> {
  for (const filter of filters) {
    const { items, total_count } = await tryFilter(confined, ids, filter);
    // Others can come and go meanwhile, unless the target is the run's own.
    if ((filter.isShared && !isOurs()) || total_count < 2) continue;
    const page = { items: items.slice(1, 2), total: total_count };
    const query = { ...confined.query, ...filter.query };
    await expectPage({ ...confined, query }, { limit: 1, offset: 1 }, page);
  }
}

/**
 * Tests each two parameters of filters together, and all that find one row, which each in turn then does not: the
 * matching rows and their count.
 */
export async function tryPairs(
  confined: Confined,
  ids: Readonly<Record<string, string>>,
  filters: readonly Filter[],
  row: string,
): Promise<void> {
  for (const several of [...pairsOf(filters), ...allFinding(row, filters)])
    await tryFilter(confined, ids, several);
}

async function tryFilter(
  confined: Confined,
  ids: Readonly<Record<string, string>>,
  { query, fits, isShared }: Filter,
): Promise<AnyPage> {
  const own = new Set(Object.values(ids));
  const page = await pageOf(confined, { ...query, limit: 1000 });
  const found = page.items.map(keyOf).filter((key) => !isShared || own.has(key));
  const asked = `${confined.list} ${JSON.stringify(query)}`;

  const wanted = fits.map((name) => ids[name]);
  // If others fill more than a page, our rows can be on a later page. Then only a surplus row is an error.
  if (page.total_count > 1000) expect(wanted, asked).toEqual(expect.arrayContaining(found));
  else {
    expect([...found].sort(), asked).toEqual([...wanted].sort());
    const inOrder = Object.values(ids).filter((id) => wanted.includes(id));
    await assuming('A-305', async () =>
      expect(found, `${asked}: order`).toEqual(inOrder.reverse()),
    );
  }
  if (!isShared) expect(page.total_count, `${asked}: total_count`).toBe(fits.length);
  return page;
}
