import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../domain/decimal.ts';
import type { Row } from '../row.ts';
import { Table } from '../table.ts';
import { runToCompletion } from '../time-sliced.ts';
import type { SumIndex } from './row-index.ts';

interface Book extends Row {
  readonly shelf: string | undefined;
  readonly pages: number;
}

const INDEXES = { late: { key: ({ shelf }: Book) => shelf, lazy: true } } as const;
const pages: SumIndex<Book> = {
  key: ({ shelf }) => shelf,
  amounts: (book) => [['pages', decimal(book.pages)]],
};
const aTable = () => new Table<Book, keyof typeof INDEXES>('books', INDEXES, () => {});
const book = (number: number, shelf: string | undefined, pages = 1): Book => ({
  id: `b${number}`,
  seq: number,
  shelf,
  pages,
});
const noop = () => {};

describe('lazy index', () => {
  it('is built at its first use and then follows every write', () => {
    const table = aTable();
    table.put(book(1, 'north'));
    expect(Object.keys(table.indexes)).toEqual([]);

    expect(runToCompletion(table.lazy('late', () => table.list('late', 'north')))).toHaveLength(1);
    table.put(book(2, 'north'));
    table.remove('b1');

    expect(table.list('late', 'north').map(({ id }) => id)).toEqual(['b2']);
    expect(Object.keys(table.indexes)).toEqual(['late']);
  });

  it('agrees with a search of all rows, whatever is written while it is built', () => {
    const shelf = constantFrom('north', 'south', undefined);
    const write = record({ number: integer({ min: 1, max: 6 }), shelf, isRemoved: boolean() });
    const writes = array(array(write, { maxLength: 3 }), { maxLength: 12 });
    assert(
      property(writes, (turns) => {
        const table = aTable();
        for (const number of [1, 2, 3, 4]) table.put(book(number, 'north'));
        const [late, sums] = [
          table.lazy('late', noop),
          table.onDemand({ name: 'sums', index: () => pages }, noop),
        ];
        for (const turn of turns) {
          for (const each of turn)
            if (each.isRemoved) table.remove(`b${each.number}`);
            else table.put(book(each.number, each.shelf, each.number));
          late.next();
          sums.next();
        }
        runToCompletion(late);
        runToCompletion(sums);
        const rows = [...table.values()].sort((left, right) => left.seq - right.seq);
        for (const place of ['north', 'south']) {
          const here = rows.filter((row) => row.shelf === place);
          expect(table.list('late', place)).toEqual(here);
          const sum = here.reduce((total, row) => total + row.pages, 0);
          expect(table.sums('sums').get(place)?.get('pages') ?? decimal(0)).toEqual(decimal(sum));
        }
        expect(runToCompletion(table.staleIndexes())).toEqual([]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('is rebuilt when the table takes other contents while the index is being built', () => {
    const [table, other] = [aTable(), aTable()];
    for (const number of [1, 2]) table.put(book(number, 'north'));
    other.put(book(3, 'north'));
    const late = table.lazy('late', () => table.list('late', 'north'));
    late.next();
    table.swap(other);

    expect(runToCompletion(late).map(({ id }) => id)).toEqual(['b3']);
  });

  it('moves with the contents of its table if the schema defines it, and is dropped otherwise', () => {
    const [table, other] = [aTable(), aTable()];
    table.put(book(1, 'north'));
    for (const each of [table, other])
      runToCompletion(each.onDemand({ name: 'asked', index: () => pages }, noop));
    runToCompletion(table.lazy('late', noop));
    table.swap(other);
    other.put(book(2, 'north'));

    expect(other.list('late', 'north').map(({ id }) => id)).toEqual(['b1', 'b2']);
    expect([Object.keys(table.indexes), Object.keys(other.indexes)]).toEqual([[], ['late']]);
  });

  it('is dropped as the least recently used of more than four, unless the schema defines it', () => {
    const table = aTable();
    runToCompletion(table.lazy('late', noop));
    for (const name of ['a', 'b', 'c', 'd', 'a', 'e'])
      runToCompletion(table.onDemand({ name, index: () => pages }, noop));

    expect(Object.keys(table.indexes).sort()).toEqual(['a', 'c', 'd', 'e', 'late']);
  });
});

it('an index that is dropped while staleIndexes() runs is not named by it', () => {
  const table = aTable();
  const ask = (name: string) =>
    runToCompletion(table.onDemand({ name, index: () => INDEXES.late }, noop));
  for (const number of [1, 2, 3]) table.put(book(number, 'north'));
  ask('dropped');
  const staleIndexes = table.staleIndexes();
  staleIndexes.next();
  for (const name of ['a', 'b', 'c', 'd']) ask(name);
  table.put(book(2, 'south'));

  expect(runToCompletion(staleIndexes)).toEqual([]);
});
