import { array, assert, constantFrom, integer, oneof, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../domain/instant.ts';
import { runToCompletion } from '../../../store/time-sliced.ts';
import { World } from '../../../store/world.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import type { List } from '../list.ts';
import { searching } from './listing-search.ts';

interface Note {
  readonly number: number;
  readonly by: string;
  readonly title: string;
}

/** A list whose rows show a name from another table: the writer of each note. */
function aListOfNotes() {
  const world = new World({
    sandbox: 'a',
    environment: 'test',
    seed: 'a',
    secret: 'secret',
    clock: { mode: 'frozen', at: instant('2026-01-15T12:00:00Z') },
    machine: () => 0,
  });
  const [names, notes] = [new Map<string, string>(), new Map<number, Note>()];
  const list = {
    fields: { title: ({ title }) => [title], by: ({ by }, _request) => [by, names.get(by)] },
  } as Pick<List<Note>, 'fields'> as List<Note>;
  const find = (q: string, search = ''): readonly number[] => {
    const query = (name: string) => ({ q, search })[name] ?? '';
    const request = { world, query } as unknown as InspectorRequest;
    const props = { request, list, rows: [...notes.values()] };
    return runToCompletion(searching(props)).found.map(({ number }) => number);
  };
  return { world, names, notes, find };
}

/** Letters whose length changes in lower case, or that change how other letters are lowercased. */
const LETTERS = [
  'a',
  'b',
  'B',
  'ä',
  'Ä',
  'ß',
  'ẞ',
  'İ',
  'K',
  'Σ',
  'σ',
  'ς',
  '😀',
  '\u0301',
  '0',
  '-',
];
const text = oneof(
  string({ unit: constantFrom(...LETTERS, '\\', '\n'), maxLength: 6 }),
  string({ unit: 'grapheme', maxLength: 3 }),
);
const word = string({ unit: constantFrom(...LETTERS, '"'), minLength: 1, maxLength: 4 });

const write = record({
  number: integer({ min: 1, max: 5 }),
  by: constantFrom('x', 'y'),
  title: text,
});
const turn = record({
  notes: array(write, { maxLength: 3 }),
  name: record({ of: constantFrom('x', 'y'), name: text }),
  words: array(word, { minLength: 1, maxLength: 4 }),
});

describe('a search in cached rows', () => {
  it('finds the same rows as an uncached search, after any change', () => {
    assert(
      property(array(turn, { maxLength: 8 }), (turns) => {
        const { world, names, notes, find } = aListOfNotes();
        for (const { notes: written, name, words } of turns) {
          for (const note of written) notes.set(note.number, note);
          names.set(name.of, name.name);
          world.version += 1;
          for (const asked of words) {
            const sought = asked.replaceAll('"', '').toLowerCase();
            const fits = (note: Note) =>
              [JSON.stringify(note), note.title, note.by, names.get(note.by) ?? ''].some((each) =>
                each.toLowerCase().includes(sought),
              );
            const expected = [...notes.values()].filter(fits).map(({ number }) => number);
            expect(find(`"${sought}"`)).toEqual(expected);
          }
        }
      }),
      { numRuns: 1_000, seed: 1 },
    );
  });

  it('finds rows beyond the size of the cache, each time', () => {
    const { names, notes, find, world } = aListOfNotes();
    names.set('x', 'Xenia');
    for (let number = 1; number <= 9_000; number += 1)
      notes.set(number, { number, by: number % 4_500 === 0 ? 'x' : 'y', title: `no. ${number}` });

    for (const _ of ['once', 'again']) {
      expect(find('xenia', 'all')).toEqual([4_500, 9_000]);
      expect(find('by:xenia', 'all')).toEqual([4_500, 9_000]);
      expect(find('xenia')).toEqual([9_000]);
      expect(find('"no. 8999"')).toEqual([8_999]);
    }
    names.set('x', 'Yves');
    world.version += 1;
    expect(find('xenia', 'all')).toEqual([]);
    expect(find('title:"no. 8*99" -by:yves')).toEqual([
      8_099, 8_199, 8_299, 8_399, 8_499, 8_599, 8_699, 8_799, 8_899, 8_999,
    ]);
  });
});
