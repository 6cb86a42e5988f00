import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { historyArbitrary } from '../../contract-tests/model/arbitrary/history.ts';
import { playSteps } from '../../contract-tests/model/play.ts';
import { after, fromMillis, type Instant, toMillis } from '../domain/instant.ts';
import { findViolations } from '../invariants/violations.ts';
import { contentDigest } from '../store/ids.ts';
import { runToCompletion } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { entitlement, freshKey } from '../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../testing/client.ts';
import { callIn, type WorldCall } from '../testing/random-history.ts';
import { listenRaw, type RawReceiver } from '../testing/server.ts';
import { aStory } from '../testing/story.ts';
import { aBusyWorld, advance, BUSY, imageOf, openBusy } from '../testing/worlds.ts';

const { emulator } = createTestClient();
const { clocks } = emulator;
const DAY = 86_400_000;
const YEAR = 365 * DAY;
const HISTORIES = 12;
const RUNS = { numRuns: 25, endOnFailure: true };

const OUTCOMES = ['succeeded', 'processing', 'succeeded', 'failed', 'abandoned'];

/** Adds outcomes of payments and renewals that the model does not know, and automatic top-ups of every subscriber. */
function beyondModel(call: WorldCall, world: World): WorldCall {
  let count = 0;
  const someDay = (): Instant => after(world.now, `P${45 + (count % 40)}D`);
  const bodies: Readonly<Record<string, (body: AnyBody) => object>> = {
    createSubscription: (body) => (count % 3 ? body : { ...body, renews_at: someDay() }),
    updateSubscription: (body) => (count % 3 ? body : { renews_at: count % 2 ? null : someDay() }),
    settlePayment(body) {
      const outcome = OUTCOMES[count % OUTCOMES.length];
      return outcome === 'succeeded' ? body : { outcome };
    },
  };
  return async (operation, parts) => {
    count += 1;
    const body = bodies[operation]?.(parts.body) ?? parts.body;
    const answer = await call(operation, { ...parts, body });
    // The subscription has opened the accounts of its prices.
    if (operation === 'createSubscription')
      for (const asset of ['CR', 'USD']) {
        const path = { ...parts.path, accountId: `default:${asset}` };
        const terms = { threshold: 4, amount: 3, currency: 'USD' };
        await call('setAutoTopUp', { path, body: terms });
      }
    return answer;
  };
}

const worlds: World[] = [];
beforeAll(async () => {
  const histories = fc.sample(historyArbitrary({ minLength: 20, maxLength: 40 }), {
    numRuns: HISTORIES,
    seed: 7,
  });
  for (const history of histories) {
    const world = emulator.worlds.find(freshKey()) as World;
    // What the model expects to succeed may be rejected.
    const call = beyondModel(callIn(emulator, world, 499), world);
    for await (const _ of playSteps(call, history));
    worlds.push(world);
  }
}, 300_000);

/** One of the worlds after a random history, by its number. */
const aHistory = fc.nat(HISTORIES - 1);
const copyOf = (place: number): World => runToCompletion((worlds[place] as World).forking());
const digest = (world: World): string => contentDigest(JSON.stringify(imageOf(world)));
const inMillis = (world: World, millis: number): Instant =>
  fromMillis(toMillis(world.now) + millis);

describe('random histories with automatic top-ups and renewals on other days', () => {
  it('break no invariant of the ledger', () => {
    const total = (count: (world: World) => number) =>
      worlds.reduce((sum, world) => sum + count(world), 0);

    for (const { tables } of worlds) expect(findViolations(tables)).toEqual([]);
    expect(total(({ tables }) => tables.transactions.size)).toBeGreaterThan(800);
    expect(total(({ tables }) => tables.fee_payments.size)).toBeGreaterThan(50);
    expect(
      total(
        ({ tables }) =>
          [...tables.top_ups.values()].filter(({ description }) => description).length,
      ),
    ).toBeGreaterThan(20);
  });
});

describe('a clock advance after a random history', () => {
  it('has the same result in one step and in several', async () => {
    const steps = fc.array(fc.integer({ min: 1, max: YEAR - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(aHistory, steps, async (place, moments) => {
        const [once, often] = [copyOf(place), copyOf(place)];
        const targets = [...moments, YEAR].sort((a, b) => a - b);
        const instants = targets.map((millis) => inMillis(once, millis));
        await clocks.advance(once, instants.at(-1) as Instant, 'by');
        for (const instant of instants) await clocks.advance(often, instant, 'by');

        expect(digest(often)).toBe(digest(once));
        expect(findViolations(once.tables)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('to the current instant changes nothing', async () => {
    for (const world of worlds) {
      const before = digest(world);
      const { count } = await clocks.advance(world, world.now, 'by');

      expect([count, digest(world)]).toEqual([0, before]);
    }
  });

  it('has the result that previewAdvance returned without changing the world', async () => {
    for (const original of worlds) {
      const world = runToCompletion(original.forking());
      const [before, target] = [digest(world), inMillis(world, 30 * DAY)];
      const rehearsal = await clocks.previewAdvance(world, target, 'by');
      expect(digest(world)).toBe(before);
      expect(await clocks.advance(world, target, 'by')).toEqual(rehearsal);
    }
  });
});

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
