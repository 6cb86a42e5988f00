import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { historyArbitrary } from '../../contract-tests/model/arbitrary/history.ts';
import { playSteps } from '../../contract-tests/model/play.ts';
import { after, fromMillis, type Instant, toMillis } from '../domain/instant.ts';
import { findViolations } from '../invariants/violations.ts';
import { contentDigest } from '../store/ids.ts';
import { runToCompletion } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { freshKey } from '../testing/catalog.ts';
import { type AnyBody, createTestClient } from '../testing/client.ts';
import { callIn, type WorldCall } from '../testing/random-history.ts';
import { imageOf } from '../testing/worlds.ts';

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
