import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, type Decimal, decimal, format, ZERO } from '../../domain/decimal.ts';
import type { Row } from '../row.ts';
import { Table } from '../table.ts';
import { runToCompletion } from '../time-sliced.ts';
import type { Ranking, RankingIndex } from './row-index.ts';
import type { RowRankings } from './row-rankings.ts';

interface Goal extends Row {
  readonly team: string | undefined;
  readonly worth: string;
}

const goalsOf = ({ sums }: Ranking): Decimal => sums.get('goals') ?? ZERO;
const index: RankingIndex<Goal> = {
  key: ({ team }) => team,
  amounts: ({ worth }) => [['goals', decimal(worth)]],
  compare: (left, right) =>
    compare(goalsOf(right), goalsOf(left)) || compareText(left.key, right.key),
};
const compareText = (left: string, right: string) => Number(left > right) - Number(left < right);
const ask = <T>(table: Table<Goal>, answer: (kept: RowRankings<Goal>) => T) =>
  table.onDemand({ name: 'by goals', index: () => index }, answer);

const goal = (number: number, team: string | undefined, worth = '1'): Goal => ({
  id: `g${number}`,
  seq: number,
  team,
  worth,
});
const aTable = () => new Table<Goal>('goals', {}, () => {});

describe('RowRankings', () => {
  it('updates its order and total after each put and removal', () => {
    const table = aTable();
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
        const table = aTable();
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
    const table = aTable();
    const row = table.put(goal(1, 'reds'));
    runToCompletion(ask(table, () => {}));
    (row as { team: string }).team = 'blues';

    expect(runToCompletion(table.staleIndexes())).toEqual(['by goals']);
  });
});
