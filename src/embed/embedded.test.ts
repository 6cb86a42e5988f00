import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { createClient, createHandler, type EmbeddedWorld, startEmulator } from '../index.ts';
import { newFolder } from '../testing/files.ts';
import { startServer } from '../testing/server.ts';

const START = { clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' } as const;

async function listVendors(url: string, key: string): Promise<{ total_count: number }> {
  const response = await fetch(`${url}/vendors`, { headers: { Authorization: `Bearer ${key}` } });
  return (await response.json()) as { total_count: number };
}

describe('startEmulator', () => {
  it('runs two emulators in one process with separate data', async () => {
    const one = await startEmulator({ settings: START });
    const other = await startEmulator({ settings: { ...START, fixture: '' } });

    expect(one.url).not.toBe(other.url);
    expect((await listVendors(one.url, one.key)).total_count).toBe(1);
    expect((await listVendors(other.url, other.key)).total_count).toBe(0);
    await one.close();
    await other.close();
    await expect(fetch(`${one.url}/livez`)).rejects.toThrow();
  });

  it('rejects a setting that is not inside settings', () =>
    expect(startEmulator({ clock: 'frozen' } as object)).rejects.toThrow('Unknown option clock.'));

  it('returns an emulator that applies fault rules and counts how often', async () => {
    await using emulator = await startEmulator({ settings: { ...START, fixture: '' } });
    const { url, key, faults } = emulator;
    await faults.set({ match: { operation: 'listVendors' }, times: 1, connection: 'reset' });

    await expect(listVendors(url, key)).rejects.toThrow('fetch failed');
    expect((await listVendors(url, key)).total_count).toBe(0);
    expect((await faults.list()).rules).toMatchObject([{ seen: 2, applied: 1 }]);
    await faults.clear();
    expect((await faults.add({ latency: '1ms' })).rules).toHaveLength(1);
    await emulator.reset();
    expect((await faults.list()).rules).toEqual([]);
    await expect(faults.add({})).rejects.toMatchObject({ status: 422 });
  });

  it('closes the emulator at the end of an await using block', async () => {
    let url = '';
    {
      await using emulator = await startEmulator({ settings: START });
      url = emulator.url;
      expect((await fetch(`${url}/livez`)).status).toBe(200);
    }
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });

  it('stores its worlds in the file of the setting data', async () => {
    const folder = newFolder();
    const settings = { ...START, data: join(folder, 'state.json') };
    const one = await startEmulator({ settings });
    await listVendors(one.url, one.key);
    await one.close();
    await one.close();
    const other = await startEmulator({ settings: { ...settings, fixture: '' } });
    const { total_count } = await listVendors(other.url, other.key);
    await other.close();

    expect(total_count).toBe(1);
  });

  it('ends an await using block whose sandbox was already deleted', async () => {
    await using emulator = await startEmulator({ settings: START });
    await using sandbox = await emulator.sandbox('short');
    await sandbox.delete();

    await expect(sandbox.delete()).rejects.toMatchObject({ status: 404 });
  });

  it('provides its URL and key as environment variables', async () => {
    await using emulator = await startEmulator();

    expect(emulator.env).toEqual({
      BILLING_EMULATOR_URL: emulator.url,
      BILLING_EMULATOR_KEY: 'key_test_emulator',
    });
  });
});

const create = (url: string, key: string, name: string) =>
  createClient({ url, key }).call('createVendor', { body: { name } });

describe('a running emulator', () => {
  it('is reset to its initial state and restored to a snapshot', async () => {
    await using emulator = await startEmulator({ settings: START });
    const { url, key } = emulator;
    const exported = () => emulator.client.call('exportWorld');
    const opened = await exported();
    await create(url, key, 'One');
    const saved = await emulator.snapshot();
    const one = await exported();
    for (let turn = 0; turn < 2; turn += 1) {
      await create(url, key, 'Two');
      await emulator.clock.advance('P1M');
      await saved.restore();

      expect(await exported()).toEqual(one);
    }
    await emulator.reset();

    expect(await exported()).toEqual(opened);
  });

  it('creates sandboxes from a fixture, as a copy of another, or empty', async () => {
    await using emulator = await startEmulator({ settings: START });
    const filled = await emulator.sandbox('filled', { fixture: 'quickstart' });
    await create(filled.url, filled.key, 'Mine');
    await using copy = await emulator.sandbox('copy', { sandbox: 'filled' });
    await using empty = await emulator.sandbox('empty');
    const counts = await Promise.all(
      [emulator, filled, copy, empty].map(async ({ url, key }) => listVendors(url, key)),
    );
    await expect(emulator.sandbox('filled')).rejects.toMatchObject({ status: 409 });
    await filled.delete();
    const { items } = await emulator.client.call('listSandboxes');

    expect(counts.map(({ total_count }) => total_count)).toEqual([1, 2, 2, 0]);
    expect(items.map(({ name }) => name)).toEqual(['copy', 'empty', 'emulator']);
  });
});

describe('test controls', () => {
  const EVENT = '68e8980c-fd79-46ea-be14-0e9f2be7df0a';

  const use = (world: EmbeddedWorld) =>
    world.client.call('submitEvents', {
      body: {
        customer_external_id: 'acme',
        events: [
          {
            id: EVENT,
            event_type: 'llm.completion',
            occurred_at: START.clock_now,
            data: { model: 'large', tokens: 417000 },
          },
        ],
      },
    });

  it('wait for a request, explain its fee and restore a snapshot', async () => {
    await using emulator = await startEmulator({ settings: START });
    const before = await emulator.snapshot();
    const waiting = emulator.requests.wait({ operation: 'submitEvents', timeout_seconds: 4 });
    await use(emulator);
    const { items } = await waiting;
    const explained = await emulator.explain(EVENT);
    await emulator.assertSound();
    await before.restore();

    expect(items).toMatchObject([{ status: 204 }]);
    expect(explained).toMatchObject({ fees: [{ amount: 4.17 }] });
    await expect(emulator.explain(EVENT)).rejects.toMatchObject({ status: 404 });
  });

  it('settle a payment and wait for a webhook delivery', async () => {
    await using emulator = await startEmulator({ settings: START });
    const world = emulator.as('key_test_shop');
    const { client } = world;
    const inbox = `${world.url}/_emulator/inbox/shop`;
    await client.call('createWebhook', { body: { url: inbox } });
    const { id } = await client.call('createCustomer', { body: { name: 'A' } });
    const urls = { return_url: 'https://shop.example/ok', failure_url: 'https://shop.example/no' };
    const body = { customer_id: id, amount: 20, currency: 'USD', ...urls };
    const topUp = await client.call('createTopUp', { body });
    const settled = await world.payments.settle(topUp.id, { outcome: 'succeeded' });
    const path = { topic: 'subscription.activated' } as const;
    await client.call('testWebhooks', { path, body: { plan: 'gold' } });
    const delivered = await world.webhooks.wait({ data: { plan: 'gold' }, timeout_seconds: 4 });

    expect(settled).toMatchObject({ kind: 'top_up', status: 'succeeded', changed: true });
    expect(delivered).toMatchObject({ items: [{ status: 'delivered' }] });
  });
});

it('createClient() rejects with the status and text of a response that is not JSON', async () => {
  const { url, close } = await startServer((_request, response) =>
    response.writeHead(502).end('<h1>Bad</h1>'),
  );
  const client = createClient({ url, key: 'key_test_a' });
  await expect(client.call('getClock')).rejects.toMatchObject({
    status: 502,
    text: '<h1>Bad</h1>',
  });
  await close();
});

describe('createHandler', () => {
  it('serves requests of supertest without a port', async () => {
    const response = await supertest(createHandler({ fixture: '' }))
      .get('/accounts/self')
      .set('Authorization', 'Bearer key_test_mine');

    expect(response.body).toMatchObject({ name: 'mine', environment: 'test' });
    expect(() => createHandler({ data: 'state.json' })).toThrow('data needs startEmulator');
  });
});
