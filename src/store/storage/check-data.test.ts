import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { runVerb } from '../../testing/verb.ts';
import { checkData, repairData } from './check-data.ts';
import { openPersistence } from './open-persistence.ts';

const SILENT = { error: () => {}, info: () => {} };
let folder: string;
let file: string;
let out: string;
beforeEach(async () => {
  folder = newFolder();
  [file, out] = [join(folder, 'data.json'), join(folder, 'repaired.json')];
  const client = await open(file, 'quickstart');
  await client.api('createVendor', { body: { name: 'Later' } }, 201);
  await client.control('saveSnapshot', { body: { name: 'first' } }, 201);
  await client.api('createVendor', { body: { name: 'Other' }, key: 'key_test_other' }, 201);
  await client.emulator.close();
});

async function open(path: string, fixture = ''): Promise<TestClient> {
  const settings = { data: path, data_mode: 'on-commit', reporting_currency: 'USD' } as const;
  return createTestClient({ fixture }, { data: await openPersistence(settings, SILENT) });
}

/** Replaces text in the journal, whose checksums then do not match. */
async function spoil(from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(`${file}.journal-1`, 'utf8');
  await writeFile(`${file}.journal-1`, text.replace(from, to));
}

/** Puts the data file of release 0.1.0, with replaced text, in place of the written one. */
async function writeFormer(from: string | RegExp, to: string): Promise<void> {
  const former = new URL('../testdata/release-0.1.0/data.json', import.meta.url);
  await writeFile(file, (await readFile(former, 'utf8')).replace(from, to));
  await rm(`${file}.journal-1`);
}

describe('checkData', () => {
  it('finds no flaws in a data file that an emulator wrote', async () => {
    const verdict = await checkData(file, 'USD');

    expect(verdict).toMatchObject({ worlds: 2, flaws: [], unfinished: [] });
  });

  it('reports all flaws at once, and an incomplete last line as unfinished', async () => {
    await spoil('"Later"', '"Sooner"');
    await spoil('"kind":"save"', '"kind":"SAVE"');
    await appendFile(`${file}.journal-1`, 'abcdef');
    const { flaws, unfinished } = await checkData(file, 'USD');

    expect(flaws.map(({ message }) => message)).toEqual([
      'Its checksum does not match.',
      'Its checksum does not match.',
    ]);
    expect(unfinished).toHaveLength(1);
  });
});

describe('repairData', () => {
  it('writes the intact records, lists the flaws and leaves the damaged file unchanged', async () => {
    await spoil('"Later"', '"Sooner"');
    const before = await readFile(`${file}.journal-1`);
    const { flaws } = await repairData(file, out, 'USD');
    const client = await open(out);
    const vendors = await client.api('listVendors', {}, 200);
    const others = await client.api('listVendors', { key: 'key_test_other' }, 200);
    const customers = await client.api('listCustomers', {}, 200);
    await client.emulator.close();

    expect(flaws).toHaveLength(1);
    expect([vendors.total_count, others.total_count, customers.total_count]).toEqual([1, 1, 2]);
    expect(await readFile(`${file}.journal-1`)).toEqual(before);
    await expect(async () => repairData(file, out, 'USD')).rejects.toThrow('already exists');
  });

  it('leaves out a customer whose ledger does not add up, but keeps the products', async () => {
    await writeFormer('"available":"402"', '"available":"999"');
    const { flaws } = await repairData(file, out, 'USD');
    const client = await open(out);
    const customers = await client.api('listCustomers', {}, 200);
    const products = await client.api('listProducts', {}, 200);
    await client.emulator.close();

    expect(flaws.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('Expected 402, got 999. It is left out'),
    );
    expect(customers.total_count).toBe(0);
    expect(products.total_count).toBeGreaterThan(0);
  });

  it('stops a clock before 1970, which release 0.1.0 accepted, at the start of 1970', async () => {
    const at = '1965-01-01T00:00:00.000Z';
    await writeFormer(/0,"clock":{[^}]*}/, `7,"clock":{"mode":"frozen","at":"${at}"}`);
    const { flaws } = await repairData(file, out, 'USD');
    const client = await open(out);
    const { requests } = await client.control('exportWorld', {}, 200);
    const clock = await client.control('getClock', {}, 200);
    const customers = await client.api('listCustomers', {}, 200);
    await client.emulator.close();

    expect(flaws.map(({ message }) => message)).toEqual([
      `clock: Expected a clock from 1970 to 9999, got {"mode":"frozen","at":"${at}"}.`,
    ]);
    expect(clock).toMatchObject({ mode: 'frozen', now: '1970-01-01T00:00:00.000Z' });
    expect(requests).toBe(7);
    expect(customers.total_count).toBe(1);
  });
});

describe('billing-emulator data', () => {
  it('checks and repairs a file, and exits with 4 if it is damaged, missing or unreadable', async () => {
    const sound = await runVerb(['data', 'check', file]);
    await spoil('"Later"', '"Sooner"');
    const wrong = await runVerb(['data', 'check', file]);
    const repaired = await runVerb(['data', 'repair', file, '--out', out]);
    const again = await runVerb(['data', 'check', out, '--json']);
    const missing = await runVerb(['data', 'check', join(folder, 'none.json')]);
    await rm(file);
    await mkdir(file);
    const unreadable = await runVerb(['data', 'check', file]);
    const start = await runVerb(['start', '--port', '0', '--data', file]);

    expect([sound.code, sound.out]).toEqual([
      0,
      expect.stringMatching(/is intact: 2 worlds, \d+ records/),
    ]);
    expect([wrong.code, wrong.out]).toEqual([
      4,
      expect.stringMatching(/journal-1, line \d+: Its checksum.*\n1 problem in 2 worlds, /),
    ]);
    expect([repaired.code, repaired.out]).toEqual([0, expect.stringContaining('Left out: 1.')]);
    expect([again.code, JSON.parse(again.out).flaws]).toEqual([0, []]);
    expect([missing.code, missing.errors]).toEqual([4, expect.stringContaining('does not exist')]);
    for (const { code, errors } of [unreadable, start])
      expect([code, errors]).toEqual([4, expect.stringMatching(/cannot be read: EISDIR/)]);
  }, 60_000);
});
