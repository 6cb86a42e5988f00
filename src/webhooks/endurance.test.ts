import { expect, it } from 'vitest';
import { listenRaw, type RawReceiver } from '../testing/server.ts';
import { openWebhookWorld } from '../testing/webhook-world.ts';

/** Ids of the events received at a path, in order of arrival. */
function idsAt({ requests }: RawReceiver, path: string): string[] {
  return requests
    .filter((request) => request.path === path)
    .map(({ body }) => (JSON.parse(body) as { id: string }).id);
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

it('a dead, a slow and a failing destination do not delay the other 97', async () => {
  const place = openWebhookWorld();
  // A port that was listened on a moment ago could be given to the receiver of another test.
  const dead = 'http://127.0.0.1:9/hook';
  const healthy = await place.receiver();
  const slow = await place.receiver(() => (response) => {
    setTimeout(() => response.writeHead(204).end(), 20);
  });
  const flapping = await place.receiver((at) => (at % 2 === 0 ? 503 : 204));
  for (const url of [dead, slow.url, flapping.url]) await place.register(url);
  for (let count = 0; count < 97; count += 1) await place.register(`${healthy.url}/${count}`);

  const ids: string[] = [];
  for (let count = 0; count < 8; count += 1) ids.push(await place.dispatch({ count }));
  await place.idle();
  const firsts = unique(flapping.ids());
  await place.advance('P5D');

  for (let count = 0; count < 97; count += 1) expect(idsAt(healthy, `/hook/${count}`)).toEqual(ids);
  expect(slow.ids()).toEqual(ids);
  expect(firsts).toEqual(ids);
  const { items } = await place.client.api('listDeliveries', {
    query: { status: 'failed', limit: 1000 },
  });
  // Only the dead receiver has failures: eight events, ten attempts each.
  expect(
    items.map(({ url, attempt_count }: { url: string; attempt_count: number }) => [
      url,
      attempt_count,
    ]),
  ).toEqual(ids.map(() => [dead, 10]));
});

it('a receiver that restarts again and again gets every event, first attempts in order', async () => {
  const place = openWebhookWorld();
  let receiver = await listenRaw();
  const port = Number(new URL(receiver.url).port);
  const seen: string[] = [];
  await place.register(receiver.url);
  const ids: string[] = [];
  for (let count = 0; count < 200; count += 1) {
    ids.push(await place.dispatch({ count }));
    if (count % 23 !== 0) continue;
    await receiver.close();
    seen.push(...receiver.ids());
    ids.push(await place.dispatch({ count }));
    receiver = await listenRaw(undefined, port);
  }
  await place.advance('P5D');
  await receiver.close();
  seen.push(...receiver.ids());

  expect(unique(seen).sort()).toEqual([...ids].sort());
  const query = { status: 'Success', limit: 1000 };
  const { items } = await place.client.api('listWebhookEvents', { query });
  expect(items).toHaveLength(ids.length);
  const deliveries = [...place.world.tables.deliveries.values()];
  const atOnce = deliveries
    .filter(({ exchanges }) => exchanges[0]?.error === null)
    .map(({ event_id }) => event_id);
  expect(atOnce.length).toBeGreaterThan(100);
  expect(unique(seen).filter((id) => atOnce.includes(id))).toEqual(atOnce);
});
