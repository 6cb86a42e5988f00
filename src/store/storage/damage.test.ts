// Long because each kind of damage is a row of its tables.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { nextUuid } from '../../testing/usage.ts';
import { refuseFlaw } from './data-error.ts';
import { openPersistence } from './open-persistence.ts';
import { readData } from './read-data.ts';

const KEY = 'key_test_emulator';
const SILENT = { error: () => {}, info: () => {} };
const settings = (data: string, data_mode: 'on-exit' | 'on-commit') =>
  ({ data, data_mode, reporting_currency: 'USD' }) as const;

let folder: string;
let file: string;
/** The snapshot and the journal without damage. */
let sound: { data: Buffer; journal: Buffer };

async function useTokens({ api, control }: TestClient): Promise<void> {
  const { now: occurred_at } = await control('getClock', {}, 200);
  const usage = { event_type: 'llm.completion', data: { model: 'large', tokens: 1000 } };
  const events = [{ id: nextUuid(), occurred_at, ...usage }];
  await api('submitEvents', { body: { customer_external_id: 'acme', events } }, 204);
}

beforeAll(async () => {
  folder = newFolder();
  file = join(folder, 'data.json');
  for (const mode of ['on-exit', 'on-commit'] as const) {
    const data = await openPersistence(settings(file, mode), SILENT);
    const client = createTestClient({ fixture: 'quickstart' }, { data });
    await client.api('createVendor', { body: { name: mode } }, 201);
    await client.api('createCustomer', { body: { name: mode } }, 201);
    // The journal must not change the rows that are damaged in the snapshot.
    if (mode === 'on-exit') await useTokens(client);
    await client.control('saveSnapshot', { body: { name: mode } }, 201);
    await client.emulator.close();
  }
  sound = { data: await readFile(file), journal: await readFile(`${file}.journal-1`) };
});

beforeEach(async () => {
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(file, sound.data);
  await writeFile(`${file}.journal-1`, sound.journal);
});

type Lines = AnyBody[];

const texts = (bytes: Buffer): string[] => bytes.toString().trimEnd().split('\n');
const parse = (bytes: Buffer): Lines => texts(bytes).map((line) => JSON.parse(line.slice(9)));

/** The text of a file with these lines and valid checksums. */
function frame(lines: readonly unknown[]): string {
  let checksum = 0;
  const framed = lines.map((line) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    checksum = crc32(text, checksum);
    return `${checksum.toString(16).padStart(8, '0')} ${text}\n`;
  });
  return framed.join('');
}

/** Changes the bytes of a file and leaves the checksums as they are. */
const bytes = (spoil: (text: string) => string | Buffer) => (given: Buffer) =>
  spoil(given.toString('latin1'));
/** Changes the list of lines and leaves the checksums as they are. */
const lines = (spoil: (all: string[]) => readonly string[]) => (given: Buffer) =>
  `${spoil(texts(given)).join('\n')}\n`;
/** Changes the parsed lines and calculates valid checksums. */
const forged = (spoil: (all: Lines) => unknown) => (given: Buffer) => {
  const all = parse(given);
  const other = spoil(all);
  return frame(Array.isArray(other) ? other : all);
};
/** The first entry with rows of the world in a snapshot. */
const world = (all: Lines): AnyBody => all.find(({ kind, image }) => kind === 'rows' && !image);
const rowOf = (all: Lines, table: string): AnyBody =>
  world(all).put.find(([name]: [string]) => name === table)[1];
/** Changes the first row of a table of the world. */
const row = (table: string, spoil: (row: AnyBody) => void) =>
  forged((all) => spoil(rowOf(all, table)));
/** Replaces the first row of a table; removes it if `other` is undefined. */
const inPlace = (table: string, other: unknown) =>
  forged((all) => {
    const { put } = world(all);
    const at = put.findIndex(([name]: [string]) => name === table);
    put.splice(at, 1, ...(other === undefined ? [] : [[table, other]]));
  });
const head = (changes: object) =>
  forged((all) => {
    for (const line of all) if (line.head && !line.image) Object.assign(line.head, changes);
  });

type Damage = readonly [name: string, spoil: (given: Buffer) => string | Buffer, said: RegExp];

const OF_DATA: readonly Damage[] = [
  ['empty', () => '', /It is empty/],
  ['of something else', () => 'hello\n', /line 1: Its checksum/],
  [
    'cut short within a line',
    bytes((text) => Buffer.from(text.slice(0, -30), 'latin1')),
    /within a line/,
  ],
  ['without its end', lines((all) => all.slice(0, -1)), /Its end is missing/],
  [
    'with an amount changed',
    bytes((text) => text.replace('"available":"100"', '"available":"900"')),
    /line 3: Its checksum|line 2: Its checksum/,
  ],
  [
    'with another checksum',
    lines(([first = '', ...rest]) => [`0${first}`.slice(0, first.length), ...rest]),
    /line 1: Its checksum/,
  ],
  ['without a line', lines((all) => all.toSpliced(1, 1)), /line 2: Its checksum/],
  [
    'with two lines in another order',
    lines(([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]),
    /line 2: Its checksum/,
  ],
  [
    'with a line twice',
    lines(([a = '', b = '', ...rest]) => [a, b, b, ...rest]),
    /line 3: Its checksum/,
  ],
  ['with a line after its end', lines((all) => [...all, all[1] as string]), /comes after the end/],
  [
    'with bytes that are not UTF-8',
    bytes((text) => Buffer.from(text.replace('Acme', 'Ac\xff\xfe'), 'latin1')),
    /Its checksum/,
  ],
  [
    'with zeros in the middle',
    bytes((text) =>
      Buffer.from(`${text.slice(0, 300)}${'\0'.repeat(200)}${text.slice(500)}`, 'latin1'),
    ),
    /Its checksum/,
  ],
  ['without its first line', forged((all) => all.slice(1)), /line 1: It is not a data file/],
  [
    'of another format',
    forged(([first]) => void Object.assign(first, { format: 'zip' })),
    /not a data file/,
  ],
  [
    'of a newer release',
    forged(([first]) => void Object.assign(first, { schema_version: 99 })),
    /newer release \(schema 99/,
  ],
  [
    'of a schema that is null',
    forged(([first]) => void Object.assign(first, { schema_version: null })),
    /schema null is not known/,
  ],
  [
    'of a schema version that is text',
    forged(([first]) => void Object.assign(first, { schema_version: 'two' })),
    /schema "two" is not known/,
  ],
  [
    'without a number',
    forged(([first]) => void Object.assign(first, { number: 0 })),
    /number 0 is invalid/,
  ],
  ['with fewer lines than it counts', forged((all) => all.toSpliced(-2, 1)), /Expected \d+ lines/],
  [
    'with a line that is not JSON',
    forged((all) => all.toSpliced(1, 0, '{"kind"')),
    /line 2: It is not JSON/,
  ],
  [
    'with a line that is null',
    forged((all) => all.toSpliced(1, 0, 'null')),
    /line 2: There are no entries of the kind undefined/,
  ],
  [
    'with an unknown kind of line',
    forged((all) => all.toSpliced(1, 0, { kind: 'magic' })),
    /kind "magic"/,
  ],
  [
    'with a kind of line that is a name of JavaScript',
    forged((all) => all.toSpliced(1, 0, { kind: '__proto__' })),
    /kind "__proto__"/,
  ],
  [
    'with rows that are no list',
    forged((all) => void Object.assign(all[1], { put: 1 })),
    /line 2: It is not an entry/,
  ],
  [
    'with an image that has no name',
    forged((all) => all.toSpliced(1, 0, { kind: 'forget', world: KEY, image: null })),
    /line 2: There is no world/,
  ],
  [
    'with an invalid key of a world',
    forged((all) => void Object.assign(world(all), { world: 'my world' })),
    /"my world" is not the key/,
  ],
  [
    'with an image of an unknown world',
    forged((all) => all.toSpliced(1, 0, { ...world(all), world: 'key_test_b', image: 'x' })),
    /no world "key_test_b"/,
  ],
  [
    'with an unknown table',
    forged((all) => void world(all).put.push(['colours', { id: 'x' }])),
    /no table "colours"/,
  ],
  ['with a row that is null', inPlace('customers', null), /row of customers has no id: null/],
  [
    'with a row without id',
    row('customers', (each) => delete each.id),
    /row of customers has no id/,
  ],
  [
    'with a row without a field',
    row('customers', (each) => delete each.name),
    /customers\[0\]\.name/,
  ],
  [
    'with a field that no row has',
    row('customers', (each) => Object.assign(each, { colour: 'red' })),
    /customers\[0\]\.colour/,
  ],
  [
    'with an amount that is a number',
    row('wallet_accounts', (each) => Object.assign(each, { available: 100 })),
    /wallet_accounts\[0\]\.available/,
  ],
  [
    'with an invalid instant',
    row('customers', (each) => Object.assign(each, { created_at: 'today' })),
    /customers\[0\]\.created_at/,
  ],
  ['with a negative order', head({ sequence: -1 }), /sequence: Expected a whole number, got -1/],
  ['with requests that are text', head({ requests: 'many' }), /requests: Expected a whole number/],
  [
    'with a clock that is null',
    head({ clock: null }),
    /clock: Expected a clock from 1970 to 9999, got null/,
  ],
  ['with a clock of an unknown mode', head({ clock: { mode: 'sun' } }), /clock: Expected a clock/],
  [
    'with a frozen clock at an invalid instant',
    head({ clock: { mode: 'frozen', at: 'noon' } }),
    /clock: Expected a clock/,
  ],
  [
    'with a clock before 1970',
    head({ clock: { mode: 'frozen', at: '0000-01-01T00:00:00.000Z' } }),
    /clock: Expected a clock from 1970 to 9999, got/,
  ],
  [
    'with an offset clock without an offset',
    head({ clock: { mode: 'offset' } }),
    /clock: Expected a clock/,
  ],
  [
    'without a head',
    forged((all) => void delete world(all).head),
    /sequence: Expected a whole number/,
  ],
  [
    'with an amount changed and a checksum forged',
    row('transactions', ({ postings }) => Object.assign(postings[0], { amount: '7777' })),
    /A balance is the sum/,
  ],
  [
    'with a balance changed and a checksum forged',
    row('wallet_accounts', (each) => Object.assign(each, { available: '7777' })),
    /A balance is the sum/,
  ],
  [
    'without a customer that others name',
    inPlace('customers', undefined),
    /Its customer_id cust_\w+ does not exist/,
  ],
  ['without a version', inPlace('versions', undefined), /Its version 1/],
  [
    'with an event billed by a version that is not there',
    row('events', ({ billed_by }) => Object.assign(billed_by[0], { version: 99 })),
    /Its version 99 of [\w-]+ does not exist/,
  ],
  [
    'with an event billed by a subscription that its customer has not',
    row('events', ({ billed_by }) => Object.assign(billed_by[0], { subscription_id: 'sub_0' })),
    /Its customer has no subscription sub_0/,
  ],
  [
    'with an event billed by two versions of a product',
    row('events', ({ billed_by }) => billed_by.push({ ...billed_by[0] })),
    /Two versions of [\w-]+ bill it/,
  ],
  [
    'with an event billed by no version of a product',
    row('events', ({ billed_by }) => Object.assign(billed_by[0], { superseded: true })),
    /No version of [\w-]+ bills it/,
  ],
  [
    'with a fee of a price that is not there',
    row('events', ({ fees }) => Object.assign(fees[0].terms, { price_id: 'prc_0' })),
    /No version that bills it has the price prc_0 of a fee/,
  ],
  [
    'with a snapshot of the world that is damaged',
    forged(
      (all) => void delete all.find(({ image }) => image === 'snapshot:on-exit').put[3][1].seq,
    ),
    /snapshot:on-exit: tables\.\w+/,
  ],
];

const OF_JOURNAL: readonly Damage[] = [
  ['without its first line', forged((all) => all.slice(1)), /line 1: It is not a journal/],
  [
    'of another number',
    forged(([first]) => void Object.assign(first, { number: 9 })),
    /journal of number 9/,
  ],
  [
    'of another schema',
    forged(([first]) => void Object.assign(first, { schema_version: 1 })),
    /schema 1 is not that/,
  ],
  [
    'with an amount changed',
    bytes((text) => text.replace('on-commit', 'on-comnit')),
    /line \d: Its checksum/,
  ],
  ['without a line', lines((all) => all.toSpliced(1, 1)), /line 2: Its checksum/],
  [
    'with two lines in another order',
    lines(([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]),
    /line 2: Its checksum/,
  ],
  [
    'with a line twice',
    lines(([a = '', b = '', ...rest]) => [a, b, b, ...rest]),
    /line 3: Its checksum/,
  ],
  ['with another last line', bytes((text) => `${text.slice(0, -3)}x}\n`), /Its checksum/],
  [
    'with a row that is null',
    forged((all) => void all[1].put.push(['vendors', null])),
    /line 2: A row of vendors has no id/,
  ],
  [
    'with a snapshot of no world',
    forged((all) => [...all, { kind: 'save', world: 'key_test_b', image: 'x', head: {} }]),
    /no world "key_test_b"/,
  ],
  [
    'with a row that nothing fits',
    forged((all) => void Object.assign(all[1].put[0][1], { extra: 1 })),
    /extra/,
  ],
];

/** The contents of all files in the folder, by name. */
async function look(): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const pairs = names.map(async (name) => [
    name,
    await readFile(join(folder, name), 'latin1').catch(() => 'folder'),
  ]);
  return Object.fromEntries(await Promise.all(pairs));
}

async function expectRefusal(said: RegExp): Promise<void> {
  const before = await look();
  for (const mode of ['on-exit', 'on-commit'] as const)
    await expect(openPersistence(settings(file, mode), SILENT)).rejects.toThrow(said);
  expect(await look()).toEqual(before);
}

describe('a damaged data file stops the start and is not changed', () => {
  it('an undamaged data file opens with its snapshots', async () => {
    const data = await openPersistence(settings(file, 'on-exit'), SILENT);

    expect([...(data?.closed.worlds.get(KEY)?.images.keys() ?? [])]).toEqual([
      'snapshot:on-exit',
      'snapshot:on-commit',
    ]);
    await data?.release();
  });

  it.each(OF_DATA)('data file %s', async (_, spoil, said) => {
    await writeFile(file, spoil(sound.data));
    await expectRefusal(said);
  });

  it.each(OF_JOURNAL)('data file with a journal %s', async (_, spoil, said) => {
    await writeFile(`${file}.journal-1`, spoil(sound.journal));
    await expectRefusal(said);
  });

  it('data file of a former schema is kept with its journal', async () => {
    const former = forged(([first]) => void Object.assign(first, { schema_version: 3 }));
    await writeFile(file, former(sound.data));
    await writeFile(`${file}.journal-1`, former(sound.journal));
    const data = await openPersistence(settings(file, 'on-exit'), SILENT);
    await data?.release();
    const kept = await readData(`${file}.schema-3`, refuseFlaw);

    expect([kept.schema_version, kept.journals.length]).toEqual([3, 1]);
    expect(await readFile(`${file}.schema-3.journal-1`, 'latin1')).toBe(former(sound.journal));
  });

  it('data file that is missing while its journal exists', async () => {
    await rm(file);
    await expectRefusal(/It is missing, but .*journal-1 exists/);
  });

  it('data file that is a folder', async () => {
    await rm(file);
    await mkdir(file);
    await expectRefusal(/^.*data\.json cannot be read: EISDIR/);
  });

  it('data file whose stale lock cannot be removed', async () => {
    await mkdir(`${file}.lock`);
    await expectRefusal(/^.*data\.json cannot be locked, because a stale lock remains: /);
  });

  it('data file whose first journal is missing while the second exists', async () => {
    await rename(`${file}.journal-1`, `${file}.journal-2`);
    await expectRefusal(/journal-1: It is missing/);
  });

  it('data file whose first journal is cut short while the second exists', async () => {
    await writeFile(`${file}.journal-1`, sound.journal.subarray(0, -5));
    await writeFile(`${file}.journal-2`, sound.journal);
    await expectRefusal(/journal-1.*within a/);
  });

  it('data file that requires more journal lines than exist', async () => {
    const all = parse(sound.data).toSpliced(-1, 1, { kind: 'journal', lines: 99 });
    await writeFile(file, frame([...all, { kind: 'end', lines: all.length }]));
    await expectRefusal(/journal-1: Expected at least 99 lines, got \d/);
  });
});
