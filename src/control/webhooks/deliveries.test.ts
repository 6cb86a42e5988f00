import { describe, expect, it } from 'vitest';
import { asNewAccount, TEST_NOW } from '../../testing/client.ts';
import {
  NOW_SECONDS,
  openWebhookWorld,
  sentSignature,
  TOPIC,
} from '../../testing/webhook-world.ts';

describe('listDeliveries', () => {
  it('returns the state of each delivery, newest first, and filters', async () => {
    const { receiver, register, dispatch, idle, api } = openWebhookWorld();
    const [good, bad] = [await receiver(), await receiver(() => 500)];
    const [first, second] = [await register(good.url), await register(bad.url)];
    const eventId = await dispatch();
    await idle();
    const { items } = await api('listDeliveries');

    expect(items).toMatchObject([
      {
        event_id: eventId,
        destination_id: second.id,
        url: bad.url,
        status: 'pending',
        attempt_count: 1,
        last_status_code: 500,
        last_error: 'Responded with 500.',
        next_attempt_at: '2026-01-15T12:00:05.000Z',
        waits_for: 'clock',
      },
      {
        destination_id: first.id,
        status: 'delivered',
        last_status_code: 204,
        last_error: null,
        next_attempt_at: null,
        waits_for: null,
      },
    ]);
    const only = { query: { destination_id: first.id.replace('dst_', 'whd_') } };
    expect((await api('listDeliveries', only)).total_count).toBe(1);
    const pending = { query: { status: 'pending', topic: TOPIC, event_id: eventId } };
    expect((await api('listDeliveries', pending)).total_count).toBe(1);
    await api('listDeliveries', { query: { status: 'odd' } }, 400);
  });

  it('shows an account no delivery of another account or world, with its details or without', async () => {
    const { client, receiver, register, dispatch, idle, api, deliveries } = openWebhookWorld();
    await register((await receiver()).url);
    await dispatch();
    await idle();
    const headers = await asNewAccount(client.api);
    const [delivery] = await deliveries();

    expect((await api('listDeliveries', { headers })).total_count).toBe(0);
    const query = { delivery_id: delivery.delivery.id };
    await api('listDeliveries', { headers, query }, 404);
    await api('listDeliveries', { key: 'key_live_emulator', query }, 404);
  });
});

describe('listDeliveries with an id', () => {
  it('returns the requests and responses of each attempt byte for byte', async () => {
    const { receiver, register, dispatch, idle, deliveries } = openWebhookWorld();
    const place = await receiver(() => (response) => {
      response.writeHead(503, { 'X-Reason': 'busy' }).end('{"later":true}');
    });
    await register(place.url);
    await dispatch({ text: `it's "ü"` });
    await idle();
    const [delivery] = await deliveries();

    expect(delivery.body).toBe(place.requests[0]?.body);
    expect(delivery.exchanges).toMatchObject([
      {
        at: TEST_NOW,
        cause: 'first',
        status_code: 503,
        request: { url: place.url, body: place.requests[0]?.body },
        response: { headers: { 'x-reason': 'busy' }, body: '{"later":true}', truncated: false },
      },
    ]);
    expect(delivery.exchanges[0].request.headers['Service-Signature']).toBe(
      sentSignature(place.requests[0]?.headers ?? {}),
    );
  });
});

describe('replayDeliveries', () => {
  it('sends one delivery again with the same body and a new signature', async () => {
    const { receiver, register, dispatch, idle, advance, api, deliveries } = openWebhookWorld();
    const place = await receiver();
    await register(place.url);
    await dispatch({ a: 1 });
    await idle();
    await advance('PT1H');
    const [{ delivery }] = (await deliveries()) as [{ delivery: { id: string } }];
    const body = { delivery_id: delivery.id };
    const answer = await api('replayDeliveries', { body }, 202);
    await idle();

    expect(answer).toEqual({ delivery_ids: [delivery.id], skipped_ids: [] });
    const [first, again] = place.requests;
    expect(again?.body).toBe(first?.body);
    expect(sentSignature(again?.headers ?? {})).toMatch(`t=${NOW_SECONDS + 3600},`);
    expect((await deliveries())[0].exchanges).toMatchObject([
      { cause: 'first' },
      { cause: 'replay', at: '2026-01-15T13:00:00.000Z' },
    ]);
  });

  it('sends all deliveries of a filter again, and ends retries of acknowledged ones', async () => {
    const { client, world, receiver, register, dispatch, idle, api } = openWebhookWorld();
    let isUp = false;
    const place = await receiver(() => (isUp ? 204 : 500));
    await register(place.url);
    await register((await receiver()).url);
    await dispatch();
    await dispatch();
    await idle();
    isUp = true;
    const { delivery_ids } = await api('replayDeliveries', { body: { status: 'pending' } }, 202);
    await idle();

    expect(delivery_ids).toHaveLength(2);
    expect(place.requests).toHaveLength(4);
    expect(client.emulator.dispatcher.nextDue(world)).toBeUndefined();
    const log = await client.api('listWebhookEvents', { query: { status: 'Success' } });
    expect(log.items).toHaveLength(2);
  });

  it('leaves the retry schedule unchanged when the replay fails', async () => {
    const { client, world, receiver, register, dispatch, idle, api, deliveries } =
      openWebhookWorld();
    await register((await receiver(() => 500)).url);
    await dispatch();
    await idle();
    const before = client.emulator.dispatcher.scheduled(world);
    await api('replayDeliveries', { body: { topic: TOPIC } }, 202);
    await idle();

    expect(client.emulator.dispatcher.scheduled(world)).toEqual(before);
    expect((await deliveries())[0].delivery).toMatchObject({ attempt_count: 2 });
  });

  it('skips disabled destinations, and rejects an unknown delivery and an empty filter', async () => {
    const { client, receiver, register, dispatch, idle, api } = openWebhookWorld();
    const place = await receiver();
    const { id } = await register(place.url);
    await dispatch();
    await idle();
    const path = { webhookId: id };
    await client.api('updateWebhook', { path, body: { enabled: false } });

    const skipped = await api('replayDeliveries', { body: { destination_id: id } }, 202);
    expect([skipped.delivery_ids, skipped.skipped_ids.length]).toEqual([[], 1]);
    await api('replayDeliveries', { body: { delivery_id: 'dlv_none' } }, 422);
    await api('replayDeliveries', { body: {} }, 422);
    expect(place.requests).toHaveLength(1);
  });
});

describe('waitForDelivery', () => {
  it('returns deliveries from before the call at once', async () => {
    const { receiver, register, dispatch, idle, api } = openWebhookWorld();
    await register((await receiver()).url);
    const eventId = await dispatch({ user: { id: 7 }, more: 1 });
    await idle();
    const body = { data: { user: { id: 7 } }, status: 'delivered', timeout_seconds: 0 };

    expect(await api('waitForDelivery', { body })).toMatchObject({
      items: [{ event_id: eventId }],
      total_count: 1,
    });
  });

  it('returns as soon as count deliveries match', async () => {
    const { receiver, register, dispatch, api } = openWebhookWorld();
    await register((await receiver()).url);
    const body = { count: 2, status: 'delivered' };
    const waiting = api('waitForDelivery', { body });
    const ids = [await dispatch(), await dispatch()];

    const { items } = await waiting;
    expect(items.map((item: { event_id: string }) => item.event_id)).toEqual(ids);
  });

  it('returns 408 with the nearest deliveries and how they differ after the timeout', async () => {
    const { receiver, register, dispatch, idle, api } = openWebhookWorld();
    await dispatch();
    await register((await receiver(() => 500)).url);
    await dispatch({ plan: 'basic' });
    const nearer = await dispatch({ plan: 'gold' });
    await idle();
    const body = { data: { plan: 'gold' }, status: 'delivered', timeout_seconds: 0.05 };
    const answer = await api('waitForDelivery', { body }, 408);

    expect(answer.detail).toBe(
      '0 of 1 deliveries matched within 0.05 s. 1 webhook event matched no destination. ' +
        'Waiting for a frozen clock: 2 deliveries. Advance it, or flush.',
    );
    expect(answer.type).toBe('/problems/wait-timeout');
    expect(answer.nearest).toMatchObject([
      { item: { event_id: nearer }, differs: ['status is "pending", not "delivered"'] },
      { differs: [expect.any(String), 'data.plan is "basic", not "gold"'] },
    ]);
  });

  it('rejects a topic that never fires at once, with the nearest one', async () => {
    const { api } = openWebhookWorld();
    const body = { topic: 'subscription.actived', timeout_seconds: 60 };

    expect((await api('waitForDelivery', { body }, 422)).errors).toEqual({
      topic: ['There is no topic subscription.actived. Did you mean subscription.activated?'],
    });
  });
});
