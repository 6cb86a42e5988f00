import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { createHandler, startEmulator } from './index.ts';
import { test } from './vitest.ts';

const START = { clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' } as const;

async function listVendors(url: string, key: string): Promise<{ total_count: number }> {
  const response = await fetch(`${url}/vendors`, { headers: { Authorization: `Bearer ${key}` } });
  return (await response.json()) as { total_count: number };
}

describe('startEmulator', () => {
  it('serves two emulators in one process that never touch', async () => {
    const one = await startEmulator({ settings: START });
    const other = await startEmulator({ settings: { ...START, fixture: '' } });

    expect(one.url).not.toBe(other.url);
    expect((await listVendors(one.url, one.key)).total_count).toBe(1);
    expect((await listVendors(other.url, other.key)).total_count).toBe(0);
    await one.close();
    await other.close();
    await expect(fetch(`${one.url}/livez`)).rejects.toThrow();
  });

  it('steers the clock by its typed client', async () => {
    const emulator = await startEmulator({ settings: { ...START, fixture: '' } });
    await emulator.advance('P1M');
    const clock = await emulator.control.call('getClock');

    expect(clock).toMatchObject({ mode: 'frozen', now: '2026-02-15T12:00:00.000Z' });
    await expect(
      emulator.control.call('advanceClock', { body: { by: 'soon' } }),
    ).rejects.toMatchObject({ status: 422 });
    await emulator.close();
  });

  it('closes by itself at the end of a block', async () => {
    let url = '';
    {
      await using emulator = await startEmulator({ settings: START });
      url = emulator.url;
      expect((await fetch(`${url}/livez`)).status).toBe(200);
    }
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });

  it('tells a child process where it is', async () => {
    await using emulator = await startEmulator();

    expect(emulator.env).toEqual({
      BILLING_EMULATOR_URL: emulator.url,
      BILLING_EMULATOR_KEY: 'key_test_emulator',
    });
  });
});

const create = (url: string, key: string, name: string) =>
  fetch(`${url}/vendors`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });

describe('a running emulator', () => {
  it('goes back to what it opened with, and to what it held at a moment', async () => {
    await using emulator = await startEmulator({ settings: START });
    const { url, key } = emulator;
    const opened = await emulator.export();
    await create(url, key, 'One');
    const saved = await emulator.snapshot();
    const one = await emulator.export();
    for (let turn = 0; turn < 2; turn += 1) {
      await create(url, key, 'Two');
      await emulator.advance('P1M');
      await saved.restore();

      expect(await emulator.export()).toEqual(one);
    }
    await emulator.reset();

    expect(await emulator.export()).toEqual(opened);
  });

  it('opens sandboxes of other names, filled or empty', async () => {
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
    const { items } = await emulator.control.call('listSandboxes');

    expect(counts.map(({ total_count }) => total_count)).toEqual([1, 2, 2, 0]);
    expect(items.map(({ name }) => name)).toEqual(['copy', 'empty', 'emulator']);
  });
});

describe('createHandler', () => {
  it('works under a test client without a port', async () => {
    const response = await supertest(createHandler({ fixture: '' }))
      .get('/accounts/self')
      .set('Authorization', 'Bearer key_test_mine');

    expect(response.body).toMatchObject({ name: 'mine', environment: 'test' });
  });
});

describe('the test fixture', () => {
  test('gives each test a world of its own', async ({ sandbox }) => {
    await create(sandbox.url, sandbox.key, 'Mine');

    expect((await listVendors(sandbox.url, sandbox.key)).total_count).toBe(1);
  });

  test('gives the next test another', async ({ sandbox }) => {
    expect((await listVendors(sandbox.url, sandbox.key)).total_count).toBe(0);
  });
});
