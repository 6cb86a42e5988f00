import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../domain/limits.ts';
import { readPieces } from './read-pieces.ts';

/** The bytes of a text, in pieces of the given length. */
async function* inPieces(text: string | Buffer, length: number) {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** @units bytes */
const MEBIBYTE = 1_048_576;
const SETTINGS = { limits: { ...LIMITS, MAX_EVENTS_BODY_BYTES: 15 * MEBIBYTE } };
const LONGEST = 16 * MEBIBYTE;

const read = (text: string | Buffer, length = 3) => readPieces(inPieces(text, length), SETTINGS);

const BODY = {
  format: 'a "quoted" \\ text, with {brackets] and: ünïcödé 💶',
  tables: { empty: [], rows: [{ id: 'a', deep: [[{ b: null }], {}] }, 'plain', 7, null, true] },
  clock: {},
  '': [[1, [2]], -1.5e-3],
};

describe('readPieces', () => {
  it.each([1, 2, 7, 64, 10_000])(
    'returns the value of the JSON when read in pieces of %i bytes',
    async (length) => {
      for (const text of [JSON.stringify(BODY), ` ${JSON.stringify(BODY, null, 2)}\r\n`])
        expect(await read(text, length)).toEqual(BODY);
    },
  );

  it('keeps the last of duplicate members, and reads __proto__ as an ordinary name', async () => {
    const body = await read('{"a":1,"__proto__":{"b":2},"a":3}');

    expect(Object.entries(body)).toEqual([
      ['a', 3],
      ['__proto__', { b: 2 }],
    ]);
  });

  it.each<[string | Buffer, string]>([
    ['', 'A body is required.'],
    ['[1]', 'Expected a JSON object.'],
    ['7', 'Expected a JSON object.'],
    ['{"tables":{"rows":[{"a":1},{"a":}]}}', 'not valid JSON at tables.rows[1]: Unexpected token'],
    ['{"tables":{"rows":[1,]}}', 'not valid JSON at tables.rows[1]: Unexpected end'],
    [
      '{"tables":{"rows":[1}}',
      'not valid JSON at tables.rows: Expected a comma, or the end of the list or object.',
    ],
    [
      '{"tables":{"rows":[1',
      'not valid JSON at tables.rows: Expected a comma, or the end of the list or object.',
    ],
    ['{"tables":{"rows":[{"a":"', 'not valid JSON at tables.rows[0]: '],
    ['{"tables":{1:[]}}', 'not valid JSON at tables: Expected a name in quotes.'],
    ['{"tables" {}}', 'not valid JSON: '],
    ['{"tables",{}}', 'not valid JSON: Expected a colon after a name.'],
    ['{"a":1,}', 'not valid JSON: Unexpected end'],
    ['{"a":1}}', 'not valid JSON: Expected nothing after its end.'],
    ['\ufeff{"a":1}', 'not valid JSON: It begins with the byte order mark U+FEFF.'],
    [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 'nested deeper than 64'],
    [Buffer.from('{"a":["\xff"]}', 'latin1'), 'not valid UTF-8'],
  ])('rejects %s', async (text, said) => {
    await expect(read(text)).rejects.toThrow(said);
  });

  it('rejects NUL and lone surrogates, with all places at once', async () => {
    await expect(read('{"a":["x\\u0000"],"b":{"c":["\\ud800"]}}')).rejects.toMatchObject({
      findings: [{ field: 'a[0]' }, { field: 'b.c[0]' }],
    });
  });

  it('rejects a row with more than 100,000 fields before it is parsed, and takes as many commas in a text', async () => {
    const row = (data: object) => JSON.stringify({ tables: { events: [{ id: 'a', data }] } });
    const many = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, place) => [`f${place}`, 1]),
    );

    await expect(read(row(many), 65_536)).rejects.toThrow(
      'Expected at most 100000 fields at tables.events[0].',
    );
    await expect(read(`{"a":["${',\\"'.repeat(200_000)}"]}`, 65_536)).resolves.toHaveProperty('a');
  });

  it('stops reading at the first syntax error and closes the source', async () => {
    let [taken, isClosed] = [0, false];
    async function* endless() {
      try {
        yield Buffer.from('{"a":[');
        for (;;) {
          taken += 1;
          yield Buffer.from(taken < 3 ? '1,' : ' } ');
        }
      } finally {
        isClosed = true;
      }
    }

    await expect(readPieces(endless(), SETTINGS)).rejects.toThrow('at a[2]');
    expect([taken, isClosed]).toEqual([3, true]);
  });

  it.each<[string, string, string, number]>([
    ['one text', '{"format":"', 'x'.repeat(65_536), MEBIBYTE],
    ['one name', '{"', 'x'.repeat(65_536), MEBIBYTE],
    ['one deep value', '{"a":{"b":[{"c":[', '1,'.repeat(32_768), MEBIBYTE],
    ['one row', '{"tables":{"customers":[{"id":"', 'x'.repeat(65_536), LONGEST],
    ['empty lists', '{"a":[', '[],'.repeat(20_000), MEBIBYTE],
    ['numbers', '{"tables":{"customers":[', '1,'.repeat(32_768), MEBIBYTE],
    ['records of no table', '{"tables":{"shops":[', '{"id":"a","seq":1},'.repeat(3_000), MEBIBYTE],
    ['false records', '{"tables":{"customers":[', '{"id":"a","seq":1},'.repeat(3_000), MEBIBYTE],
    ['members', '{"tables":{', '"customers":[],'.repeat(4_000), MEBIBYTE],
  ])('ends a body of a gigabyte early: %s', async (_about, start, part, most) => {
    let taken = 0;
    async function* endless() {
      yield Buffer.from(start);
      for (const piece = Buffer.from(part); taken < 1024 * MEBIBYTE; taken += piece.length)
        yield piece;
    }

    await expect(readPieces(endless(), SETTINGS)).rejects.toThrow(
      /^(Expected values of at most \d+ bytes|Expected the export of a world: a megabyte)/,
    );
    expect(taken).toBeLessThanOrEqual(2 * most + 2 * part.length);
  });

  it('reads any number of records, as long as a megabyte holds a valid one', async () => {
    const row = { id: 'sequence', seq: 0, last: 1 };
    const padded = `${JSON.stringify(row)},${' '.repeat(900_000)}`;
    const text = `{"tables":{"ordinals":[${padded.repeat(4)}${JSON.stringify(row)}]}}`;

    expect(await read(text, 65_536)).toEqual({
      tables: { ordinals: Array(5).fill(row) },
    });
  });
});
