import { describe, expect, it, onTestFinished } from 'vitest';
import { entitlement } from '../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../testing/client.ts';
import { listenRaw, type RawReceiver } from '../testing/server.ts';
import { aStory } from '../testing/story.ts';
import { aBusyWorld, advance, BUSY, openBusy } from '../testing/worlds.ts';

describe('while a clock advance runs', () => {
  it('other worlds are served, and getClock returns the instant reached', async () => {
    const client = openBusy();
    await aBusyWorld(client, BUSY);
    let isDone = false;
    const long = advance(client, { by: 'P3Y' }).then((response) => {
      isDone = true;
      return response;
    });
    const seen: AnyBody[] = [];
    let others = 0;
    while (!isDone) {
      seen.push(await client.api('getClock', { key: BUSY }));
      await client.api('listCustomers', { key: 'key_test_other' });
      if (!isDone) others += 1;
    }
    const { body } = await long;

    expect(body.total_count).toBe(2 * 3 * 1096);
    expect(others).toBeGreaterThan(1);
    const onTheWay = seen.filter(({ advancing }) => advancing).map(({ now }) => now);
    expect(onTheWay.length).toBeGreaterThan(0);
    expect(onTheWay).toEqual([...onTheWay].sort());
  });

  it('a second advance and setClock return 409', async () => {
    const client = openBusy();
    await aBusyWorld(client, BUSY);
    const clock = { key: BUSY, body: { mode: 'frozen' } };
    const answers = await Promise.all([
      advance(client, { by: 'P3Y' }),
      advance(client, { by: 'P1D' }),
      advance(client, { by: 'P1D', dry_run: true }),
      client.send('setClock', clock),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409, 409]);
    expect((await client.send('setClock', clock)).status).toBe(200);
  });
});

describe('webhooks during a clock advance', () => {
  const receivers = async (answer: Parameters<typeof listenRaw>[0]): Promise<RawReceiver> => {
    const receiver = await listenRaw(answer);
    onTestFinished(receiver.close);
    return receiver;
  };

  it('are delivered and retried at their instants before the advance responds', async () => {
    const acme = await aStory({ client: createTestClient() });
    const { client, key } = acme;
    const { url, requests } = await receivers((at) => (at < 2 ? 500 : 204));
    await client.api('createWebhook', { key, body: { url } }, 201);
    await acme.product('free', { entitlements: [entitlement(5)] });
    await acme.subscribeTo('free', { starts_at: '2026-02-01T00:00:00Z' });
    const { items } = await acme.advance('P1M');

    expect(items.map(({ at, kind, attempt }: AnyBody) => [at, kind, attempt])).toEqual([
      ['2026-02-01T00:00:00.000Z', 'start', undefined],
      ['2026-02-01T00:00:00.000Z', 'delivery_attempt', 1],
      ['2026-02-01T00:00:05.000Z', 'delivery_attempt', 2],
      ['2026-02-01T00:05:05.000Z', 'delivery_attempt', 3],
    ]);
    expect(requests).toHaveLength(3);
  });

  it('let a receiver call the emulator, which responds at the instant reached', async () => {
    const acme = await aStory();
    const { client, key } = acme;
    const answered: AnyBody[] = [];
    const { url } = await receivers(() => async (response) => {
      answered.push(await client.api('getClock', { key }));
      answered.push(await acme.balance());
      answered.push(client.emulator.worlds.find(key)?.head.clock);
      answered.push((await advance(client, { by: 'P1D' }, key)).status);
      response.writeHead(204).end();
    });
    await client.api('createWebhook', { key, body: { url } }, 201);
    await acme.product('free', { entitlements: [entitlement(5)] });
    await acme.subscribeTo('free', { starts_at: '2026-02-01T00:00:00Z' });
    await acme.advance('P1M');

    expect(answered).toEqual([
      expect.objectContaining({ now: '2026-02-01T00:00:00.000Z', advancing: true }),
      5,
      { mode: 'frozen', at: '2026-02-01T00:00:00.000Z' },
      409,
    ]);
  });

  it('end an advance with until: delivered when none is pending', async () => {
    const acme = await aStory();
    const { client, key } = acme;
    const { url } = await receivers((at) => (at < 3 ? 503 : 204));
    await client.api('createWebhook', { key, body: { url } }, 201);
    await acme.product('free', { entitlements: [entitlement(5)] });
    await acme.subscribeTo('free');
    const { body } = await advance(client, { until: 'delivered' }, key);

    expect(body.now).toBe('2026-01-31T10:35:05.000Z');
    expect((await advance(client, { until: 'delivered' }, key)).body).toMatchObject({
      from: '2026-01-31T10:35:05.000Z',
      now: '2026-01-31T10:35:05.000Z',
      total_count: 0,
    });
    const { agenda } = await client.api('getClock', { key, query: { limit: 9 } });
    // The end of the credit, in a hundred years.
    expect(agenda).toMatchObject({ total_count: 1, items: [{ kind: 'grant_expiry' }] });
  });
});
