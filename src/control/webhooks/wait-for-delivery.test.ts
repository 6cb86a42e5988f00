import { describe, expect, it } from 'vitest';
import { openWebhookWorld } from '../../testing/webhook-world.ts';

describe('waitForDelivery', () => {
  it('returns deliveries from before the call at once', async () => {
    const { receiver, register, dispatch, idle, control } = openWebhookWorld();
    await register((await receiver()).url);
    const eventId = await dispatch({ user: { id: 7 }, more: 1 });
    await idle();
    const body = { data: { user: { id: 7 } }, status: 'succeeded', timeout_seconds: 0 };

    expect(await control('waitForDelivery', { body }, 200)).toMatchObject({
      items: [{ event_id: eventId }],
      total_count: 1,
    });
  });

  it('returns as soon as count deliveries match', async () => {
    const { receiver, register, dispatch, control } = openWebhookWorld();
    await register((await receiver()).url);
    const body = { count: 2, status: 'succeeded' };
    const waiting = control('waitForDelivery', { body }, 200);
    const ids = [await dispatch(), await dispatch()];

    const { items } = await waiting;
    expect(items.map((item: { event_id: string }) => item.event_id)).toEqual(ids);
  });

  it('returns 408 with the nearest deliveries and how they differ after the timeout', async () => {
    const { receiver, register, dispatch, idle, control } = openWebhookWorld();
    await dispatch();
    await register((await receiver(() => 500)).url);
    await dispatch({ plan: 'basic' });
    const nearer = await dispatch({ plan: 'gold' });
    await idle();
    const body = { data: { plan: 'gold' }, status: 'succeeded', timeout_seconds: 0.05 };
    const answer = await control('waitForDelivery', { body }, 408);

    expect(answer.detail).toBe(
      '0 of 1 deliveries matched within 0.05 s. 1 webhook events matched no destination. ' +
        '2 deliveries wait for a frozen clock: advance it, or flush.',
    );
    expect(answer.type).toBe('/problems/wait-timeout');
    expect(answer.nearest).toMatchObject([
      { item: { event_id: nearer }, differs: ['status is "pending", not "succeeded"'] },
      { differs: [expect.any(String), 'data.plan is "basic", not "gold"'] },
    ]);
  });

  it('rejects a topic that never fires at once, with the nearest one', async () => {
    const { control } = openWebhookWorld();
    const body = { topic: 'subscription.actived', timeout_seconds: 60 };

    expect((await control('waitForDelivery', { body }, 422)).errors).toEqual({
      topic: ['There is no topic subscription.actived. Did you mean subscription.activated?'],
    });
  });

  it('returns 503 when the emulator closes, during the wait or before it', async () => {
    const { client, control } = openWebhookWorld();
    const waiting = control('waitForDelivery', { body: { timeout_seconds: 60 } }, 503);
    const [answer] = await Promise.all([
      waiting,
      new Promise((resolve) => setImmediate(resolve)).then(() => client.emulator.close()),
    ]);

    expect(answer.detail).toBe('The emulator is stopping.');
    await control('waitForDelivery', { body: { timeout_seconds: 60 } }, 503);
  });
});
