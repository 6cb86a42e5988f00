import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyArbitrary } from '../contract-tests/model/arbitrary/history.ts';
import type { History } from '../contract-tests/model/history.ts';
import { contextOf } from './control/context.ts';
import { describeFee, type FeeExplanation } from './control/explain/fee.ts';
import { decimal, format, sum } from './domain/decimal.ts';
import { findViolations } from './invariants/violations.ts';
import { rowsOf } from './store/query.ts';
import type { TotalsRow } from './store/records.ts';
import type { World } from './store/world.ts';
import { createTestClient } from './testing/client.ts';
import { type Detour, playAsModelled, type WorldCall } from './testing/random-history.ts';
import { imageOf } from './testing/worlds.ts';

/** Invariants of money after any history, which also equals that of the model. It can take seconds on a busy machine. */
const SLOW = { timeout: 300_000 };
const RUNS = { numRuns: 6, seed: 20_260_115, endOnFailure: true };
/** The weights of steps that a request can repeat: it states its ids. */
const REPEATABLE = { events: 3, adjust: 1, charge: 1 };

const { emulator } = createTestClient();
const play = (history: History, detour?: Detour) => playAsModelled(emulator, history, detour);

function stateOf(world: World) {
  const { tables, sequence } = imageOf(world);
  return { tables, sequence };
}

/** The history of each customer without ids, because ids also count the records of other customers. */
function historiesOf({ tables }: World) {
  return [...tables.customers.values()].map(({ id: customer_id }) => {
    const plain = ({ day, revenue, cost }: Partial<TotalsRow>) => [day, revenue, cost];
    const own = { customer_id };
    return {
      accounts: rowsOf(tables.wallet_accounts, own).map(({ account_id, available }) => [
        ...[account_id, available],
      ]),
      transactions: rowsOf(tables.transactions, own).map((row) => [
        ...[row.created_at, row.source, row.account_id, row.balance_after],
        row.postings.map(({ from, to, amount }) => [from, to, amount]),
      ]),
      grants: [...tables.grants.values()]
        .filter((row) => row.customer_id === customer_id)
        .map((row) => [
          ...[row.purpose, row.amount, row.repaid, row.remaining],
          ...[row.effective_at, row.expires_at],
        ]),
      subscriptions: rowsOf(tables.subscriptions, own).map((row) => [
        ...[row.status, row.anchor, row.renews_at, row.refreshes_at],
      ]),
      topUps: rowsOf(tables.top_ups, own).map(({ status, amount }) => [status, amount]),
      collected: rowsOf(tables.fee_payments, own).map(({ created_at }) => created_at),
      events: rowsOf(tables.events, own).map((row) => [
        ...[row.occurred_at, row.revenue, row.cost],
        row.fees.map((fee) => [fee.terms.price_name, fee.terms.currency, fee.amount, fee.revenue]),
      ]),
      tasks: rowsOf(tables.tasks, own)
        .map(({ subject, event_count, revenue, cost }) => [subject, event_count, revenue, cost])
        .sort(),
      days: rowsOf(tables.totals)
        .filter(({ of, day }) => of === customer_id && day !== undefined)
        .map(plain)
        .sort(),
      total: plain(tables.totals.get(customer_id) ?? {}),
    };
  });
}

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

  it('does not change when requests are sent again later', SLOW, async () => {
    await fc.assert(
      fc.asyncProperty(
        historyArbitrary({ weights: REPEATABLE, minLength: 20, maxLength: 40 }),
        async (history) => {
          const again: (() => Promise<unknown>)[] = [];
          const world = await play(history, (call) => async (...sent) => {
            if (isRepeatable(sent)) again.push(() => call(...sent));
            return call(...sent);
          });
          const before = stateOf(world);
          for (const send of again) await send();

          expect(again.length).toBeGreaterThan(19);
          expect(stateOf(world)).toEqual(before);
        },
      ),
      RUNS,
    );
  });

  it('is the same when every request is sent twice', SLOW, async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary({ minLength: 20, maxLength: 30 }), async (history) => {
        const once = await play(history);
        const twice = await play(history, (call) => async (...sent) => {
          if (isRepeatable(sent)) await call(...sent);
          return call(...sent);
        });

        expect(historiesOf(twice)).toEqual(historiesOf(once));
        expect(imageOf(twice).sequence).toBe(imageOf(once).sequence);
      }),
      RUNS,
    );
  });

  it('is the same however a batch of usage is split', SLOW, async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(
        historyArbitrary({ weights: { events: 1 }, minLength: 15, maxLength: 25 }),
        sizes,
        async (history, pieces) => {
          const whole = await play(history);
          const split = await play(history, (call) => submittingInPieces(call, pieces));

          expect(historiesOf(split)).toEqual(historiesOf(whole));
        },
      ),
      RUNS,
    );
  });

  it('is the same for a customer with and without the actions of another one', SLOW, async () => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary({ minLength: 20, maxLength: 30 }), async (history) => {
        const together = historiesOf(await play(history));

        for (const customer of [0, 1])
          expect(historiesOf(await play(actionsOf(customer, history)))[customer]).toEqual(
            together[customer],
          );
      }),
      RUNS,
    );
  });
});

/** The two customers' history in which only one acts. Rates are of both. */
const actionsOf = (customer: number, { steps, ...catalogue }: History): History => ({
  ...catalogue,
  steps: steps.map((step) =>
    step.customer === customer || step.action.do === 'rate'
      ? step
      : { ...step, action: { do: 'wait' } },
  ),
});

const isRepeatable = ([operation]: Parameters<WorldCall>): boolean =>
  ['submitEvents', 'adjustWallet', 'chargeWallet'].includes(operation);

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
