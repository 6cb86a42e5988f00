import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type Instant, after as instantAfter } from '../domain/instant.ts';
import type { World } from '../state/world.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from '../testing/client.ts';
import { listenRaw, type RawAnswer, type RawReceiver } from '../testing/raw-receiver.ts';
import { aUser } from '../testing/usage.ts';

const TOPIC = 'subscription.activated';
const KEY = 'key_test_emulator';
/** TEST_NOW in Unix seconds. */
const NOW_SECONDS = 1768478400;

let client: TestClient;
const receivers: RawReceiver[] = [];

function open(settings = {}): { world: World; idle: () => Promise<void> } {
  client = createTestClient({ webhook_time: 'world', ...settings });
  const world = client.emulator.worlds.find(KEY) as World;
  return { world, idle: () => client.emulator.dispatcher.idle(world) };
}

async function receiver(answer?: RawAnswer, port?: number): Promise<RawReceiver> {
  const made = await listenRaw(answer, port);
  receivers.push(made);
  return made;
}

afterEach(async () => {
  await client.emulator.close();
  await Promise.all(receivers.splice(0).map((each) => each.close()));
});

const register = (url: string, more = {}): Promise<AnyBody> =>
  client.api('createWebhook', { body: { url, ...more } }, 201);

async function dispatch(body: object = {}): Promise<string> {
  return (await client.api('testWebhooks', { path: { topic: TOPIC }, body }, 202)).id;
}

const logItems = async (): Promise<AnyBody[]> =>
  (await client.api('listWebhookEvents', {}, 200)).items;

/** Takes the world's clock to an instant and makes the attempts that are due there. */
async function moveTo(world: World, at: Instant): Promise<void> {
  world.clock.state = { mode: 'frozen', at };
  client.emulator.dispatcher.dispatchDue(world, at);
  await client.emulator.dispatcher.idle(world);
}

describe('one delivery', () => {
  it('posts the envelope, signed over the very bytes that arrive', async () => {
    const { idle } = open();
    const place = await receiver();
    const { secret } = await register(place.url);
    const id = await dispatch({ user: 'ü✦', nested: { b: 1, a: [1.0, 2] } });
    await idle();

    const [{ body, headers, path }] = place.requests as [RawReceiver['requests'][number]];
    expect(body).toBe(
      `{"id":"${id}","type":"subscription.activated","created":"2026-01-15T12:00:00.000Z",` +
        '"live_mode":false,"data":{"user":"ü✦","nested":{"b":1,"a":[1,2]}}}',
    );
    const digest = createHmac('sha256', secret).update(`${NOW_SECONDS}.${body}`).digest('hex');
    expect(headers['service-signature']).toBe(`t=${NOW_SECONDS},v0=${digest}`);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    });
    expect(path).toBe('/hook');
  });

  it('is signed at the time of the machine unless told otherwise, and in an inbox at that of the world', async () => {
    client = createTestClient({}, { machine: () => Date.parse('2031-05-06T07:08:09.999Z') });
    const world = client.emulator.worlds.find(KEY) as World;
    const place = await receiver();
    await register(place.url);
    await register('http://127.0.0.1:24100/_emulator/inbox/mine');
    await dispatch();
    await client.emulator.dispatcher.idle(world);

    // 2031-05-06T07:08:09Z in Unix seconds.
    expect(place.requests[0]?.headers['service-signature']).toMatch(/^t=1935817689,v0=/);
    const { text } = await client.http.get('/_emulator/inbox/mine');
    expect(text).toContain('"t=1768478400,v0=');
  });

  it('is named by the configured service and says when it is live', async () => {
    client = createTestClient({ service_name: 'Acme' });
    const key = 'key_live_emulator';
    const place = await receiver();
    await client.api('createWebhook', { key, body: { url: place.url } }, 201);
    await client.api('testWebhooks', { key, path: { topic: TOPIC }, body: {} }, 202);
    await client.emulator.dispatcher.idle(client.emulator.worlds.find(key) as World);

    expect(place.requests[0]?.headers).toHaveProperty('acme-signature');
    expect(JSON.parse(place.requests[0]?.body ?? '')).toMatchObject({ live_mode: true });
  });

  it('tells of a real activation', async () => {
    open();
    const place = await receiver();
    const { key } = await aUser(client);
    await client.api('createWebhook', { key, body: { url: place.url, topics: [TOPIC] } }, 201);
    const customer = await client.api('createCustomer', { key, body: { name: 'Globex' } }, 201);
    const path = { customerId: customer.id };
    const body = { products: [{ code: 'product' }] };
    const { id } = await client.api('createSubscription', { key, path, body }, 201);
    await client.emulator.dispatcher.idle(client.emulator.worlds.find(key) as World);

    expect(place.requests.map((request) => JSON.parse(request.body).data)).toEqual([
      { customer_id: customer.id, subscription_id: id, occurred_at: TEST_NOW },
    ]);
  });

  it.each([200, 201, 204, 299])('takes %d for an acknowledgement', async (status) => {
    const { idle } = open();
    await register((await receiver(() => status)).url);
    await dispatch();
    await idle();

    expect(await logItems()).toMatchObject([
      {
        successful_at: TEST_NOW,
        failed_at: null,
        metadata: { attempts: [{ at: TEST_NOW, status_code: status, error: null }] },
      },
    ]);
  });

  it.each([300, 302, 400, 404, 429, 500])('takes %d for a failure', async (status) => {
    const { idle } = open();
    await register((await receiver(() => status)).url);
    await dispatch();
    await idle();

    expect(await logItems()).toMatchObject([
      {
        successful_at: null,
        failed_at: TEST_NOW,
        metadata: { attempts: [{ status_code: status, error: `Answered ${status}.` }] },
      },
    ]);
  });

  it('says what went wrong where no answer comes', async () => {
    const { idle } = open();
    const place = await receiver(() => (response) => void response.destroy());
    await register(place.url);
    await dispatch();
    await idle();

    expect(await logItems()).toMatchObject([
      { failed_at: TEST_NOW, metadata: { attempts: [{ status_code: null }] } },
    ]);
    expect((await logItems())[0].metadata.attempts[0].error).toContain('socket hang up');
  });

  it('does not hold up the call that caused it', async () => {
    open();
    const place = await receiver(() => () => {});
    await register(place.url);
    await dispatch();

    expect(await logItems()).toMatchObject([
      { successful_at: null, failed_at: null, metadata: null },
    ]);
  });

  it('goes to the platform with the account it happened to', async () => {
    const { idle } = open();
    const [ours, theirs] = [await receiver(), await receiver()];
    const account = await client.api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
    const headers = { 'X-Service-Account': account.id };
    await register(ours.url, { connect: true });
    await client.api('createWebhook', { headers, body: { url: theirs.url } }, 201);
    const path = { topic: TOPIC, connectedAccountId: account.id };
    const { id } = await client.api('testConnectedWebhooks', { path, body: { n: 1 } }, 202);
    await idle();

    const told = [ours, theirs].map(({ requests }) => JSON.parse(requests[0]?.body ?? ''));
    expect(told).toEqual([
      {
        id,
        type: TOPIC,
        created: TEST_NOW,
        live_mode: false,
        account_id: account.id,
        data: { n: 1 },
      },
      { id, type: TOPIC, created: TEST_NOW, live_mode: false, data: { n: 1 } },
    ]);
  });
});

describe('order', () => {
  it('keeps first attempts in the order of their events, one at a time', async () => {
    const { idle } = open();
    let underWay = 0;
    let most = 0;
    const place = await receiver(() => (response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setImmediate(() => {
        underWay -= 1;
        response.writeHead(204).end();
      });
    });
    await register(place.url);
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await dispatch({ count }));
    await idle();

    expect(place.ids()).toEqual(ids);
    expect(most).toBe(1);
  });

  it('lets no retry hold back a later event', async () => {
    const { world, idle } = open();
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    await register(place.url);
    const [first, second] = [await dispatch(), await dispatch()];
    await idle();
    const before = place.ids();
    await moveTo(world, instantAfter(world.now, 'PT5S'));

    expect(before).toEqual([first, second]);
    expect(place.ids()).toEqual([first, second, first]);
  });

  it('lets no destination hold up another', async () => {
    open();
    const stuck = await receiver(() => () => {});
    let told: () => void = () => {};
    const reached = new Promise<void>((resolve) => {
      told = resolve;
    });
    const healthy = await receiver((at) => {
      if (at === 4) told();
      return 204;
    });
    await register(stuck.url);
    await register(healthy.url);
    for (let count = 0; count < 5; count += 1) await dispatch();
    await reached;

    expect([stuck.requests.length, healthy.requests.length]).toEqual([1, 5]);
  });
});

describe('retries', () => {
  it('go by the clock: nine of them, and then no more', async () => {
    const { world, idle } = open();
    const place = await receiver(() => 500);
    await register(place.url);
    await dispatch();
    await idle();
    const { dispatcher } = client.emulator;
    const instants: string[] = [];
    for (let due = dispatcher.nextDue(world); due; due = dispatcher.nextDue(world)) {
      expect(dispatcher.scheduled(world)).toHaveLength(1);
      instants.push(due);
      await moveTo(world, due);
    }

    expect(instants).toEqual([
      '2026-01-15T12:00:05.000Z',
      '2026-01-15T12:05:05.000Z',
      '2026-01-15T12:35:05.000Z',
      '2026-01-15T14:35:05.000Z',
      '2026-01-15T19:35:05.000Z',
      '2026-01-16T05:35:05.000Z',
      '2026-01-16T19:35:05.000Z',
      '2026-01-17T15:35:05.000Z',
      '2026-01-18T15:35:05.000Z',
    ]);
    const [item] = await logItems();
    expect(item.metadata.attempts.map(({ at }: { at: string }) => at)).toEqual([
      TEST_NOW,
      ...instants,
    ]);
    expect(item).toMatchObject({ successful_at: null, failed_at: instants.at(-1) });
    expect(place.requests).toHaveLength(10);
  });

  it('send the same bytes, signed at the moment of each', async () => {
    const { world, idle } = open();
    const place = await receiver((at) => (at < 2 ? 503 : 200));
    const { secret } = await register(place.url);
    await dispatch({ a: 1 });
    await idle();
    await moveTo(world, instantAfter(world.now, 'PT5S'));
    await moveTo(world, instantAfter(world.now, 'PT5M'));

    const [first, ...others] = place.requests;
    expect(others.map(({ body }) => body)).toEqual([first?.body, first?.body]);
    const times = [NOW_SECONDS, NOW_SECONDS + 5, NOW_SECONDS + 305];
    expect(place.requests.map(({ headers }) => headers['service-signature'])).toEqual(
      times.map((time) => {
        const mac = createHmac('sha256', secret).update(`${time}.${first?.body}`).digest('hex');
        return `t=${time},v0=${mac}`;
      }),
    );
    expect(await logItems()).toMatchObject([
      { successful_at: '2026-01-15T12:05:05.000Z', failed_at: null },
    ]);
  });

  it('follow the configured schedule', async () => {
    const { world, idle } = open({ retry_schedule: '1m' });
    await register((await receiver(() => 500)).url);
    await dispatch();
    await idle();
    expect(client.emulator.dispatcher.nextDue(world)).toBe('2026-01-15T12:01:00.000Z');
    await moveTo(world, instantAfter(world.now, 'PT1M'));

    expect(client.emulator.dispatcher.nextDue(world)).toBeUndefined();
  });

  it('show an event as failed while one of its destinations has not acknowledged', async () => {
    const { world, idle } = open();
    await register((await receiver()).url);
    await register((await receiver((at) => (at === 0 ? 500 : 204))).url);
    await dispatch();
    await idle();
    const [before] = await logItems();
    await moveTo(world, instantAfter(world.now, 'PT5S'));
    const [later] = await logItems();

    expect(before).toMatchObject({ successful_at: null, failed_at: TEST_NOW });
    expect(later).toMatchObject({ successful_at: '2026-01-15T12:00:05.000Z', failed_at: null });
    expect(later.metadata.attempts).toHaveLength(3);
  });

  it('go to the address that the destination has by then', async () => {
    const { world, idle } = open();
    const [old, moved] = [await receiver(() => 500), await receiver()];
    const { id } = await register(old.url);
    await dispatch();
    await idle();
    await client.api('updateWebhook', { path: { webhookId: id }, body: { url: moved.url } }, 200);
    await moveTo(world, instantAfter(world.now, 'PT5S'));

    expect([old.requests.length, moved.requests.length]).toEqual([1, 1]);
  });
});

describe('the end of a destination', () => {
  it('comes with 410, also for what waits there', async () => {
    const { idle } = open();
    const place = await receiver(() => 410);
    const { id } = await register(place.url);
    await Promise.all([dispatch(), dispatch(), dispatch()]);
    await idle();

    expect(place.requests.length).toBe(1);
    expect(await client.api('getWebhook', { path: { webhookId: id } }, 200)).toMatchObject({
      enabled: false,
    });
    const errors = (await logItems()).map(({ metadata }) => metadata.attempts[0].error);
    expect(errors).toEqual([
      'The destination is disabled.',
      'The destination is disabled.',
      'Answered 410.',
    ]);
  });

  it('settles what waits when it is removed', async () => {
    const { world, idle } = open();
    const place = await receiver(() => 500);
    const { id } = await register(place.url);
    await dispatch();
    await idle();
    await client.api('deleteWebhook', { path: { webhookId: id } }, 204);

    expect(client.emulator.dispatcher.nextDue(world)).toBeUndefined();
    expect((await logItems())[0].metadata.attempts).toMatchObject([
      { error: 'Answered 500.' },
      { error: 'The destination was removed.' },
    ]);
  });

  it('stops nothing that comes back in time', async () => {
    const { world, idle } = open();
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    const path = { webhookId: (await register(place.url)).id };
    await dispatch();
    await idle();
    await client.api('updateWebhook', { path, body: { enabled: false } }, 200);
    await client.api('updateWebhook', { path, body: { enabled: true } }, 200);
    await moveTo(world, instantAfter(world.now, 'PT5S'));

    expect(place.requests).toHaveLength(2);
  });
});

describe('closing', () => {
  it('ends what is under way at once, and leaves it to be tried again', async () => {
    const { world } = open();
    let arrived: () => void = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const place = await receiver(() => () => arrived());
    await register(place.url);
    await dispatch();
    await arrival;
    await client.emulator.close();
    await client.emulator.dispatcher.idle(world);

    const [delivery] = [...world.tables.deliveries.values()];
    expect(delivery).toMatchObject({ status: 'pending', waits_for: 'turn', exchanges: [] });
  });
});
