import { describe, expect, it } from 'vitest';
import { asNewAccount, TEST_NOW } from '../../testing/client.ts';
import { openWebhookWorld, TOPIC } from '../../testing/webhook-world.ts';

describe('pauseDeliveries', () => {
  it('holds events of a destination and sends them in order after they are resumed', async () => {
    const { receiver, register, dispatch, idle, api } = openWebhookWorld();
    const [held, other] = [await receiver(), await receiver()];
    const { id } = await register(held.url);
    await register(other.url);
    const body = { destination_id: id };
    const pauses = await api('pauseDeliveries', { body });
    const ids = [await dispatch(), await dispatch(), await dispatch()];
    await idle();
    const during = [held.requests.length, other.requests.length];
    const left = await api('pauseDeliveries', { body: { ...body, paused: false } });
    await idle();

    expect(pauses).toEqual({ destination_ids: [id] });
    expect(left).toEqual({ destination_ids: [] });
    expect(during).toEqual([0, 3]);
    expect(held.ids()).toEqual(ids);
  });

  it('without a destination holds all that there are, and uses up no attempts in an advance', async () => {
    const { receiver, register, dispatch, idle, advance, api, deliveries } = openWebhookWorld();
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    await register(place.url);
    await api('pauseDeliveries');
    await dispatch();
    await advance('P30D');
    const { agenda } = await api('getClock', { query: { limit: 9 } });
    const before = place.requests.length;
    await api('pauseDeliveries', { body: { paused: false } });
    await idle();

    expect([before, place.requests.length]).toEqual([0, 1]);
    expect(agenda.items).toEqual([]);
    expect((await deliveries())[0].delivery).toMatchObject({
      status: 'pending',
      next_attempt_at: '2026-02-14T12:00:05.000Z',
    });
  });

  it('sends overdue retries after they are resumed', async () => {
    const { receiver, register, dispatch, idle, advance, api, deliveries } = openWebhookWorld();
    const place = await receiver((at) => (at === 0 ? 500 : 204));
    await register(place.url);
    await dispatch();
    await idle();
    await api('pauseDeliveries');
    await advance('PT1H');
    await api('pauseDeliveries', { body: { paused: false } });
    await idle();

    expect((await deliveries())[0]).toMatchObject({
      delivery: { status: 'delivered' },
      exchanges: [{}, { at: '2026-01-15T13:00:00.000Z', cause: 'retry' }],
    });
  });

  it('rejects an unknown destination with 422', async () => {
    const { api } = openWebhookWorld();
    await api('pauseDeliveries', { body: { destination_id: 'dst_none' } }, 422);
  });
});

describe('flushDeliveries', () => {
  it('makes the next attempt of all pending deliveries without moving the clock', async () => {
    const { client, receiver, register, dispatch, idle, api, world } = openWebhookWorld();
    const place = await receiver((at) => (at < 3 ? 500 : 204));
    await register(place.url);
    await register((await receiver(() => 500)).url);
    await dispatch();
    await dispatch();
    await idle();

    expect(await api('flushDeliveries')).toEqual({
      sent: 4,
      delivered: 1,
      failed: 0,
      pending: 3,
      unfinished: 0,
      paused: 0,
    });
    expect((await api('getClock')).now).toBe(TEST_NOW);
    expect(place.requests).toHaveLength(4);
    // The second attempt was made; the third follows five minutes later.
    const [second] = client.emulator.dispatcher.scheduled(world);
    expect(second?.at).toBe('2026-01-15T12:05:00.000Z');
  });

  it('makes one attempt per delivery even if retries fall due meanwhile', async () => {
    const schedule = Array.from({ length: 500 }, () => '1ms').join(',');
    const { receiver, register, dispatch, api } = openWebhookWorld({
      clock: 'real',
      retry_schedule: schedule,
    });
    await register((await receiver(() => 500)).url);
    await dispatch();

    expect(await api('flushDeliveries')).toMatchObject({ paused: 0 });
  });

  it('returns when the deliveries it waits for are paused', async () => {
    const { receiver, register, dispatch, api } = openWebhookWorld();
    let arrived: () => void = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await register((await receiver(() => () => arrived())).url);
    await dispatch();
    await dispatch();
    const flushed = api('flushDeliveries');
    await arrival;
    await api('pauseDeliveries');

    expect(await flushed).toMatchObject({ sent: 2, pending: 2 });
  });

  it('skips paused deliveries, and sends nothing when repeated', async () => {
    const { receiver, register, dispatch, api } = openWebhookWorld();
    const { id } = await register((await receiver()).url);
    await api('pauseDeliveries', { body: { destination_id: id } });
    await dispatch();

    expect(await api('flushDeliveries')).toMatchObject({ sent: 0, paused: 1 });
    await api('pauseDeliveries', { body: { paused: false } });
    expect(await api('flushDeliveries')).toMatchObject({ paused: 0 });
    expect(await api('flushDeliveries')).toMatchObject({ sent: 0, delivered: 0 });
  });

  it('with the account header makes attempts of that account alone', async () => {
    const { client, receiver, api, register, dispatch, idle } = openWebhookWorld();
    const headers = await asNewAccount(client.api);
    const [own, others] = [await receiver(() => 500), await receiver(() => 500)];
    await client.api('createWebhook', { headers, body: { url: own.url } }, 201);
    await register(others.url);
    const path = { topic: TOPIC };
    await client.api('testWebhooks', { headers, path, body: {} }, 202);
    await dispatch();
    await idle();

    expect(await api('flushDeliveries', { headers })).toMatchObject({ sent: 1 });
    await idle();
    expect([own.requests.length, others.requests.length]).toEqual([2, 1]);
    expect(await api('flushDeliveries')).toMatchObject({ sent: 2 });
  });
});

describe('rotateSecret', () => {
  it('keeps all secrets of the last 24 hours after two rotations', async () => {
    const { register, api } = openWebhookWorld();
    const { id, secret: first } = await register('https://example.com/');
    const body = { destination_id: id };
    const { secret: second } = await api('rotateSecret', { body });
    const { previous_secrets } = await api('rotateSecret', { body });

    expect(previous_secrets.map(({ secret }: { secret: string }) => secret)).toEqual([
      second,
      first,
    ]);
  });
});
