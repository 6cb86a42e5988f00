import { array, assert, boolean, constantFrom, integer, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, type Decimal, decimal, format, ZERO } from '../../domain/decimal.ts';
import { instant } from '../../domain/instant.ts';
import { rowsOf } from '../query.ts';
import type { Row } from '../row.ts';
import { Table } from '../table.ts';
import { runToCompletion } from '../time-sliced.ts';
import type { Ranking, RankingIndex } from './row-index.ts';
import type { RowRankings } from './row-rankings.ts';
import { compareBy, lastOfAll, SortedRows } from './sorted-rows.ts';

interface Sale extends Row {
  readonly shop: string | undefined;
  readonly kind: string;
  readonly at: string;
  readonly amount: string;
}

const INDEXES = {
  due: { due: { sale: (row: Sale) => (row.kind === 'loan' ? undefined : instant(row.at)) } },
  shop: { key: (row: Sale) => row.shop },
  all: { fields: [], key: () => 'all' },
};
const kinds = {
  name: 'kinds',
  index: {
    key: (row: Sale) => row.shop,
    group: (row: Sale) => row.kind,
    order: (row: Sale) => row.at,
  },
};

const byTime = compareBy(({ at }: Sale) => at);

const sale = record({
  id: integer({ min: 1, max: 12 }),
  shop: constantFrom('north', 'south', undefined),
  kind: constantFrom('cash', 'card', 'loan'),
  at: constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
  amount: constantFrom('0.1', '2', '-3.05'),
});
const step = record({ ...{ sale }, isRemoved: constantFrom(false, false, true) });

/** A table after these puts and removals, and the rows that it must contain. */
function played(
  steps: readonly { sale: Omit<Sale, 'id' | 'seq'> & { id: number }; isRemoved: boolean }[],
) {
  const table = new Table<Sale, keyof typeof INDEXES>('sales', INDEXES, () => {});
  const model = new Map<string, Sale>();
  for (const {
    sale: { id, ...rest },
    isRemoved,
  } of steps) {
    const row = { ...rest, id: `s${id}`, seq: id };
    model.delete(row.id);
    if (isRemoved) table.remove(row.id);
    else model.set(row.id, table.put(row));
  }
  return { table, rows: [...model.values()].sort((a, b) => a.seq - b.seq) };
}

describe('table indexes', () => {
  it('group and order rows as a scan of all rows does', () => {
    assert(
      property(array(step, { maxLength: 40 }), nat(12), nat(12), (steps, offset, limit) => {
        const { table, rows } = played(steps);
        for (const shop of ['north', 'south']) {
          const all = runToCompletion(table.onDemand(kinds, (kept) => kept.under(shop)));
          const own = rows
            .filter((row) => row.shop === shop)
            .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
          const groups = all.map((group) => [...group]);
          expect(groups.flat().sort(byTime)).toEqual(own);
          for (const group of groups) {
            expect(new Set(group.map(({ kind }) => kind)).size).toBe(1);
            expect(group).toEqual(own.filter(({ kind }) => kind === group[0]?.kind));
          }
          const page = lastOfAll(all, byTime, { offset, limit });
          expect(page).toEqual(own.toReversed().slice(offset, offset + limit));
        }
        const due = rows
          .filter(({ kind }) => kind !== 'loan')
          .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
        expect([...table.due('sale').rows]).toEqual(due);
        expect(rowsOf(table)).toEqual(rows);
        expect(table.list('shop', 'north')).toEqual(rows.filter(({ shop }) => shop === 'north'));
        expect(runToCompletion(table.staleIndexes())).toEqual([]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('are named by staleIndexes() when a row was mutated in place', () => {
    const at = '2026-01-01';
    const { table, rows } = played([
      { sale: { id: 1, shop: 'north', kind: 'cash', at, amount: '1' }, isRemoved: false },
    ]);
    runToCompletion(table.onDemand(kinds, () => {}));
    (rows[0] as { kind: string }).kind = 'card';
    expect(runToCompletion(table.staleIndexes())).toEqual(['kinds']);
    (rows[0] as { shop: string }).shop = 'south';
    expect(runToCompletion(table.staleIndexes()).sort()).toEqual(['kinds', 'shop']);
  });
});

describe('SortedRows', () => {
  it('agrees with a sorted array over many blocks, at the front, in the middle and at the end', () => {
    const rows = new SortedRows<number>((left, right) => left - right);
    const model = new Set<number>();
    let draw = 1;
    for (let turn = 0; turn < 12_000; turn += 1) {
      draw = (draw * 48_271) % 2_147_483_647;
      const number = draw % 9_000;
      if (model.delete(number)) rows.remove(number);
      else {
        model.add(number);
        rows.add(number);
      }
    }
    for (let number = 9_000; number < 12_000; number += 1) {
      model.add(number);
      rows.add(number);
    }
    const sorted = [...model].sort((left, right) => left - right);
    expect([...rows]).toEqual(sorted);
    expect(rows.length).toBe(sorted.length);
    for (const place of [-1, 0, 1, 1_023, 1_024, 3_000, sorted.length - 1, sorted.length])
      expect(rows.at(place)).toBe(place < 0 ? undefined : sorted[place]);
    expect(rows.page(2_000, 3)).toEqual(sorted.slice(2_000, 2_003));
    for (const bound of [-1, 0, 4_500, 11_999, 12_000])
      expect(rows.countWhile((row) => row <= bound)).toBe(
        sorted.filter((row) => row <= bound).length,
      );
    for (const row of sorted.slice(0, 5_000)) rows.remove(row);
    expect([...rows]).toEqual(sorted.slice(5_000));
    expect(rows.at(0)).toBe(sorted[5_000]);
  });
});

interface Goal extends Row {
  readonly team: string | undefined;
  readonly worth: string;
}

const goalsOf = ({ sums }: Ranking): Decimal => sums.get('goals') ?? ZERO;
const byGoals: RankingIndex<Goal> = {
  key: ({ team }) => team,
  amounts: ({ worth }) => [['goals', decimal(worth)]],
  compare: (left, right) =>
    compare(goalsOf(right), goalsOf(left)) || compareText(left.key, right.key),
};
const compareText = (left: string, right: string) => Number(left > right) - Number(left < right);
const ask = <T>(table: Table<Goal>, answer: (kept: RowRankings<Goal>) => T) =>
  table.onDemand({ name: 'by goals', index: byGoals }, answer);

const goal = (number: number, team: string | undefined, worth = '1'): Goal => ({
  id: `g${number}`,
  seq: number,
  team,
  worth,
});
const aGoalTable = () => new Table<Goal>('goals', {}, () => {});

describe('RowRankings', () => {
  it('updates its order and total after each put and removal', () => {
    const table = aGoalTable();
    table.put(goal(1, 'reds'));
    table.put(goal(2, 'blues', '2'));
    const keys = () => runToCompletion(ask(table, ({ order }) => [...order].map(({ key }) => key)));
    expect(keys()).toEqual(['blues', 'reds']);

    table.put(goal(3, 'reds', '1.5'));
    expect(keys()).toEqual(['reds', 'blues']);

    table.remove('g2');
    expect(keys()).toEqual(['reds']);
    expect(runToCompletion(ask(table, ({ total }) => total.get('goals')))).toEqual(decimal('2.5'));
  });

  it('agrees with all rows summed and sorted, whatever is written while it is built', () => {
    const team = constantFrom('reds', 'blues', 'greens', undefined);
    const worth = constantFrom('0', '0.1', '2', '-3.05');
    const write = record({
      number: integer({ min: 1, max: 8 }),
      team,
      worth,
      isRemoved: boolean(),
    });
    const turns = array(array(write, { maxLength: 3 }), { maxLength: 14 });
    assert(
      property(turns, (writes) => {
        const table = aGoalTable();
        for (const number of [1, 2, 3, 4]) table.put(goal(number, 'reds'));
        const asked = ask(table, () => {});
        for (const turn of writes) {
          for (const each of turn)
            if (each.isRemoved) table.remove(`g${each.number}`);
            else table.put(goal(each.number, each.team, each.worth));
          asked.next();
        }
        runToCompletion(asked);

        const sums = new Map<string, Decimal>();
        for (const row of table.values())
          if (row.team) sums.set(row.team, add(sums.get(row.team) ?? ZERO, decimal(row.worth)));
        const sorted = [...sums].sort(
          ([a, left], [b, right]) => compare(right, left) || compareText(a, b),
        );
        const { order, total } = runToCompletion(ask(table, (kept) => kept));
        expect([...order].map((each) => [each.key, format(goalsOf(each))])).toEqual(
          sorted.map(([key, sum]) => [key, format(sum)]),
        );
        const all = [...sums.values()].reduce(add, ZERO);
        expect(format(total.get('goals') ?? ZERO)).toBe(format(all));
        expect(runToCompletion(table.staleIndexes())).toEqual([]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('is named by staleIndexes() when a row was mutated in place', () => {
    const table = aGoalTable();
    const row = table.put(goal(1, 'reds'));
    runToCompletion(ask(table, () => {}));
    (row as { team: string }).team = 'blues';

    expect(runToCompletion(table.staleIndexes())).toEqual(['by goals']);
  });
});
