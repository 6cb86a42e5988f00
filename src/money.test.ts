import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyArbitrary } from '../contract-tests/model/arbitrary/history.ts';
import type { History } from '../contract-tests/model/history.ts';
import { contextOf } from './control/context.ts';
import { describeFee, type FeeExplanation } from './control/explain/fee.ts';
import { decimal, format, sum } from './domain/decimal.ts';
import { findViolations } from './invariants/violations.ts';
import type { World } from './store/world.ts';
import { createTestClient } from './testing/client.ts';
import { type Detour, playAsModelled, type WorldCall } from './testing/random-history.ts';

/** Invariants of money after any history, which also equals that of the model. It can take seconds on a busy machine. */
const SLOW = { timeout: 300_000 };
const RUNS = { numRuns: 6, seed: 20_260_115, endOnFailure: true };

const { emulator } = createTestClient();
const play = (history: History, detour?: Detour) => playAsModelled(emulator, history, detour);

describe('the ledger after a random history', () => {
  it('breaks no invariant and has every fee, balance and revenue of the model', SLOW, async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary({ minLength: 60, maxLength: 60 }), async (history) => {
        const { tables } = await play(history);

        expect(findViolations(tables)).toEqual([]);
        expect(tables.transactions.size).toBeGreaterThan(20);
      }),
      RUNS,
    );
  });

  it('is that of the model however a batch of usage is split', SLOW, async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(
        historyArbitrary({ weights: { events: 1 }, minLength: 15, maxLength: 25 }),
        sizes,
        async (history, pieces) => {
          const { tables } = await play(history, (call) => submittingInPieces(call, pieces));

          expect(tables.events.size).toBeGreaterThan(15);
        },
      ),
      RUNS,
    );
  });
});

/** Submits batches of usage in pieces of these sizes, over and over. */
function submittingInPieces(call: WorldCall, sizes: readonly number[]): WorldCall {
  let count = 0;
  return async (operation, parts, statuses) => {
    if (operation !== 'submitEvents') return call(operation, parts, statuses);
    const { events, ...body } = parts.body as { readonly events: readonly object[] };
    for (let from = 0; from < events.length; count += 1) {
      const size = sizes[count % sizes.length] as number;
      await call(operation, { body: { ...body, events: events.slice(from, from + size) } });
      from += size;
    }
  };
}

describe('the explanation of a fee', () => {
  it('has parts that sum to the fee, and does not change after later actions', SLOW, async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary({ minLength: 30, maxLength: 40 }), async (history) => {
        const told = new Map<string, FeeExplanation>();
        const world = await play(history, (call, world) => async (...sent) => {
          const answer = await call(...sent);
          if (sent[0] !== 'submitEvents') return answer;
          for (const [id, explanation] of explanationsOf(world))
            if (!told.has(id)) told.set(id, explanation);
          return answer;
        });

        for (const [id, explanation] of explanationsOf(world)) {
          expect(explanation).toEqual(told.get(id));
          expect(sumsOf(explanation)).toEqual(statedBy(explanation));
        }
      }),
      RUNS,
    );
  });
});

function explanationsOf(world: World): [string, FeeExplanation][] {
  const { settings } = emulator;
  const context = contextOf({ world, owner: world.accountId, settings, baseUrl: '' });
  return [...world.tables.events.values()].flatMap((event) =>
    event.fees.map((fee): [string, FeeExplanation] => [fee.id, describeFee(context, event, fee)]),
  );
}

/** The sums of the parts of an explanation. */
function sumsOf({ arithmetic, wallet, revenue }: FeeExplanation) {
  const exact = (values: readonly number[]) =>
    format(sum(values.map((each) => decimal(`${each}`))));
  return {
    amount: wallet ? exact([...wallet.draws.map(({ amount }) => amount), wallet.debt]) : '0',
    taken: wallet ? exact([wallet.balance_before, -wallet.balance_after]) : '0',
    arithmetic: arithmetic.rounded ? 'rounded' : `${arithmetic.bound_amount ?? arithmetic.exact}`,
    revenue: exact(revenue.parts.map(({ value }) => value)),
  };
}

function statedBy({ amount, arithmetic, wallet, revenue }: FeeExplanation) {
  const text = `${amount}`;
  return {
    amount: wallet ? text : '0',
    taken: wallet ? text : '0',
    arithmetic: arithmetic.rounded ? 'rounded' : text,
    revenue: `${revenue.amount}`,
  };
}
