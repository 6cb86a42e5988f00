import { describe, expect, it } from 'vitest';
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

  it.each([200, 201, 204, 299])('succeeds on the status %d', async (status) => {
    const { receiver, register, dispatch, idle, logItems } = openWebhookWorld();
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

  it.each([300, 302, 400, 404, 429, 500])('fails on the status %d', async (status) => {
    const { receiver, register, dispatch, idle, logItems } = openWebhookWorld();
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

  it('logs the connection error when the receiver sends no response', async () => {
    const { receiver, register, dispatch, idle, logItems } = openWebhookWorld();
    const place = await receiver(() => (response) => void response.destroy());
    await register(place.url);
    await dispatch();
    await idle();

    expect(await logItems()).toMatchObject([
      { failed_at: TEST_NOW, metadata: { attempts: [{ status_code: null }] } },
    ]);
    expect((await logItems())[0].metadata.attempts[0].error).toContain('socket hang up');
  });

  it('does not delay the request that caused it', async () => {
    const { receiver, register, dispatch, logItems } = openWebhookWorld();
    const place = await receiver(() => () => {});
    await register(place.url);
    await dispatch();

    expect(await logItems()).toMatchObject([
      { successful_at: null, failed_at: null, metadata: null },
    ]);
  });
});
