import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nextUuid } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { newFolder, openFile } from '../../testing/files.ts';

const KEY = 'key_test_emulator';

let folder: string;
let file: string;
/** The file without damage. */
let sound: Buffer;

async function useTokens({ api }: TestClient): Promise<void> {
  const { now: occurred_at } = await api('getClock');
  const usage = { event_type: 'llm.completion', data: { model: 'large', tokens: 1000 } };
  const events = [{ id: nextUuid(), occurred_at, ...usage }];
  await api('submitEvents', { body: { customer_external_id: 'acme', events } }, 204);
}

beforeAll(async () => {
  folder = newFolder();
  file = join(folder, 'data.json');
  const client = createTestClient({ fixture: 'quickstart' }, { storage: await openFile(file) });
  await client.api('createCustomer', { body: { name: 'Other' } }, 201);
  await useTokens(client);
  await client.api('saveSnapshot', { body: { name: 'saved' } }, 201);
  await client.emulator.close();
  sound = await readFile(file);
});

beforeEach(async () => {
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await writeFile(file, sound);
});

/** Changes the text of the file. */
const bytes = (spoil: (text: string) => string) => (given: Buffer) =>
  Buffer.from(spoil(given.toString('latin1')), 'latin1');
/** Changes the list of lines. */
const lines = (spoil: (all: string[]) => readonly string[]) =>
  bytes((text) => `${spoil(text.trimEnd().split('\n')).join('\n')}\n`);
/** Changes the entries, in a file that is otherwise right. */
const entries = (spoil: (all: AnyBody[]) => unknown) => (given: Buffer) => {
  const { entries: all, count: _, ...head } = JSON.parse(given.toString());
  const other = spoil(all);
  const kept: AnyBody[] = Array.isArray(other) ? other : all;
  const found = kept.map((entry) => JSON.stringify(entry));
  const opened = `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  return Buffer.from(`${opened}\n${found.join(',\n')}\n],"count":${found.length}}\n`);
};
/** Changes the first row of a table of the world. */
const row = (table: string, spoil: (row: AnyBody) => void) =>
  entries((all) => spoil(all.find((each) => each[0] === table)[1]));
const label = (changes: object) => entries(([first]) => void Object.assign(first, changes));

type Damage = readonly [name: string, spoil: (given: Buffer) => Buffer, said: RegExp];

const OF_TEXT: readonly Damage[] = [
  ['empty', () => Buffer.from(''), /data\.json: Its end is missing/],
  ['of something else', () => Buffer.from('hello\n'), /line 1: It is not a data file/],
  ['without its end', lines((all) => all.slice(0, -1)), /Its end is missing/],
  ['without a line', lines((all) => all.toSpliced(5, 1)), /Expected \],"count":\d+\}, got/],
  [
    'with a line twice',
    lines((all) => all.toSpliced(5, 0, all[5] as string)),
    /Expected \],"count":\d+\}, got/,
  ],
  ['with a line after its end', lines((all) => [...all, all[4] as string]), /comes after the end/],
  [
    'with bytes that are not UTF-8',
    bytes((text) => text.replace('Acme', 'Ac\xff\xfe')),
    /line \d+: It is not UTF-8/,
  ],
  [
    'with zeros in the middle',
    bytes((text) => `${text.slice(0, 300)}${'\0'.repeat(200)}${text.slice(500)}`),
    /is not JSON/,
  ],
  ['without its first line', lines((all) => all.slice(1)), /line 1: /],
  [
    'of another format',
    bytes((text) => text.replace('billing-emulator-data', 'zip')),
    /not a data file/,
  ],
  [
    'of another release',
    bytes((text) => text.replace('"schema_version":1', '"schema_version":99')),
    /another release \(schema 99/,
  ],
];

/** Changes of what the file says about its world, each of which makes it none. */
const NO_LABELS: readonly object[] = [
  { kind: 'magic' },
  { kind: 'toString' },
  { key: 'my world' },
  { made: 'yes' },
  { origin: { kind: 'moon' } },
  { sequence: -1 },
  { requests: 'many' },
  { clock: null },
  { clock: { mode: 'sun' } },
  { clock: { mode: 'frozen', at: 'noon' } },
  { clock: { mode: 'frozen', at: '0000-01-01T00:00:00.000Z' } },
  { clock: { mode: 'offset' } },
];
const NO_LABEL = /line \d: Expected a world or a row of one: /;

const snapshotIn = (all: readonly AnyBody[]): AnyBody =>
  all.find(({ kind }) => kind === 'snapshot');

const OF_ENTRIES: readonly Damage[] = [
  ...NO_LABELS.map(
    (changes): Damage => [`with ${JSON.stringify(changes)}`, label(changes), NO_LABEL],
  ),
  ['with a row of no world', entries((all) => all.slice(1)), NO_LABEL],
  ['with an entry that is null', entries((all) => [null, ...all]), NO_LABEL],
  ['with a world twice', entries((all) => [...all, all[0]]), /There is a second world of key_test/],
  [
    'with a snapshot of an unknown world',
    entries((all) => void Object.assign(snapshotIn(all), { key: 'key_test_b' })),
    /There is no world key_test_b before it/,
  ],
  [
    'with a snapshot of a live world, whose key is shortened',
    entries((all) => void Object.assign(snapshotIn(all), { key: 'key_live_northwind' })),
    /There is no world key_live_nor… before it/,
  ],
  [
    'with a snapshot without a time',
    entries((all) => void delete snapshotIn(all).saved_at),
    /Expected a world or a row/,
  ],
  [
    'with an order below that of its rows',
    label({ sequence: 3 }),
    /seq: Expected a place in the order of creation, from 0 to 3/,
  ],
];

/** Of records: more of what makes them invalid is tested with imports, which are validated alike. */
const OF_ROWS: readonly Damage[] = [
  [
    'with a table called __proto__',
    entries((all) => void all.splice(1, 0, ['__proto__', { id: 'x' }])),
    /no such table/,
  ],
  [
    'with a row that is null',
    entries((all) => void all.splice(1, 0, ['customers', null])),
    /line 3: Expected a world or a row of one/,
  ],
  [
    'with a row without id',
    row('customers', (each) => delete each.id),
    /Expected a world or a row of one/,
  ],
  [
    'with a row before the first place',
    row('customers', (each) => Object.assign(each, { seq: -1e300 })),
    /customers\[0\]\.seq: Expected a place in the order of creation, from 0/,
  ],
  [
    'with an invalid instant',
    row('customers', (each) => Object.assign(each, { created_at: 'today' })),
    /customers\[0\]\.created_at/,
  ],
  [
    'with a balance changed',
    row('wallet_accounts', (each) => Object.assign(each, { available: '7777' })),
    /A balance is the sum/,
  ],
  [
    'without a customer that others name',
    entries((all) => all.filter((each) => each[0] !== 'customers')),
    /Its customer_id cust_\w+ does not exist/,
  ],
  [
    'billed by a version that is not there',
    row('events', ({ billed_by }) => Object.assign(billed_by[0], { version: 99 })),
    /Its version 99 of/,
  ],
  [
    'billed by a subscription of another',
    row('events', ({ billed_by }) => Object.assign(billed_by[0], { subscription_id: 'sub_0' })),
    /no subscription sub_0/,
  ],
  [
    'billed by two versions',
    row('events', ({ billed_by }) => billed_by.push({ ...billed_by[0] })),
    /Two versions of/,
  ],
  [
    'with a fee of a price that is not there',
    row('events', ({ fees }) => Object.assign(fees[0].terms, { price_id: 'prc_0' })),
    /the price prc_0 of a fee/,
  ],
  [
    'with a damaged row of a snapshot',
    entries((all) => void delete all[all.findIndex(({ kind }) => kind === 'snapshot') + 3][1].seq),
    /key_test_emulator, snapshot: tables\.\w+/,
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
  await expect(openFile(file)).rejects.toThrow(said);
  expect(await look()).toEqual(before);
}

describe('a damaged data file stops the start and is not changed', () => {
  it('but one without damage opens with its snapshots', async () => {
    const storage = await openFile(file);
    const kinds = storage.take(KEY).map(({ kind }) => kind);
    await storage.release();

    expect(kinds).toEqual(['world', 'snapshot']);
  });

  it.each([...OF_TEXT, ...OF_ENTRIES, ...OF_ROWS])('data file %s', async (_, spoil, said) => {
    await writeFile(file, spoil(sound));
    await expectRefusal(said);
  });

  it('data file cut at any of 50 places', async () => {
    for (let part = 0; part < 50; part += 1) {
      await writeFile(file, sound.subarray(0, Math.floor((sound.length * part) / 50)));
      await expectRefusal(/data\.json/);
    }
  });

  it('data file that is a folder', async () => {
    await rm(file);
    await mkdir(file);
    await expectRefusal(/^.*data\.json cannot be read: EISDIR/);
  });
});
