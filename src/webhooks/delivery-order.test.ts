import { afterEach, describe, expect, it } from 'vitest';
import { type Instant, after as instantAfter } from '../domain/instant.ts';
import type { World } from '../state/world.ts';
import { type AnyBody, createTestClient, type TestClient } from '../testing/client.ts';
import { listenRaw, type RawAnswer, type RawReceiver } from '../testing/raw-receiver.ts';

const TOPIC = 'subscription.activated';
const KEY = 'key_test_emulator';

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

/** Takes the world's clock to an instant and makes the attempts that are due there. */
async function moveTo(world: World, at: Instant): Promise<void> {
  world.clock.state = { mode: 'frozen', at };
  client.emulator.dispatcher.dispatchDue(world, at);
  await client.emulator.dispatcher.idle(world);
}

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
