import { array, assert, boolean, constantFrom, integer, nat, property, record } from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { add, compare, type Decimal, decimal, format, ZERO } from '../domain/decimal.ts';
import type { Instant } from '../domain/instant.ts';
import type { Ranking } from './indexes/row-index.ts';
import { compareBy, lastOfAll } from './indexes/sorted-rows.ts';
import { rowsOf } from './query.ts';
import type { Change, Row } from './row.ts';
import { Table } from './table.ts';
import { runToCompletion } from './time-sliced.ts';

interface Sale extends Row {
  readonly shop: string | undefined;
  readonly kind: string;
  readonly at: string;
  readonly amount: string;
}

const shopOf = ({ shop }: Sale) => shop;
const timeOf = ({ at }: Sale) => at;
const takings = ({ sums }: Ranking): Decimal => sums.get('amount') ?? ZERO;
const compareText = (left: string, right: string) => Number(left > right) - Number(left < right);

const INDEXES = {
  due: { due: { sale: (row: Sale) => (row.kind === 'loan' ? undefined : (row.at as Instant)) } },
  shop: { key: shopOf },
  time: { key: shopOf, order: timeOf },
  all: { fields: [], key: () => 'all' },
};
/** Indexes on demand, of each kind. */
const LATE = { name: 'late', index: { key: shopOf } };
const KINDS = {
  name: 'kinds',
  index: { key: shopOf, group: ({ kind }: Sale) => kind, order: timeOf },
};
const TAKINGS = {
  name: 'takings',
  index: {
    key: shopOf,
    amounts: ({ amount }: Sale) => [['amount', decimal(amount)]] as const,
    compare: (left: Ranking, right: Ranking) =>
      compare(takings(right), takings(left)) || compareText(left.key, right.key),
  },
};

const SHOPS = ['north', 'south'];
const byTime = compareBy(timeOf);
const aTable = (onChange: (change: Change) => void = () => {}) =>
  new Table<Sale, keyof typeof INDEXES>('sales', INDEXES, onChange);
const sale = (number: number, shop: string | undefined, rest: Partial<Sale> = {}): Sale => ({
  id: `s${number}`,
  seq: number,
  shop,
  kind: 'cash',
  at: '2026-01-01',
  amount: '1',
  ...rest,
});
const noop = () => {};

let changes: Change[];
let table: ReturnType<typeof aTable>;

beforeEach(() => {
  changes = [];
  table = aTable((change) => changes.push(change));
});

describe('Table', () => {
  it('captures the same list until a row is added, replaced or removed', () => {
    const [one, two] = [sale(1, 'north'), sale(2, 'south')];
    for (const _ of table.fill([one, two])) expect(changes).toEqual([]);
    const both = table.capture();
    expect(table.capture()).toBe(both);

    table.put({ ...one, kind: 'changed' });
    table.remove('s2');
    expect(table.capture()).toEqual([{ ...one, kind: 'changed' }]);
    table.set('s1', undefined);
    expect(table.capture()).toEqual([]);
    expect(both).toEqual([one, two]);
  });

  it('notifies of each change with the row before and after, but not if a removed row is missing', () => {
    const first = table.put(sale(1, 'north'));
    const second = table.put(sale(1, 'south'));
    table.remove('s1');
    table.remove('s1');

    const common = { table: 'sales', id: 's1' };
    expect(changes).toEqual([
      { ...common, before: undefined, after: first },
      { ...common, before: first, after: second },
      { ...common, before: second, after: undefined },
    ]);
  });

  it('has its previous rows and indexes again when its changes are undone, newest first', () => {
    table.put(sale(1, 'north', { at: 'a' }));
    table.put(sale(2, 'north', { at: 'b' }));
    const inNorth = () => [[...table.list('shop', 'north')], [...table.sorted('time', 'north')]];
    const before = inNorth();
    changes = [];

    table.put(sale(1, 'south', { at: 'z' }));
    table.put(sale(3, 'north', { at: 'c' }));
    table.remove('s2');
    table.put(sale(1, 'north', { at: 'y' }));
    for (const change of changes.reverse()) table.set(change.id, change.before as Sale | undefined);

    expect(inNorth()).toEqual(before);
    expect(table.list('shop', 'south')).toEqual([]);
    expect(table.size).toBe(2);
  });
});

const write = record({
  number: integer({ min: 1, max: 12 }),
  shop: constantFrom(...SHOPS, undefined),
  kind: constantFrom('cash', 'card', 'loan'),
  at: constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
  amount: constantFrom('0', '0.1', '2', '-3.05'),
  isRemoved: boolean(),
});

/** A table after writes, made in turns with the building of its indexes, and the rows that it must contain. */
function played(
  turns: readonly (readonly (Omit<Sale, 'id' | 'seq'> & {
    number: number;
    isRemoved: boolean;
  })[])[],
) {
  const table = aTable();
  const model = new Map<string, Sale>();
  for (const number of [1, 2, 3, 4]) model.set(`s${number}`, table.put(sale(number, 'north')));
  const building = [
    table.onDemand(LATE, noop),
    table.onDemand(KINDS, noop),
    table.onDemand(TAKINGS, noop),
  ];
  for (const turn of turns) {
    for (const { number, isRemoved, ...rest } of turn) {
      const row = sale(number, rest.shop, rest);
      model.delete(row.id);
      if (isRemoved) table.remove(row.id);
      else model.set(row.id, table.put(row));
    }
    for (const work of building) work.next();
  }
  for (const work of building) runToCompletion(work);
  return { table, rows: [...model.values()].sort((left, right) => left.seq - right.seq) };
}

describe('the indexes of a table', () => {
  it('agree with all rows filtered, sorted, grouped and summed, whatever is written while they are built', () => {
    const turns = array(array(write, { maxLength: 4 }), { maxLength: 14 });
    assert(
      property(turns, nat(12), nat(12), (writes, offset, limit) => {
        const { table, rows } = played(writes);
        expect(new Set(table.values())).toEqual(new Set(rows));
        expect(table.size).toBe(rows.length);
        for (const row of rows) expect(table.get(row.id)).toBe(row);
        expect(rowsOf(table)).toEqual(rows);
        const due = rows.filter(({ kind }) => kind !== 'loan').sort(byTime);
        expect([...table.due('sale').rows]).toEqual(due);
        expect(table.list('shop', 'undefined')).toEqual([]);
        for (const shop of SHOPS) {
          const own = rows.filter((row) => row.shop === shop);
          expect(table.list('shop', shop)).toEqual(own);
          expect(runToCompletion(table.onDemand(LATE, (kept) => kept.list(shop)))).toEqual(own);
          own.sort(byTime);
          expect([...table.sorted('time', shop)]).toEqual(own);
          const groups = runToCompletion(table.onDemand(KINDS, (kept) => kept.under(shop)));
          expect(groups.flatMap((group) => [...group]).sort(byTime)).toEqual(own);
          for (const group of groups)
            expect([...group]).toEqual(own.filter(({ kind }) => kind === group.at(0)?.kind));
          const page = lastOfAll(groups, byTime, { offset, limit });
          expect(page).toEqual(own.toReversed().slice(offset, offset + limit));
        }
        expectRanked(table, rows);
        expect(runToCompletion(table.staleIndexes())).toEqual([]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('are named by staleIndexes() when a row was mutated in place', () => {
    const row = table.put(sale(1, 'north'));
    runToCompletion(table.onDemand(KINDS, noop));
    runToCompletion(table.onDemand(TAKINGS, noop));
    (row as { kind: string }).kind = 'card';
    expect(runToCompletion(table.staleIndexes())).toEqual(['kinds']);
    (row as { shop: string }).shop = 'south';
    expect(runToCompletion(table.staleIndexes()).sort()).toEqual([
      ...['kinds', 'shop', 'takings', 'time'],
    ]);
  });

  it('on demand are built again when the table takes other contents meanwhile, and dropped when it does so later', () => {
    const other = aTable();
    for (const number of [1, 2]) table.put(sale(number, 'north'));
    other.put(sale(3, 'north'));
    runToCompletion(other.onDemand(LATE, noop));
    const building = table.onDemand(LATE, (kept) => kept.list('north'));
    building.next();
    table.swap(other);
    other.put(sale(4, 'north'));

    expect(other.list('shop', 'north').map(({ id }) => id)).toEqual(['s1', 's2', 's4']);
    expect([table, other].map(({ indexes }) => indexes)).toEqual(
      Array(2).fill(Object.keys(INDEXES)),
    );
    expect(runToCompletion(building).map(({ id }) => id)).toEqual(['s3']);
  });

  it('on demand are dropped as the least recently used of more than eight, even while they are verified', () => {
    const ask = (name: string) => runToCompletion(table.onDemand({ ...LATE, name }, noop));
    for (const number of [1, 2, 3]) table.put(sale(number, 'north'));
    ask('a');
    const staleIndexes = table.staleIndexes();
    staleIndexes.next();
    for (const name of ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'b', 'i', 'j']) ask(name);
    table.put(sale(2, 'south'));

    expect(table.indexes.filter((name) => !Object.hasOwn(INDEXES, name)).sort()).toEqual([
      ...['b', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
    ]);
    expect(runToCompletion(staleIndexes)).toEqual([]);
  });
});

function expectRanked(table: ReturnType<typeof aTable>, rows: readonly Sale[]): void {
  const sums = new Map<string, Decimal>();
  for (const { shop, amount } of rows)
    if (shop) sums.set(shop, add(sums.get(shop) ?? ZERO, decimal(amount)));
  const ranked = [...sums].sort(
    ([a, left], [b, right]) => compare(right, left) || compareText(a, b),
  );
  const { order, total } = runToCompletion(table.onDemand(TAKINGS, (kept) => kept));
  expect([...order].map((each) => [each.key, format(takings(each))])).toEqual(
    ranked.map(([key, amount]) => [key, format(amount)]),
  );
  expect(format(total.get('amount') ?? ZERO)).toBe(format([...sums.values()].reduce(add, ZERO)));
}
