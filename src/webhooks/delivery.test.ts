import { describe, expect, it } from 'vitest';
import { after as instantAfter } from '../domain/instant.ts';
import type { World } from '../store/world.ts';
import { TEST_NOW } from '../testing/client.ts';
import { openWebhookWorld, TOPIC } from '../testing/webhook-world.ts';

describe('a webhook delivery', () => {
  it('is signed at machine time, but in an inbox at world time', async () => {
    const { client, world, receiver, register, dispatch } = openWebhookWorld(
      {},
      { machine: () => Date.parse('2031-05-06T07:08:09.999Z') },
    );
    const place = await receiver();
    await register(place.url);
    await register('http://127.0.0.1:24100/_emulator/inbox/mine');
    await dispatch();
    await client.emulator.dispatcher.idle(world);

    // 2031-05-06T07:08:09Z in Unix seconds.
    expect(place.requests[0]?.headers['service-signature']).toMatch(/^t=1935817689,v0=/);
    const { text } = await client.http
      .get('/_emulator/inbox/mine')
      .set('Authorization', 'Bearer key_test_emulator');
    expect(text).toContain('"t=1768478400,v0=');
  });

  it('names its signature header after service_name and has live_mode true with a live key', async () => {
    const { client, receiver } = openWebhookWorld({
      service_name: 'Acme',
    });
    const key = 'key_live_emulator';
    const place = await receiver();
    await client.api('createWebhook', { key, body: { url: place.url } }, 201);
    await client.api('testWebhooks', { key, path: { topic: TOPIC }, body: {} }, 202);
    await client.emulator.dispatcher.idle(client.emulator.worlds.find(key) as World);

    expect(place.requests[0]?.headers).toHaveProperty('acme-signature');
    expect(JSON.parse(place.requests[0]?.body ?? '')).toMatchObject({ live_mode: true });
  });

  it.each([200, 201, 299, 300, 302, 400, 404, 429, 500])(
    'succeeds on a status of 200 to 299, and fails on any other: %d',
    async (status_code) => {
      const { receiver, register, dispatch, idle, logItems } = openWebhookWorld();
      await register((await receiver(() => status_code)).url);
      await dispatch();
      await idle();

      const isAccepted = status_code < 300;
      const error = isAccepted ? null : `Responded with ${status_code}.`;
      expect(await logItems()).toMatchObject([
        {
          successful_at: isAccepted ? TEST_NOW : null,
          failed_at: isAccepted ? null : TEST_NOW,
          metadata: { attempts: [{ at: TEST_NOW, status_code, error }] },
        },
      ]);
    },
  );
});

describe('delivery retries', () => {
  it('follow the setting retry_schedule', async () => {
    const { client, world, receiver, register, dispatch, idle, moveTo } = openWebhookWorld({
      retry_schedule: '1m',
    });
    await register((await receiver(() => 500)).url);
    await dispatch();
    await idle();
    expect(client.emulator.dispatcher.nextDue(world)).toBe('2026-01-15T12:01:00.000Z');
    await moveTo(instantAfter(world.now, 'PT1M'));

    expect(client.emulator.dispatcher.nextDue(world)).toBeUndefined();
  });

  it('go to the current URL of the destination', async () => {
    const { client, world, receiver, register, dispatch, idle, moveTo } = openWebhookWorld();
    const [old, moved] = [await receiver(() => 500), await receiver()];
    const { id } = await register(old.url);
    await dispatch();
    await idle();
    await client.api('updateWebhook', { path: { webhookId: id }, body: { url: moved.url } });
    await moveTo(instantAfter(world.now, 'PT5S'));

    expect([old.requests.length, moved.requests.length]).toEqual([1, 1]);
  });
});

describe('deliveries to a destination that is disabled or removed', () => {
  it('end when the receiver responds with 410, including those that wait', async () => {
    const { client, receiver, register, dispatch, idle, logItems } = openWebhookWorld();
    const place = await receiver(() => 410);
    const { id } = await register(place.url);
    await Promise.all([dispatch(), dispatch(), dispatch()]);
    await idle();

    expect(place.requests.length).toBe(1);
    expect(await client.api('getWebhook', { path: { webhookId: id } })).toMatchObject({
      enabled: false,
    });
    const errors = (await logItems()).map(({ metadata }) => metadata.attempts[0].error);
    expect(errors).toEqual([
      'The destination is disabled.',
      'The destination is disabled.',
      'Responded with 410.',
    ]);
  });

  it('end when the destination is removed', async () => {
    const { client, world, receiver, register, dispatch, idle, logItems } = openWebhookWorld();
    const place = await receiver(() => 500);
    const { id } = await register(place.url);
    await dispatch();
    await idle();
    await client.api('deleteWebhook', { path: { webhookId: id } }, 204);

    expect(client.emulator.dispatcher.nextDue(world)).toBeUndefined();
    expect((await logItems())[0].metadata.attempts).toMatchObject([
      { error: 'Responded with 500.' },
      { error: 'The destination was removed.' },
    ]);
  });

  it('continue if the destination is enabled again before the retry', async () => {
    const { client, world, receiver, register, dispatch, idle, moveTo } = openWebhookWorld();
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    const path = { webhookId: (await register(place.url)).id };
    await dispatch();
    await idle();
    await client.api('updateWebhook', { path, body: { enabled: false } });
    await client.api('updateWebhook', { path, body: { enabled: true } });
    await moveTo(instantAfter(world.now, 'PT5S'));

    expect(place.requests).toHaveLength(2);
  });
});

describe('delivery order', () => {
  it('sends first attempts to a destination in the order of their events, one at a time', async () => {
    const { receiver, register, dispatch, idle } = openWebhookWorld();
    let inProgress = 0;
    let most = 0;
    const place = await receiver(() => (response) => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      setImmediate(() => {
        inProgress -= 1;
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
