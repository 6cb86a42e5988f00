import { expect, it } from 'vitest';
import { openWebhookWorld } from '../testing/webhook-world.ts';

it('300 receivers of one world that never respond do not delay deliveries of another world', async () => {
  const { client, receiver } = openWebhookWorld();
  const stuck = await receiver(() => () => {});
  const healthy = await receiver();
  const register = (url: string, key: string) =>
    client.api('createWebhook', { body: { url }, key }, 201);
  const dispatch = (key: string) =>
    client.api('testWebhooks', { path: { topic: 'subscription.activated' }, body: {}, key }, 202);
  for (let count = 0; count < 300; count += 1) await register(stuck.url, 'key_test_stuck');
  await register(healthy.url, 'key_test_healthy');

  await dispatch('key_test_stuck');
  await dispatch('key_test_healthy');
  const world = client.emulator.worlds.find('key_test_healthy');
  if (world) await client.emulator.dispatcher.idle(world);

  expect(healthy.requests).toHaveLength(1);
  expect(stuck.requests.length).toBeLessThanOrEqual(128);
});

it('128 receivers that never respond do not delay another destination of the same world', async () => {
  const { client, receiver, register } = openWebhookWorld();
  const stuck = await receiver(() => () => {});
  const healthy = await receiver();
  const paths = Array.from({ length: 128 }, (_, place) => `/hook/${place}`);
  for (const path of paths) await register(new URL(path, stuck.url).href);
  await register(healthy.url);

  await client.api('testWebhooks', { path: { topic: 'subscription.activated' }, body: {} }, 202);
  const { body } = await client.http
    .post('/_emulator/webhooks/flush?timeout_seconds=2')
    .set('Authorization', 'Bearer key_test_emulator');

  expect(healthy.requests).toHaveLength(1);
  expect(stuck.requests.map(({ path }) => path).sort()).toEqual(paths.sort());
  expect(body).toEqual({
    sent: 1,
    succeeded: 1,
    failed: 0,
    pending: 0,
    unfinished: 128,
    paused: 0,
  });
});
