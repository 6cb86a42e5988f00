import { array, assert, constantFrom, integer, oneof, property, record } from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Change, Row } from './row.ts';
import { Table } from './table.ts';

interface Book extends Row {
  readonly shelf: string | undefined;
  readonly title: string;
}

const INDEXES = {
  shelf: { key: (book: Book) => book.shelf },
  title: { key: (book: Book) => book.shelf, order: (book: Book) => book.title },
} as const;

const book = (id: string, seq: number, shelf: string | undefined, title = ''): Book => ({
  id,
  seq,
  shelf,
  title,
});

let changes: Change[];
let table: Table<Book, keyof typeof INDEXES>;

beforeEach(() => {
  changes = [];
  table = new Table('books', INDEXES, (change) => changes.push(change));
});

describe('Table', () => {
  it('captures the same list until a row is added, replaced or removed', () => {
    const [one, two] = [book('b1', 1, 'north'), book('b2', 2, 'south')];
    for (const _ of table.fill([one, two])) expect(changes).toEqual([]);
    const both = table.capture();
    expect(table.capture()).toBe(both);

    table.put({ ...one, title: 'changed' });
    table.remove('b2');
    expect(table.capture()).toEqual([{ ...one, title: 'changed' }]);
    table.set('b1', undefined);
    expect(table.capture()).toEqual([]);
    expect(both).toEqual([one, two]);
  });

  it('returns the replaced row from every index, even at the same position', () => {
    table.put(book('b1', 1, 'north', 'a'));
    const replaced = table.put(book('b1', 1, 'north', 'b'));

    expect(table.list('shelf', 'north')).toEqual([replaced]);
    expect(table.list('shelf', 'north')[0]).toBe(replaced);
  });

  it('notifies of each change with the row before and after, but not if a removed row is missing', () => {
    const first = table.put(book('b1', 1, 'north'));
    const second = table.put(book('b1', 1, 'south'));
    table.remove('b1');
    table.remove('b1');

    const common = { table: 'books', id: 'b1' };
    expect(changes).toEqual([
      { ...common, before: undefined, after: first },
      { ...common, before: first, after: second },
      { ...common, before: second, after: undefined },
    ]);
  });

  it('has its previous rows and indexes again when its changes are undone, newest first', () => {
    table.put(book('b1', 1, 'north', 'a'));
    table.put(book('b2', 2, 'north', 'b'));
    const inNorth = () => [[...table.list('shelf', 'north')], [...table.sorted('title', 'north')]];
    const before = inNorth();
    changes = [];

    table.put(book('b1', 1, 'south', 'z'));
    table.put(book('b3', 3, 'north', 'c'));
    table.remove('b2');
    table.put(book('b1', 1, 'north', 'y'));
    for (const change of changes.reverse()) table.set(change.id, change.before as Book | undefined);

    expect(inNorth()).toEqual(before);
    expect(table.list('shelf', 'south')).toEqual([]);
    expect(table.size).toBe(2);
  });

  it('agrees with a list that is filtered and sorted, after any puts and removals', () => {
    const shelves = ['north', 'south', undefined];
    const id = integer({ min: 1, max: 8 });
    const put = record({ id, shelf: constantFrom(...shelves), title: constantFrom('a', 'b', 'c') });
    const step = oneof({ weight: 3, arbitrary: put }, { weight: 1, arbitrary: record({ id }) });

    assert(
      property(array(step, { maxLength: 40 }), (steps) => {
        table = new Table('books', INDEXES, () => {});
        let model: Book[] = [];
        for (const made of steps) {
          const name = `b${made.id}`;
          model = model.filter((row) => row.id !== name);
          if ('title' in made) model.push(table.put(book(name, made.id, made.shelf, made.title)));
          else table.remove(name);
        }
        expect(new Set(table.values())).toEqual(new Set(model));
        expect(table.size).toBe(model.length);
        for (const row of model) expect(table.get(row.id)).toBe(row);
        expect(table.list('shelf', 'undefined')).toEqual([]);
        for (const shelf of ['north', 'south']) {
          const rows = model.filter((row) => row.shelf === shelf).sort((a, b) => a.seq - b.seq);
          expect(table.list('shelf', shelf)).toEqual(rows);
          // The sort is stable, so rows of one title stay by creation.
          const byTitle = rows.sort((a, b) => a.title.localeCompare(b.title));
          expect([...table.sorted('title', shelf)]).toEqual(byTitle);
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
