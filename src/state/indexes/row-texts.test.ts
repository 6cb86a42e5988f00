import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  property,
  record,
  string,
} from 'fast-check';
import { expect, it } from 'vitest';
import { runToEnd } from '../resumable.ts';
import { type Row, Table } from '../table.ts';

interface Named extends Row {
  readonly name: string;
}

const INDEXES = { names: { text: ({ name }: Named) => name, late: true } } as const;
const aTable = () => new Table<Named, 'names'>('people', INDEXES, () => {});
const prepare = (table: Table<Named, 'names'>) => table.prepared('names', () => {});
const found = (table: Table<Named, 'names'>, word: string): string[] =>
  [...table.holding('names', word)].flatMap((row) => row?.id ?? []).sort();

/** Letters, some of which change their length or depend on their neighbours in lower case. */
const letters = constantFrom('a', 'b', 'B', 'Ä', 'ß', 'ẞ', 'İ', 'K', 'Σ', 'ς', '😀', '\u0301', '-');

it('text index finds rows by any part like a scan, for writes before, during and after its build', () => {
  const name = string({ unit: letters, maxLength: 6 });
  const write = record({ number: integer({ min: 1, max: 8 }), name, isRemoved: boolean() });
  const writes = array(write, { maxLength: 12 });
  const words = array(string({ unit: letters, minLength: 1, maxLength: 4 }), { minLength: 1 });
  assert(
    property(writes, writes, writes, words, (before, meanwhile, after, asked) => {
      const table = aTable();
      const play = ({ number, name, isRemoved }: (typeof before)[number]) => {
        if (isRemoved) table.remove(`p${number}`);
        else table.put({ id: `p${number}`, seq: number, name });
      };
      before.forEach(play);
      const making = prepare(table);
      for (const each of meanwhile) {
        making.next();
        play(each);
      }
      runToEnd(making);
      after.forEach(play);
      for (const word of asked) {
        const fits = (row: Named) => row.name.toLowerCase().includes(word.toLowerCase());
        const expected = [...table.values()].filter(fits).map(({ id }) => id);
        expect(found(table, word)).toEqual(expected.sort());
      }
      expect(runToEnd(table.misfiled())).toEqual([]);
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

it('text index finds one row among a thousand, also after others were removed or renamed', () => {
  const table = aTable();
  const put = (seq: number, name: string) => table.put({ id: `p${seq}`, seq, name });
  for (let seq = 1; seq <= 1_000; seq += 1) put(seq, `Customer ${seq}`);
  runToEnd(prepare(table));
  table.remove('p300');
  put(1_001, 'Ömer & Co');
  put(999, `Customer ${'x'.repeat(30_000)} the last`);

  expect(found(table, 'customer 1000')).toEqual(['p1000']);
  expect(found(table, 'MER &')).toEqual(['p1001']);
  expect(found(table, 'x the last')).toEqual(['p999']);
  expect(found(table, 'Customer 300')).toEqual([]);
  expect(found(table, 'Customer 999')).toEqual([]);
  expect(found(table, '77')).toHaveLength(19);
});

it('text index is named by misfiled() when a row was mutated in place', () => {
  const table = aTable();
  const row = table.put({ id: 'p1', seq: 1, name: 'Acme' });
  runToEnd(prepare(table));
  (row as { name: string }).name = 'Globex';

  expect(runToEnd(table.misfiled())).toEqual(['names']);
});
