import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../row.ts';
import { Table } from '../table.ts';
import { runToCompletion } from '../time-sliced.ts';

interface Book extends Row {
  readonly shelf: string | undefined;
}

const INDEXES = { shelf: { key: ({ shelf }: Book) => shelf } } as const;
const late = { name: 'late', index: INDEXES.shelf };
const aTable = () => new Table<Book, keyof typeof INDEXES>('books', INDEXES, () => {});
/** The rows on a shelf, from the on-demand index. */
const onShelf = (table: ReturnType<typeof aTable>, shelf: string) =>
  runToCompletion(table.onDemand(late, (kept) => kept.list(shelf)));
const book = (number: number, shelf: string | undefined): Book => ({
  id: `b${number}`,
  seq: number,
  shelf,
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
        const building = table.onDemand(late, (kept) => kept);
        for (const turn of turns) {
          for (const each of turn)
            if (each.isRemoved) table.remove(`b${each.number}`);
            else table.put(book(each.number, each.shelf));
          building.next();
        }
        // A finished run returns nothing more: asked again, the index is the one that was built.
        const lists = runToCompletion(building);
        const rows = [...table.values()].sort((left, right) => left.seq - right.seq);
        for (const place of ['north', 'south']) {
          const here = rows.filter((row) => row.shelf === place);
          expect(lists?.list(place) ?? onShelf(table, place)).toEqual(here);
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
    for (const each of [table, other]) runToCompletion(each.onDemand(late, noop));
    table.swap(other);
    other.put(book(2, 'north'));

    expect(other.list('shelf', 'north').map(({ id }) => id)).toEqual(['b1', 'b2']);
    expect([table.indexes, other.indexes]).toEqual([['shelf'], ['shelf']]);
  });

  it('is dropped as the least recently used of more than eight, unless the schema defines it', () => {
    const table = aTable();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'a', 'i'])
      runToCompletion(table.onDemand({ ...late, name }, noop));

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
