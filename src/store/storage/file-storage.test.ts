import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GivenSettings } from '../../config/settings.ts';
import { findDefects } from '../../invariants/violations.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { eventually, SOON } from '../../testing/eventually.ts';
import { newFolder } from '../../testing/files.ts';
import type { World } from '../world.ts';
import { FileStorage, readImages } from './file-storage.ts';

const KEY = 'key_test_kept';
let folder: string;
let file: string;
let told: string[];
let client: TestClient;

beforeEach(() => {
  folder = newFolder();
  file = join(folder, 'data.json');
  told = [];
});

async function start(settings: GivenSettings = {}, data = file): Promise<TestClient> {
  const log = { error: (line: string) => told.push(line), info: (line: string) => told.push(line) };
  client = createTestClient(settings, { storage: await FileStorage.open(data, log, findDefects) });
  return client;
}

const stop = () => client.emulator.close();
const create = (name: string) => client.api('createVendor', { key: KEY, body: { name } }, 201);
const api: TestClient['api'] = (id, parts, status) =>
  client.api(id, { key: KEY, ...parts }, status);

/** The names of the vendors that the file holds at this moment. */
async function kept(): Promise<unknown[]> {
  const images = await readImages(file, findDefects);
  const world = images.find(({ kind, key }) => kind === 'world' && key === KEY);
  return (world?.tables['vendors'] ?? []).map((row) => (row as { name?: string }).name);
}

describe('a data file', () => {
  it('restores sandboxes with their valid keys, time to live, snapshots and origins', async () => {
    const settings = { keys: [KEY] };
    await start(settings);
    await create('one');
    await api('saveSnapshot', { body: { name: 'saved' } }, 201);
    const made = { snapshot: 'saved', time_to_live: 'PT1H' };
    await api('createSandbox', { body: { name: 'copy', ...made } }, 201);
    await create('two');
    await stop();
    await start(settings);
    const copy = await api('resetWorld', { key: 'key_test_copy', body: {} });
    const restored = await api('resetWorld', { body: { to: 'snapshot', name: 'saved' } });
    const { items } = await api('listSandboxes');
    await stop();

    expect([copy.records.vendors, restored.records.vendors]).toEqual([1, 1]);
    expect(items).toMatchObject([
      { name: 'copy', closes_at: expect.any(String) },
      { name: 'kept', closes_at: null },
    ]);
  });

  it('restores what a reset restores: a fixture or an empty world', async () => {
    await start();
    for (const body of [{ name: 'fixture', fixture: 'quickstart' }, { name: 'empty' }])
      await api('createSandbox', { body }, 201);
    await stop();
    await start();
    const counts: number[] = [];
    for (const key of ['key_test_fixture', 'key_test_empty']) {
      await client.api('createVendor', { key, body: { name: 'more' } }, 201);
      const { records } = await api('resetWorld', { key, body: {} });
      counts.push(records.vendors ?? 0, records.customers ?? 0);
    }
    await stop();

    // The fixture has one vendor and two customers.
    expect(counts).toEqual([1, 2, 0, 0]);
  });

  it('is one JSON text with a record a line, for its owner alone', async () => {
    await start();
    await create('one');
    await stop();
    const text = await readFile(file, 'utf8');
    const { entries, count } = JSON.parse(text);

    expect([count, text.trimEnd().split('\n')]).toEqual([
      entries.length,
      expect.objectContaining({ length: entries.length + 2 }),
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['data.json']);
  });

  it('keeps the permissions that its owner gave it', async () => {
    await start();
    await stop();
    await chmod(file, 0o640);
    await start();
    await stop();

    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it('is written and locked where a link leads', async () => {
    const link = join(folder, 'link.json');
    await start();
    await stop();
    await symlink(file, link);
    await start({}, link);
    await create('one');
    await expect(FileStorage.open(file, console, findDefects)).rejects.toThrow('in use');
    await stop();

    expect([await readlink(link), await kept()]).toEqual([file, ['one']]);
  });

  it('holds in the background what was changed, also a world that is read meanwhile', async () => {
    await start();
    await create('one');
    await eventually(async () => (await kept()).length === 1, SOON);
    await create('two');
    await eventually(async () => (await kept()).length === 2, SOON);
    await stop();
  });

  it('stays as it is while it cannot be written, which the log says once, and is written later', async () => {
    await start();
    await create('one');
    await stop();
    const before = await readFile(file, 'utf8');
    await start();
    // Nothing can be opened for writing under the name of a folder.
    await mkdir(`${file}.new`);
    await create('two');
    await eventually(() => told.length > 0, SOON);
    const meanwhile = await readFile(file, 'utf8');
    await rm(`${file}.new`, { recursive: true, force: true });
    await eventually(async () => (await kept()).length === 2, SOON);
    await stop();

    expect(meanwhile).toBe(before);
    expect(told).toEqual([
      expect.stringContaining('data.json cannot be written: EISDIR'),
      'The data file can be written again.',
    ]);
  });

  it('stays as it is if it cannot be written on exit, which then fails', async () => {
    await start();
    await create('one');
    await stop();
    const before = await readFile(file, 'utf8');
    await start();
    await create('two');
    await mkdir(`${file}.new`);
    await expect(stop()).rejects.toThrow('data.json cannot be written');

    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('is not written after another emulator has taken it over', async () => {
    await start();
    await create('one');
    await rm(`${file}.lock`, { recursive: true });
    await mkdir(`${file}.lock`);

    await expect(stop()).rejects.toThrow('was taken over by another emulator');
    expect(await readdir(folder)).toEqual(['data.json.lock']);
  });

  it('is written in slices, so that others are served meanwhile', async () => {
    await start();
    const world = client.emulator.worlds.find(KEY) as World;
    let [taken, before, most] = [0, 0, 0];
    world.commit(() => {
      for (let seq = 1; seq <= 20_000; seq += 1) {
        const row = { id: `vendor ${seq}`, seq, name: 'x'.repeat(100) };
        const toJSON = () => {
          taken += 1;
          return row;
        };
        world.tables.vendors.put({ ...row, toJSON } as never);
      }
    });
    const stopped = stop();
    while (taken < 20_000) {
      before = taken;
      await turn();
      most = Math.max(most, taken - before);
    }
    await stopped;

    expect(most).toBeGreaterThan(250);
    expect(most).toBeLessThan(3_000);
  });
});
