import { describe, expect, it } from 'vitest';
import { after as instantAfter } from '../domain/instant.ts';
import { openWebhookWorld } from '../testing/webhook-world.ts';

describe('delivery order', () => {
  it('sends first attempts to a destination in the order of their events, one at a time', async () => {
    const { receiver, register, dispatch, idle } = openWebhookWorld();
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

  it('sends a later event before the retry of an earlier one', async () => {
    const { world, receiver, register, dispatch, idle, moveTo } = openWebhookWorld();
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    await register(place.url);
    const [first, second] = [await dispatch(), await dispatch()];
    await idle();
    const before = place.ids();
    await moveTo(instantAfter(world.now, 'PT5S'));

    expect(before).toEqual([first, second]);
    expect(place.ids()).toEqual([first, second, first]);
  });

  it('sends to a destination while another does not respond', async () => {
    const { receiver, register, dispatch } = openWebhookWorld();
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

describe('closing the emulator', () => {
  it('aborts an attempt in progress and leaves its delivery pending', async () => {
    const { client, world, receiver, register, dispatch } = openWebhookWorld();
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
