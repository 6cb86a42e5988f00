import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GivenSettings } from '../../config/settings.ts';
import { type FormerState, FormerStates } from '../../store/former-states.ts';
import { openPersistence } from '../../store/storage/open-persistence.ts';
import { type AnyBody, createTestClient, type TestClient } from '../../testing/client.ts';
import { newFolder } from '../../testing/setups/new-folder.ts';
import { worldCalls } from '../../testing/setups/world-calls.ts';
import { runVerb } from '../../testing/verb.ts';
import { serialise } from '../../text/exact-json.ts';

let folder: string;
let data: string;
let told: string[];
let client: TestClient;
beforeEach(async () => {
  folder = newFolder();
  data = join(folder, 'data.json');
  told = [];
  client = await open();
});
afterEach(async () => {
  await client.emulator.close();
});

async function open(settings: GivenSettings = {}): Promise<TestClient> {
  const log = { info: (line: string) => told.push(line), error: () => {} };
  const kept = { data, data_mode: 'on-commit', reporting_currency: 'USD' } as const;
  return createTestClient(settings, { data: await openPersistence(kept, log) });
}

/** Closes the emulator and opens its data file again. */
async function reopen(settings: GivenSettings = {}): Promise<void> {
  await client.emulator.close();
  client = await open(settings);
}

const { create, names, exported } = worldCalls(() => client);
const undo = (status = 200, key = 'key_test_emulator') =>
  client.control('undoWorld', { key }, status);
const reset = () => client.control('resetWorld', { body: { to: 'empty' } }, 200);

describe('undoWorld', () => {
  it('undoes up to three resets, one per call', async () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      await create(name);
      await reset();
    }
    const found: string[][] = [];
    for (let count = 0; count < 3; count += 1) {
      await undo();
      found.push(await names());
    }
    await undo(404);

    expect(found).toEqual([['four'], ['three'], ['two']]);
  });

  it('undoes an import and a restore, and does not repeat ids', async () => {
    await create('first');
    await client.control('saveSnapshot', { body: { name: 'saved' } }, 201);
    const body = await client.control('exportWorld', {}, 200);
    const second = await create('second');
    await client.control('restoreSnapshot', { path: { name: 'saved' } }, 200);
    await undo();
    const afterRestore = await names();
    await client.control('importWorld', { body }, 200);
    await undo();

    expect([afterRestore, await names()]).toEqual([
      ['second', 'first'],
      ['second', 'first'],
    ]);
    expect((await create('third')).id).not.toBe(second.id);
  });

  it('restores every record and index of each of three states, whatever was written since', async () => {
    const key = 'key_test_exact';
    const before: string[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      await client.control('resetWorld', { key, body: { to: 'fixture', name: 'quickstart' } }, 200);
      await create(name, key);
      before.push(serialise(await exported(key)).text);
    }
    await client.control('resetWorld', { key, body: { to: 'empty' } }, 200);
    await create('discarded', key);
    const after: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await undo(200, key);
      after.push(serialise(await exported(key)).text);
      const { findings } = await client.control('verifyLedger', { key }, 200);
      expect(findings).toEqual([]);
    }

    expect(after).toEqual(before.slice(1).reverse());
    await create('five', key);
    expect((await names(key)).slice(0, 2)).toEqual(['five', 'two']);
  });

  it('restores both environments of a deleted sandbox with their records and indexes', async () => {
    const keys = ['key_test_shop', 'key_live_shop'];
    for (const key of keys) await create(`Acme of ${key}`, key);
    const before = await Promise.all(keys.map(exported));
    await client.control('deleteSandbox', { query: { name: 'shop' } }, 204);
    expect(await names('key_test_shop')).toEqual([]);
    await client.control('undoWorld', { body: { sandbox: 'shop' } }, 200);

    expect(await Promise.all(keys.map(exported))).toEqual(before);
    await create('Globex', 'key_test_shop');
    expect(await names('key_test_shop')).toEqual(['Globex', 'Acme of key_test_shop']);
  });

  it('restores a deleted sandbox by its key, or by its name after a restart', async () => {
    await create('Acme', 'key_test_shop');
    await client.control('deleteSandbox', { query: { name: 'shop' } }, 204);
    await undo(200, 'key_test_shop');
    const byKey = await names('key_test_shop');
    await client.control('createSandbox', { body: { name: 'made', time_to_live: 'PT1H' } }, 201);
    await create('Globex', 'key_test_made');
    await client.control('deleteSandbox', { query: { name: 'made' } }, 204);
    await reopen({ keys: 'listed', key_list: ['key_test_emulator'] });
    await client.control('undoWorld', { body: { sandbox: 'made' } }, 200);
    const { items } = await client.control('listSandboxes', {}, 200);

    expect([byKey, await names('key_test_made')]).toEqual([['Acme'], ['Globex']]);
    expect(items.map(({ name, closes_at }: AnyBody) => [name, closes_at !== null])).toEqual([
      ['emulator', false],
      ['made', true],
    ]);
    const { detail } = await client.control('undoWorld', { body: { sandbox: 'nobody' } }, 404);
    expect(detail).toContain('deletion of sandbox nobody is kept');
  });

  it('works after a restart, and after the data file was saved on exit', async () => {
    await create('one');
    await reset();
    await reopen();
    await client.emulator.close();
    const kept = { data, data_mode: 'on-exit', reporting_currency: 'USD' } as const;
    await (await openPersistence(kept, { info: () => {}, error: () => {} }))?.release();
    client = await open();
    await undo();

    expect(await names()).toEqual(['one']);
  });

  it('brings back a deleted snapshot with its own contents, also after a restart', async () => {
    const saved = { path: { name: 'saved' } };
    await create('one');
    await client.control('saveSnapshot', { body: { name: 'saved' } }, 201);
    await create('two');
    await client.control('deleteSnapshot', saved, 204);
    await client.control('undoWorld', { body: { snapshot: 'saved' } }, 200);
    await reopen();
    await client.control('restoreSnapshot', saved, 200);

    expect(await names()).toEqual(['one']);
  });
});

describe('worlds of the data file that the settings exclude', () => {
  it('stay in the data file, are reported, and open again under other settings', async () => {
    await create('mine');
    await create('theirs', 'key_test_other');
    await reopen({ keys: 'listed', key_list: ['key_test_emulator'] });
    await client.api('listCustomers', { key: 'key_test_other' }, 401);
    await client.control('createSandbox', { body: { name: 'other' } }, 409);
    const named = [...told];
    await reopen();

    expect(named).toEqual([expect.stringContaining('do not allow key_test_other')]);
    expect(await names('key_test_other')).toEqual(['theirs']);
  });

  it('make start exit with 3 if they exceed max_sandboxes, and stay in the data file', async () => {
    await create('mine');
    await create('theirs', 'key_test_other');
    await client.emulator.close();
    const settings = ['--max-sandboxes', '1', '--data', data, '--port', '0'];
    const { code, errors } = await runVerb(['start', ...settings]);
    client = await open();

    expect([code, errors.trimEnd()]).toEqual([
      3,
      'Expected max_sandboxes to be at least 2, as many as the data file holds, got 1: no room for other.',
    ]);
    expect(await names('key_test_other')).toEqual(['theirs']);
  }, 30_000);
});

/** A former state of some records. */
function stateOf(records: number): Omit<FormerState, 'number'> {
  const customers = Array.from({ length: records }, (_, seq) => ({ id: String(seq), seq }));
  const image = { sequence: 0, requests: 0, clock: { mode: 'real' }, tables: { customers } };
  return { saved_at: '2026-01-01T00:00:00.000Z', image } as never;
}

describe('FormerStates', () => {
  it('drops the oldest state when too many records are kept', () => {
    const states = new FormerStates();
    const state = stateOf(400_000);
    const gone = ['a', 'b', 'c'].flatMap((key) => states.add(key, state));

    expect(gone.map(([key]) => key)).toEqual(['a']);
    expect(states.latest('c')).toBeDefined();
    expect(states.add('c', state).map(([key]) => key)).toEqual(['b']);
    expect(states.add('c', state).map(([key]) => key)).toEqual(['c']);
  });

  it('lists every state that stays while another of its world is dropped', () => {
    const states = new FormerStates();
    for (const records of [600_000, 1]) states.add('a', stateOf(records));
    const entries = states.entries();
    entries.next();
    const gone = states.add('b', stateOf(600_000));

    expect(gone.map(([key, { number }]) => [key, number])).toEqual([['a', 1]]);
    expect([...entries].map(([key, { number }]) => [key, number])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });
});
