import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { World } from '../store/world.ts';
import { eventually } from '../testing/eventually.ts';
import { startServer } from '../testing/server.ts';
import { openWebhookWorld, TOPIC, type WebhookWorld } from '../testing/webhook-world.ts';
import { imageOf, restoreWorld } from '../testing/worlds.ts';

/** A receiver that responds only when the test says so, and reports that a request arrived. */
async function openHeld(place: WebhookWorld) {
  let arrive: () => void = () => {};
  let answer: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const receiver = await place.receiver((at) => {
    if (at > 0) return 204;
    return (response) => {
      answer = () => response.writeHead(204).end();
      arrive();
    };
  });
  return { receiver, arrived, answer: () => answer() };
}

it('the dispatcher discards an attempt in progress when its world is restored', async () => {
  const place = openWebhookWorld();
  const held = await openHeld(place);
  await place.register(held.receiver.url);
  const image = imageOf(place.world);
  await place.dispatch();
  await held.arrived;
  restoreWorld(place.world, image);
  held.answer();
  await place.idle();
  const before = place.world.tables.deliveries.size;
  await place.dispatch();
  await place.idle();

  expect(before).toBe(0);
  expect(held.receiver.requests).toHaveLength(2);
  expect([...place.world.tables.deliveries.values()]).toMatchObject([
    { status: 'delivered', exchanges: [{ cause: 'first' }] },
  ]);
});

it('the dispatcher sends a delivery again that was pending in a restored world', async () => {
  const place = openWebhookWorld();
  const receiver = await place.receiver();
  await place.register(receiver.url);
  await place.client.api('pauseDeliveries');
  const id = await place.dispatch();
  const image = imageOf(place.world);
  await place.client.api('pauseDeliveries', { body: { paused: false } });
  await place.idle();
  restoreWorld(place.world, image);
  await place.client.api('pauseDeliveries', { body: { paused: false } });
  await place.idle();

  expect(receiver.ids()).toEqual([id, id]);
});

it('the dispatcher sends no further deliveries of a closed sandbox', async () => {
  const place = openWebhookWorld();
  const held = await openHeld(place);
  await place.register(held.receiver.url);
  await place.dispatch();
  await place.dispatch();
  await held.arrived;
  place.client.emulator.worlds.close('emulator');
  held.answer();
  await place.idle();

  expect(held.receiver.requests).toHaveLength(1);
  expect([...place.world.tables.deliveries.values()]).toMatchObject([
    { status: 'pending', exchanges: [] },
    { status: 'pending', exchanges: [] },
  ]);
});

it('an attempt in progress does not keep the process alive', async () => {
  const _place = openWebhookWorld();
  const hole = await startServer(() => {});
  const script = `
    const { createEmulator } = await import(${JSON.stringify(fileURLToPath(new URL('../main.ts', import.meta.url)))});
    const emulator = createEmulator({ settings: { fixture: '' } });
    const world = emulator.worlds.find('key_test_emulator');
    const target = emulator.targetOf(world);
    target.send({ call: 'createWebhook', body: { url: '${hole.url}' } });
    target.send({ call: 'testWebhooks', path: { topic: '${TOPIC}' }, body: {} });
    setTimeout(() => console.log(emulator.dispatcher.nextDue(world) ?? 'in progress'), 300);
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  const [printed] = await once(child.stdout, 'data');
  // It ends before the attempt would have.
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(10_000) });
  await hole.close();

  expect([code, String(printed).trim()]).toEqual([0, 'in progress']);
});

it('300 receivers of one world that never respond delay deliveries neither of it nor of another', async () => {
  const { client, receiver } = openWebhookWorld();
  const stuck = await receiver(() => () => {});
  const healthy = await receiver();
  const register = (url: string, key: string) =>
    client.api('createWebhook', { body: { url }, key }, 201);
  const dispatch = (key: string) =>
    client.api('testWebhooks', { path: { topic: 'subscription.activated' }, body: {}, key }, 202);
  for (let count = 0; count < 300; count += 1) await register(stuck.url, 'key_test_stuck');
  await register(healthy.url, 'key_test_stuck');
  await register(healthy.url, 'key_test_healthy');

  await dispatch('key_test_stuck');
  await eventually(() => healthy.requests.length === 1);
  const { body } = await client.http
    .post('/_emulator/webhooks/flush?timeout_seconds=0')
    .set('Authorization', 'Bearer key_test_stuck');
  await dispatch('key_test_healthy');
  await client.emulator.dispatcher.idle(client.emulator.worlds.find('key_test_healthy') as World);

  expect(healthy.requests).toHaveLength(2);
  expect(body).toMatchObject({ sent: 0, unfinished: 300 });
});
