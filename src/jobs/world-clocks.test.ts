import { afterEach, describe, expect, it } from 'vitest';
import { fromMillis, type Instant, instant, after as later } from '../domain/instant.ts';
import { createEmulator } from '../emulator.ts';
import type { World } from '../state/world.ts';
import { aCatalogProduct, EVERY_DAY, entitlement } from '../testing/catalog.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from '../testing/client.ts';
import { listenRaw, type RawReceiver } from '../testing/raw-receiver.ts';
import { aStory } from '../testing/story.ts';
import { nextUuid } from '../testing/usage.ts';
import { nextDue } from './due.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

function open(settings = {}): TestClient {
  const client = createTestClient(settings);
  opened.push(client.emulator);
  return client;
}

/** A world that has something to do every day. */
async function aBusyWorld(client: TestClient, key: string): Promise<void> {
  await client.api('createAsset', { key, body: { code: 'CREDIT', name: 'Credits' } }, 201);
  const content = { entitlements: [entitlement(50, EVERY_DAY)] };
  await aCatalogProduct(client, 'daily', content, { key });
  for (const name of ['Acme', 'Globex', 'Initech']) {
    const body = { name, subscriptions: [{ products: [{ code: 'daily' }] }] };
    await client.api('createCustomer', { key, body }, 201);
  }
}

const BUSY = 'key_test_busy';
const advance = (client: TestClient, body: object, key = BUSY) =>
  client.send('advanceClock' as never, { key, body });

describe('while an advance is under way', () => {
  it('other worlds are served, and its own answers at the instant reached', async () => {
    const client = open();
    await aBusyWorld(client, BUSY);
    let isDone = false;
    const long = advance(client, { by: 'P3Y' }).then((response) => {
      isDone = true;
      return response;
    });
    const seen: AnyBody[] = [];
    let others = 0;
    while (!isDone) {
      seen.push(await client.control('getClock', { key: BUSY }, 200));
      await client.api('listCustomers', { key: 'key_test_other' }, 200);
      if (!isDone) others += 1;
    }
    const { body } = await long;

    expect(body.total_count).toBe(2 * 3 * 1096);
    expect(others).toBeGreaterThan(1);
    const onTheWay = seen.filter(({ advancing }) => advancing).map(({ now }) => now);
    expect(onTheWay.length).toBeGreaterThan(0);
    expect(onTheWay).toEqual([...onTheWay].sort());
  });

  it('a second advance and a set of the clock are refused', async () => {
    const client = open();
    await aBusyWorld(client, BUSY);
    const clock = { key: BUSY, body: { mode: 'frozen' } };
    const answers = await Promise.all([
      advance(client, { by: 'P3Y' }),
      advance(client, { by: 'P1D' }),
      advance(client, { by: 'P1D', dry_run: true }),
      client.send('setClock' as never, clock),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409, 409]);
    expect((await client.send('setClock' as never, clock)).status).toBe(200);
  });
});

describe('webhooks on the way', () => {
  const receivers = async (answer: Parameters<typeof listenRaw>[0]): Promise<RawReceiver> => {
    const receiver = await listenRaw(answer);
    opened.push(receiver);
    return receiver;
  };

  it('are delivered at their instants before the advance answers, retries included', async () => {
    const acme = await aStory('2026-01-31T10:00:00Z');
    const { client, key } = acme;
    const { url, requests } = await receivers((at) => (at < 2 ? 500 : 204));
    await client.api('createWebhook', { key, body: { url } }, 201);
    await acme.plan('free', { entitlements: [entitlement(5)] });
    await acme.subscribe('free', { starts_at: '2026-02-01T00:00:00Z' });
    const { items } = await acme.advance('P1M');

    expect(items.map(({ at, kind, attempt }: AnyBody) => [at, kind, attempt])).toEqual([
      ['2026-02-01T00:00:00.000Z', 'start', undefined],
      ['2026-02-01T00:00:00.000Z', 'delivery_attempt', 1],
      ['2026-02-01T00:00:05.000Z', 'delivery_attempt', 2],
      ['2026-02-01T00:05:05.000Z', 'delivery_attempt', 3],
    ]);
    const signed = requests.map(({ headers }) => String(headers['service-signature']));
    expect(signed.map((header) => Number(/^t=(\d+)/.exec(header)?.[1]))).toEqual([
      1769904000, 1769904005, 1769904305,
    ]);
  });

  it('answer a receiver that calls back, at the instant reached', async () => {
    const acme = await aStory('2026-01-31T10:00:00Z');
    const { client, key } = acme;
    const answered: AnyBody[] = [];
    const { url } = await receivers(() => async (response) => {
      answered.push(await client.control('getClock', { key }, 200));
      answered.push(await acme.balance());
      answered.push(client.emulator.worlds.find(key)?.image().clock);
      answered.push((await advance(client, { by: 'P1D' }, key)).status);
      response.writeHead(204).end();
    });
    await client.api('createWebhook', { key, body: { url } }, 201);
    await acme.plan('free', { entitlements: [entitlement(5)] });
    await acme.subscribe('free', { starts_at: '2026-02-01T00:00:00Z' });
    await acme.advance('P1M');

    expect(answered).toEqual([
      expect.objectContaining({ now: '2026-02-01T00:00:00.000Z', advancing: true }),
      5,
      { mode: 'frozen', at: '2026-02-01T00:00:00.000Z' },
      409,
    ]);
  });

  it('can be what an advance goes on for', async () => {
    const acme = await aStory('2026-01-31T10:00:00Z');
    const { client, key } = acme;
    const { url } = await receivers((at) => (at < 3 ? 503 : 204));
    await client.api('createWebhook', { key, body: { url } }, 201);
    await acme.plan('free', { entitlements: [entitlement(5)] });
    await acme.subscribe('free');
    const { body } = await advance(client, { until: 'delivered' }, key);

    expect(body.now).toBe('2026-01-31T10:35:05.000Z');
    expect((await advance(client, { until: 'delivered' }, key)).body).toMatchObject({
      from: '2026-01-31T10:35:05.000Z',
      now: '2026-01-31T10:35:05.000Z',
      total_count: 0,
    });
    const agenda = await client.control('listAgenda', { key }, 200);
    expect(agenda.total_count).toBe(0);
  });
});

describe('a clock that runs', () => {
  /** An emulator whose machine shows the time that it is told. */
  function aMachine(settings = {}) {
    let now = Date.parse(TEST_NOW);
    const emulator = createEmulator({
      settings: { fixture: '', log_level: 'silent', ...settings },
      machine: () => now,
    });
    opened.push(emulator);
    const world = emulator.worlds.find('key_test_emulator') as World;
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

  it('never answers what should have changed a moment ago', () => {
    const { send, wait } = aMachine();
    const customerId = give(send, '2026-01-15T12:00:01.000Z');
    const balance = () =>
      send('getWallet', { path: { customerId } }).accounts[0].available as number;

    wait(999);
    expect(balance()).toBe(10);
    wait(1);
    expect(balance()).toBe(0);
  });

  it('does the work of a night at its own instants', () => {
    const { send, wait, world } = aMachine();
    send('createAsset', { body: { code: 'CREDIT', name: 'Credits' } });
    const product = { name: 'Daily', code: 'daily', publish: true };
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

  it('does its work by a timer, without being asked', async () => {
    const emulator = createEmulator({ settings: { fixture: '', log_level: 'silent' } });
    opened.push(emulator);
    const world = emulator.worlds.find('key_test_emulator') as World;
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

  it('stays as it is where an advance is refused', async () => {
    const { emulator, world, send } = aMachine({ max_due_items: 1 });
    give(send, '2026-02-01T00:00:00.000Z');
    give(send, '2026-02-01T00:00:00.000Z');
    const to = instant('2026-03-01T00:00:00Z');

    await expect(emulator.clocks.advance(world, to, 'to')).rejects.toThrow('Advance to');
    expect(send('getClock')).toMatchObject({ mode: 'real', now: TEST_NOW, advancing: false });
  });

  it('catches up with very much in the background, held at the instant reached', async () => {
    const client = open({ clock: 'real' });
    await aBusyWorld(client, BUSY);
    const set = (body: object) => client.control('setClock', { key: BUSY, body }, 200);
    const clock = () => client.control('getClock', { key: BUSY }, 200);
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
    await expect.poll(async () => (await clock()).advancing, { timeout: 8000 }).toBe(false);
    expect((await clock()).now >= later(stopped.now, 'P2Y')).toBe(true);
    const late = client.emulator.worlds.find(BUSY) as World;
    expect((nextDue(late)?.at as Instant) > late.now).toBe(true);
  }, 20_000);

  it('goes on at a distance from the real time once it was advanced', async () => {
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

  it('does what a set passed over as soon as it runs', () => {
    const { send } = aMachine();
    const customerId = give(send, '2026-02-01T00:00:00.000Z');
    send('setClock', { body: { mode: 'frozen', now: '2026-03-01T00:00:00Z' } });
    const available = () => send('getWallet', { path: { customerId } }).accounts[0].available;
    expect(available()).toBe(10);
    send('setClock', { body: { mode: 'offset' } });

    expect(available()).toBe(0);
  });

  it('calls for retries of webhooks by the timer', async () => {
    const client = open({ clock: 'real', retry_schedule: ['1s'] });
    const { url, requests } = await listenRaw((at) => (at === 0 ? 500 : 204)).then((receiver) => {
      opened.push(receiver);
      return receiver;
    });
    await client.api('createWebhook', { body: { url } }, 201);
    const path = { topic: 'subscription.activated' };
    await client.api('testWebhooks', { path, body: {} }, 202);

    await expect.poll(() => requests.length, { timeout: 4000 }).toBe(2);
  });
});
