import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../domain/decimal.ts';
import type { Row } from '../row.ts';
import { Table } from '../table.ts';
import { runToCompletion } from '../time-sliced.ts';
import type { RankingIndex } from './row-index.ts';

interface Book extends Row {
  readonly shelf: string | undefined;
  readonly pages: number;
}

const INDEXES = { shelf: { key: ({ shelf }: Book) => shelf } } as const;
const late = { name: 'late', index: () => INDEXES.shelf };
const pages = {
  name: 'pages',
  index: (): RankingIndex<Book> => ({
    key: ({ shelf }) => shelf,
    amounts: (book) => [['pages', decimal(book.pages)]],
    compare: (left, right) => (left.key < right.key ? -1 : 1),
  }),
};
const aTable = () => new Table<Book, keyof typeof INDEXES>('books', INDEXES, () => {});
/** The rows on a shelf, from the on-demand index. */
const onShelf = (table: ReturnType<typeof aTable>, shelf: string) =>
  runToCompletion(table.onDemand(late, (kept) => kept.list(shelf)));
const book = (number: number, shelf: string | undefined, pages = 1): Book => ({
  id: `b${number}`,
  seq: number,
  shelf,
  pages,
});
const noop = () => {};

describe('on-demand index', () => {
  it('is built at its first use and then follows every write', () => {
    const table = aTable();
    table.put(book(1, 'north'));
    expect(table.indexes).toEqual(['shelf']);

    expect(onShelf(table, 'north')).toHaveLength(1);
    table.put(book(2, 'north'));
    table.remove('b1');

    expect(onShelf(table, 'north').map(({ id }) => id)).toEqual(['b2']);
    expect(table.indexes).toEqual(['shelf', 'late']);
  });

  it('agrees with a search of all rows, whatever is written while it is built', () => {
    const shelf = constantFrom('north', 'south', undefined);
    const write = record({ number: integer({ min: 1, max: 6 }), shelf, isRemoved: boolean() });
    const writes = array(array(write, { maxLength: 3 }), { maxLength: 12 });
    assert(
      property(writes, (turns) => {
        const table = aTable();
        for (const number of [1, 2, 3, 4]) table.put(book(number, 'north'));
        const [building, counting] = [
          table.onDemand(late, (kept) => kept),
          table.onDemand(pages, (kept) => kept),
        ];
        for (const turn of turns) {
          for (const each of turn)
            if (each.isRemoved) table.remove(`b${each.number}`);
            else table.put(book(each.number, each.shelf, each.number));
          building.next();
          counting.next();
        }
        const [lists, rankings] = [runToCompletion(building), runToCompletion(counting)];
        const rows = [...table.values()].sort((left, right) => left.seq - right.seq);
        // A finished run returns nothing more: asked again, the index is the one that was built.
        const order = [
          ...(rankings ?? runToCompletion(table.onDemand(pages, (kept) => kept))).order,
        ];
        for (const place of ['north', 'south']) {
          const here = rows.filter((row) => row.shelf === place);
          expect(lists?.list(place) ?? onShelf(table, place)).toEqual(here);
          const sum = here.reduce((total, row) => total + row.pages, 0);
          const counted = order.find(({ key }) => key === place)?.sums.get('pages');
          expect(counted ?? decimal(0)).toEqual(decimal(sum));
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
    const building = table.onDemand(late, (kept) => kept.list('north'));
    building.next();
    table.swap(other);

    expect(runToCompletion(building).map(({ id }) => id)).toEqual(['b3']);
  });

  it('is dropped when its table takes other contents, while those of the schema move with them', () => {
    const [table, other] = [aTable(), aTable()];
    table.put(book(1, 'north'));
    for (const each of [table, other]) runToCompletion(each.onDemand(pages, noop));
    table.swap(other);
    other.put(book(2, 'north'));

    expect(other.list('shelf', 'north').map(({ id }) => id)).toEqual(['b1', 'b2']);
    expect([table.indexes, other.indexes]).toEqual([['shelf'], ['shelf']]);
  });

  it('is dropped as the least recently used of more than eight, unless the schema defines it', () => {
    const table = aTable();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'a', 'i'])
      runToCompletion(table.onDemand({ ...pages, name }, noop));

    expect([...table.indexes].sort()).toEqual(['a', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'shelf']);
  });
});

it('an index that is dropped while staleIndexes() runs is not named by it', () => {
  const table = aTable();
  const ask = (name: string) => runToCompletion(table.onDemand({ ...late, name }, noop));
  for (const number of [1, 2, 3]) table.put(book(number, 'north'));
  ask('dropped');
  const staleIndexes = table.staleIndexes();
  staleIndexes.next();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) ask(name);
  table.put(book(2, 'south'));

  expect(runToCompletion(staleIndexes)).toEqual([]);
});
