import { describe, expect, it, onTestFinished } from 'vitest';
import { fromMillis, type Instant, instant, after as later } from '../domain/instant.ts';
import { createEmulator } from '../main.ts';
import type { World } from '../store/world.ts';
import { CREDIT_ASSET, EVERY_DAY, entitlement, nextUuid, UNUSED } from '../testing/catalog.ts';
import { type AnyBody, TEST_NOW, worldOf } from '../testing/client.ts';
import { SOON } from '../testing/eventually.ts';
import { listenRaw } from '../testing/server.ts';
import { aBusyWorld, advance, BUSY, openBusy } from '../testing/worlds.ts';
import { nextDue } from './due.ts';

describe('a running clock', () => {
  /** An emulator whose machine time the test sets. */
  function aMachine(settings = {}) {
    let now = Date.parse(TEST_NOW);
    const emulator = createEmulator({
      settings: { fixture: '', log_level: 'silent', ...settings },
      machine: () => now,
    });
    onTestFinished(() => emulator.close());
    const world = worldOf(emulator);
    const target = emulator.targetOf(world);
    const send = (call: string, parts: object = {}): AnyBody =>
      (target.send({ call, ...parts }) as { body: AnyBody }).body;
    const wait = (ms: number) => {
      now += ms;
    };
    return { emulator, world, send, wait };
  }

  function give(send: (call: string, parts: object) => AnyBody, expires_at: string): string {
    const { id: customerId } = send('createCustomer', { body: { name: 'Acme' } });
    const body = { transaction_id: nextUuid(), asset: 'USD', amount: 10, reason: 'gift' };
    send('adjustWallet', { path: { customerId }, body: { ...body, expires_at } });
    return customerId;
  }

  it('runs due work before a request reads the state', () => {
    const { send, wait } = aMachine();
    const customerId = give(send, '2026-01-15T12:00:01.000Z');
    const balance = () =>
      send('getWallet', { path: { customerId } }).accounts[0].available as number;

    wait(999);
    expect(balance()).toBe(10);
    wait(1);
    expect(balance()).toBe(0);
  });

  it('runs due work of the past days at the instants at which it was due', () => {
    const { send, wait, world } = aMachine();
    send('createAsset', { body: CREDIT_ASSET });
    const product = { name: 'Daily', code: 'daily', publish: true, prices: [UNUSED] };
    send('createProduct', { body: { ...product, entitlements: [entitlement(50, EVERY_DAY)] } });
    const body = { name: 'Acme', subscriptions: [{ products: [{ code: 'daily' }] }] };
    const { id: customerId } = send('createCustomer', { body });
    wait(3.5 * 86_400_000);
    const path = { customerId, accountId: 'default:CREDIT' };
    const { items } = send('listGrants', { path });

    expect(items.map((grant: AnyBody) => [grant.effective_at, grant.available])).toEqual([
      ['2026-01-18T12:00:00.000Z', 50],
      ['2026-01-17T12:00:00.000Z', 0],
      ['2026-01-16T12:00:00.000Z', 0],
      ['2026-01-15T12:00:00.000Z', 0],
    ]);
    expect(world.now).toBe('2026-01-19T00:00:00.000Z');
  });

  it('runs no due work of a world that was closed', () => {
    const { emulator, world, send, wait } = aMachine();
    give(send, '2026-01-15T12:00:01.000Z');
    emulator.worlds.close('emulator');
    wait(1_000);
    emulator.clocks.running.runDueJobs(world);

    expect([...world.tables.wallet_accounts.values()]).toMatchObject([{ available: '10' }]);
  });

  it('runs due work by a timer, without a request', async () => {
    const emulator = createEmulator({ settings: { fixture: '', log_level: 'silent' } });
    onTestFinished(() => emulator.close());
    const world = worldOf(emulator);
    const target = emulator.targetOf(world);
    const send = (call: string, parts: object): AnyBody =>
      (target.send({ call, ...parts }) as { body: AnyBody }).body;
    give(send, fromMillis(Date.parse(world.now) + 60));

    await expect
      .poll(() => [...world.tables.wallet_accounts.values()].map(({ available }) => available))
      .toEqual(['0']);
    const [transaction] = [...world.tables.transactions.values()].reverse();
    const [grant] = [...world.tables.grants.values()];
    expect(transaction?.created_at).toBe(grant?.expires_at);
  });

  it('catches up on much due work in the background and shows the instant reached', async () => {
    const client = openBusy({ clock: 'real' });
    await aBusyWorld(client, BUSY);
    const set = (body: object) => client.api('setClock', { key: BUSY, body });
    const clock = () => client.api('getClock', { key: BUSY });
    await set({ mode: 'offset', now: '2080-01-01T00:00:00Z' });
    const first = await clock();
    const second = await clock();

    expect(first.advancing).toBe(true);
    expect(first.now < second.now).toBe(true);
    expect(second.now < '2080').toBe(true);
    expect((await advance(client, { by: 'P1D' })).status).toBe(409);
    const stopped = await set({ mode: 'frozen' });
    expect(stopped).toMatchObject({ advancing: false, mode: 'frozen' });
    expect(stopped.now < '2080').toBe(true);
    await set({ mode: 'offset' });
    await set({ mode: 'offset', now: later(stopped.now, 'P2Y') });
    await expect.poll(async () => (await clock()).advancing).toBe(false);
    expect((await clock()).now >= later(stopped.now, 'P2Y')).toBe(true);
    const late = client.emulator.worlds.find(BUSY) as World;
    expect((nextDue(late)?.at as Instant) > late.now).toBe(true);
  });

  it('runs at an offset from real time after an advance', async () => {
    const { emulator, world, send, wait } = aMachine();
    const to = instant('2026-03-01T00:00:00Z');
    const advanced = await emulator.clocks.advance(world, to, 'to');

    expect([advanced.mode_before, advanced.mode]).toEqual(['real', 'offset']);
    wait(5000);
    expect(world.now).toBe('2026-03-01T00:00:05.000Z');
    expect(send('getClock')).toMatchObject({ mode: 'offset', now: '2026-03-01T00:00:05.000Z' });
    send('setClock', { body: { mode: 'real' } });
    expect(world.now).toBe('2026-01-15T12:00:05.000Z');
  });

  it('runs the due work that a frozen setClock skipped as soon as it runs again', () => {
    const { send } = aMachine();
    const customerId = give(send, '2026-02-01T00:00:00.000Z');
    send('setClock', { body: { mode: 'frozen', now: '2026-03-01T00:00:00Z' } });
    const available = () => send('getWallet', { path: { customerId } }).accounts[0].available;
    expect(available()).toBe(10);
    send('setClock', { body: { mode: 'offset' } });

    expect(available()).toBe(0);
  });

  it('retries webhooks by the timer', async () => {
    const client = openBusy({ clock: 'real', retry_schedule: ['1s'] });
    const { url, requests, close } = await listenRaw((at) => (at === 0 ? 500 : 204));
    onTestFinished(close);
    await client.api('createWebhook', { body: { url } }, 201);
    const path = { topic: 'subscription.activated' };
    await client.api('testWebhooks', { path, body: {} }, 202);

    await expect.poll(() => requests.length, { timeout: SOON }).toBe(2);
  });
});
