import { beforeEach, describe, expect, it } from 'vitest';
import { ask, type Query, select } from './query.ts';
import type { Row } from './row.ts';
import { Table } from './table.ts';
import { withoutPauses } from './time-sliced.ts';

interface Book extends Row {
  readonly owner: string;
  readonly shelf: string;
  readonly year: string;
}

const INDEXES = {
  owner: { fields: ['owner'], key: (row: Book) => row.owner },
  shelf: { fields: ['owner', 'shelf'], key: (row: Book) => `${row.owner} ${row.shelf}` },
} as const;

let table: Table<Book, keyof typeof INDEXES>;

/** Every third book is of another owner, every second on shelf b; the later, the older its year. */
function fill(count: number): void {
  for (let seq = 1; seq <= count; seq += 1)
    table.put({
      id: `b${seq}`,
      seq,
      owner: seq % 3 === 0 ? 'other' : 'own',
      shelf: seq % 2 === 0 ? 'b' : 'a',
      year: String(9_000 - seq),
    });
}

const finish = <T>(find: () => T | Promise<T>): T => withoutPauses(find) as T;

/** The count of all that a query finds, and the ids of three from the second on, newest first. */
const found = (query: Query<Book>) =>
  finish(() =>
    ask(table, query, (rows) => [rows.length, rows.newest(1, 3).map(({ id }) => id)] as const),
  );

const endsInOne = ({ year }: Book) => year.endsWith('1');
const lastDigit = ({ year }: Book) => year.slice(-1);

beforeEach(() => {
  table = new Table('books', INDEXES, () => {});
});

describe.each([
  ['few', 60, { own: 40, shelf: 20, ones: 4 }],
  ['many', 6_000, { own: 4_000, shelf: 2_000, ones: 400 }],
])('ask, of %s rows', (_, count, { own, shelf, ones }) => {
  beforeEach(() => fill(count));

  it('finds the rows with the values of fields', () => {
    const newest = [count - 2, count - 4, count - 5].map((seq) => `b${seq}`);

    expect(found({ where: { owner: 'own' } })).toEqual([own, newest]);
    expect(found({ where: { owner: 'own', shelf: 'b' } })[0]).toBe(shelf);
    expect(found({ where: { owner: 'own', year: '8999' } })).toEqual([1, []]);
    expect(found({ where: { owner: 'nobody' } })).toEqual([0, []]);
  });

  it('finds the same by looking at each row, in groups and by the name of a filter', () => {
    const query = { where: { owner: 'own' }, fits: [endsInOne] };
    const byLook = found(query);

    expect(byLook[0]).toBe(ones);
    expect(found({ ...query, facet: lastDigit })).toEqual(byLook);
    expect(found({ ...query, named: 'ends in 1' })).toEqual(byLook);
    expect(found({ ...query, named: 'ends in 1' })).toEqual(byLook);
  });

  it('sorts by a field, the greatest first', () => {
    const oldest = ['b2', 'b4', 'b5'];

    expect(found({ where: { owner: 'own' }, order: 'year', facet: lastDigit })).toEqual([
      own,
      oldest,
    ]);
  });

  it('finds what is put and removed afterwards', () => {
    const query = { where: { owner: 'own' }, fits: [endsInOne], facet: lastDigit };
    found(query);
    table.remove('b29');
    table.put({ id: 'new', seq: count + 1, owner: 'own', shelf: 'a', year: '1' });
    table.put({ id: 'newer', seq: count + 2, owner: 'own', shelf: 'a', year: '2' });

    expect(found(query)[0]).toBe(ones);
    const [newest] = finish(() => ask(table, query, (rows) => rows.newest(0, 1)));
    expect(newest?.id).toBe('new');
  });

  it('looks only among the rows that it is given', () => {
    const among = ['b1', 'b3', 'b5'].flatMap((id) => table.get(id) ?? []);

    expect(found({ where: { owner: 'own' }, among })).toEqual([2, ['b1']]);
  });

  it('selects a list, oldest first', () => {
    const query = { where: { owner: 'own' }, fits: [endsInOne], named: 'ends in 1' };
    const [first, second] = finish(() => select(table, query, (rows) => rows.map(({ id }) => id)));

    expect([first, second]).toEqual(['b19', 'b29']);
  });

  it('finds texts whatever their case, with and without other conditions', () => {
    table.put({ id: 'titled', seq: count + 1, owner: 'own', shelf: 'Ä', year: '2001' });
    table.put({ id: 'other', seq: count + 2, owner: 'own', shelf: 'ä', year: '2002' });
    const query = { where: { owner: 'own' }, alike: { shelf: 'ä' } };

    expect(found(query)[0]).toBe(2);
    expect(found({ ...query, fits: [endsInOne] })[0]).toBe(1);
    expect(found({ alike: { shelf: 'Ä', year: '2002' } })[0]).toBe(1);
  });
});
