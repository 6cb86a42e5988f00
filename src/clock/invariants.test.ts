import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMillis, type Instant, toMillis } from '../domain/instant.ts';
import { gainText } from '../domain/postings.ts';
import { findViolations } from '../invariants/violations.ts';
import { contentDigest } from '../store/ids.ts';
import { rowsOf } from '../store/query/rows-of.ts';
import { runToCompletion } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { createTestClient } from '../testing/client.ts';
import { aCustomerAction, type LifeAction } from '../testing/random/random-actions.ts';
import { RandomLife } from '../testing/random/random-life.ts';
import { mostDue } from './due.ts';

const { emulator } = createTestClient();
const { clocks } = emulator;
const DAY = 86_400_000;
const YEAR = 365 * DAY;
const RUNS = 25;

const actions = fc.array(aCustomerAction, { minLength: 5, maxLength: 40 });
const digest = (world: World): string => contentDigest(JSON.stringify(world.image()));
const inMillis = (world: World, millis: number): Instant =>
  fromMillis(toMillis(world.now) + millis);

/** Runs the actions of a customer, one hour apart. */
async function live(done: readonly LifeAction[]): Promise<RandomLife> {
  const life = new RandomLife(emulator, [{}]);
  for (const deed of done) {
    life.act({ ...deed, customer: 0 });
    await clocks.advance(life.world, inMillis(life.world, 3_600_000), 'by');
  }
  return life;
}

describe('a clock advance after random actions', () => {
  it('has the same result in one step and in several', async () => {
    const steps = fc.array(fc.integer({ min: 1, max: YEAR - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(actions, steps, async (done, moments) => {
        const { world } = await live(done);
        const [once, often] = [runToCompletion(world.forking()), runToCompletion(world.forking())];
        const targets = [...moments, YEAR].sort((a, b) => a - b);
        const instants = targets.map((millis) => inMillis(world, millis));
        await clocks.advance(once, instants.at(-1) as Instant, 'by');
        for (const instant of instants) await clocks.advance(often, instant, 'by');

        expect(digest(often)).toBe(digest(once));
        expect(findViolations(once.tables)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('to the current instant changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (done) => {
        const { world } = await live(done);
        const before = digest(world);
        const { count } = await clocks.advance(world, world.now, 'by');

        expect([count, digest(world)]).toEqual([0, before]);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('runs at most the number of due items that mostDue returned', async () => {
    await fc.assert(
      fc.asyncProperty(actions, fc.integer({ min: 1, max: 2 * YEAR }), async (done, millis) => {
        const { world } = await live(done);
        const target = inMillis(world, millis);
        const most = runToCompletion(mostDue(world, target, emulator.settings));

        expect((await clocks.advance(world, target, 'by')).count).toBeLessThanOrEqual(most);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('has the result that previewAdvance returned without changing the world', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (done) => {
        const { world } = await live(done);
        const [before, target] = [digest(world), inMillis(world, 30 * DAY)];
        const rehearsal = await clocks.previewAdvance(world, target, 'by');
        expect(digest(world)).toBe(before);
        expect(await clocks.advance(world, target, 'by')).toEqual(rehearsal);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);
});

describe('two customers', () => {
  interface Scheduled {
    readonly deed: LifeAction;
    readonly day: number;
  }
  const schedule = fc.array(fc.record({ deed: aCustomerAction, day: fc.nat(60) }), {
    maxLength: 25,
  });

  /** Runs several days with several customers, whose actions of a day are interleaved. */
  async function liveDays(
    plans: readonly (readonly Scheduled[])[],
    turns: readonly number[],
  ): Promise<RandomLife> {
    const life = new RandomLife(
      emulator,
      plans.map(() => ({})),
    );
    let turn = 0;
    for (let day = 0; day <= 61; day += 1) {
      const queues = plans.map((plan) => plan.filter((each) => each.day === day));
      while (queues.some((queue) => queue.length > 0)) {
        const waiting = queues.flatMap((queue, place) => (queue.length > 0 ? [place] : []));
        const place = waiting[(turns[turn++ % turns.length] ?? 0) % waiting.length] as number;
        const next = queues[place]?.shift();
        if (next) life.act({ ...next.deed, customer: place });
      }
      await clocks.advance(life.world, inMillis(life.world, DAY), 'by');
    }
    return life;
  }

  /** The history of a customer, without identifiers that count the records of all customers. */
  function historyOf({ world: { tables }, customers }: RandomLife, place: number) {
    const id = customers[place] as string;
    const accounts = rowsOf(tables.wallet_accounts, { customer_id: id });
    return {
      transactions: rowsOf(tables.transactions, { customer_id: id }).map(
        ({ created_at, source, asset, balance_after, ...row }) =>
          [created_at, source, asset, gainText(row), balance_after].join(' '),
      ),
      grants: accounts
        .flatMap((account) =>
          rowsOf(tables.grants, { customer_id: id, account_id: account.account_id }),
        )
        .map(({ purpose, amount, remaining, effective_at, expires_at }) =>
          [purpose, amount, remaining, effective_at, expires_at].join(' '),
        ),
      subscriptions: rowsOf(tables.subscriptions, { customer_id: id }).map(
        ({ status, anchor, renews_at, refreshes_at }) =>
          [status, anchor, renews_at, refreshes_at].join(' '),
      ),
      topUps: rowsOf(tables.top_ups, { customer_id: id }).map(({ status, amount }) => [
        status,
        amount,
      ]),
      fees: rowsOf(tables.fee_payments, { customer_id: id }).map(({ created_at }) => created_at),
      total: tables.totals.get(id)?.revenue,
    };
  }

  it('have the same histories when alone and when their actions are interleaved', async () => {
    const turns = fc.array(fc.nat(1), { minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(schedule, schedule, turns, async (first, second, order) => {
        const mixed = await liveDays([first, second], order);
        for (const [place, plan] of [first, second].entries()) {
          const alone = await liveDays([plan], [0]);
          expect(historyOf(mixed, place)).toEqual(historyOf(alone, 0));
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});

describe('3,000 random actions and clock advances', () => {
  it('break no invariant of the ledger', async () => {
    const people = Array.from({ length: 20 }, () => ({}));
    const life = new RandomLife(emulator, people);
    const many = fc.sample(fc.tuple(aCustomerAction, fc.nat(19), fc.nat(48)), {
      numRuns: 3_000,
      seed: 7,
    });
    for (const [deed, place, hours] of many) {
      life.act({ ...deed, customer: place });
      const next = inMillis(life.world, hours % 5 === 0 ? hours * 3_600_000 : 0);
      await clocks.advance(life.world, next, 'by');
    }

    expect(findViolations(life.world.tables)).toEqual([]);
    expect(life.world.tables.transactions.size).toBeGreaterThan(3_000);
    expect(life.world.tables.fee_payments.size).toBeGreaterThan(50);
    const topUps = [...life.world.tables.top_ups.values()];
    expect(topUps.filter(({ description }) => description).length).toBeGreaterThan(20);
  }, 60_000);
});
