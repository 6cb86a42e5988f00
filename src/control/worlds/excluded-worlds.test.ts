import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GivenSettings } from '../../config/settings.ts';
import { findDefects } from '../../invariants/violations.ts';
import { FileStorage } from '../../store/storage/file-storage.ts';
import { createTestClient, type TestClient } from '../../testing/client.ts';
import { newFolder } from '../../testing/files.ts';
import { worldCalls } from '../../testing/worlds.ts';

let data: string;
let told: string[];
let client: TestClient;
beforeEach(async () => {
  data = join(newFolder(), 'data.json');
  told = [];
  client = await open();
});
afterEach(async () => {
  await client.emulator.close();
});

async function open(settings: GivenSettings = {}): Promise<TestClient> {
  const log = { info: (line: string) => told.push(line), error: () => {} };
  return createTestClient(settings, { storage: await FileStorage.open(data, log, findDefects) });
}

/** Closes the emulator and opens its data file again. */
async function reopen(settings: GivenSettings = {}): Promise<void> {
  await client.emulator.close();
  client = await open(settings);
}

const { create, names } = worldCalls(() => client);

describe('worlds of the data file that the settings exclude', () => {
  it('stay in the data file, are reported, and open again under other settings', async () => {
    await create('mine');
    await create('theirs', 'key_test_other');
    await reopen({ keys: ['key_test_emulator'] });
    await client.api('listCustomers', { key: 'key_test_other' }, 401);
    await client.api('createSandbox', { body: { name: 'other' } }, 409);
    const named = [...told];
    await reopen();

    expect(named).toEqual([expect.stringContaining('does not list key_test_other')]);
    expect(await names('key_test_other')).toEqual(['theirs']);
  });

  it('prevent a start if they are more than can be open, and stay in the data file', async () => {
    await create('mine');
    await create('theirs', 'key_test_other');
    await client.emulator.close();
    const storage = await FileStorage.open(data, { info: () => {}, error: () => {} }, findDefects);

    expect(() => createTestClient({ limits: { MAX_SANDBOXES: 1 } }, { storage })).toThrow(
      'The data has 2 sandboxes; at most 1 can be open: no room for other.',
    );
    await storage.close();
    client = await open();
    expect(await names('key_test_other')).toEqual(['theirs']);
  });
});
