import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFee, type FeeExplanation } from './control/explain/fee.ts';
import { decimal, format, sum } from './domain/decimal.ts';
import { findViolations } from './invariants/violations.ts';
import { rowsOf } from './store/query/rows-of.ts';
import type { TotalsRow } from './store/records.ts';
import { createTestClient } from './testing/client.ts';
import { aUser } from './testing/customer.ts';
import { type LifeAction, MONEY_ACTIONS, someActions } from './testing/random/random-actions.ts';
import { eventsOf, RandomLife, USES_ALL } from './testing/random/random-life.ts';
import { anEvent } from './testing/usage.ts';

/** Invariants of money after any history. A history can take seconds on a busy machine. */
const SLOW = { timeout: 60_000 };
const WITH_TIME = [...MONEY_ACTIONS, 'wait'] as const;
const RUNS = { numRuns: 30, seed: 20_260_115 };

const { emulator } = createTestClient();
const anEconomy = () => new RandomLife(emulator, [USES_ALL, USES_ALL]);

function outcomeOf(deeds: readonly LifeAction[]): RandomLife {
  const economy = anEconomy();
  for (const deed of deeds) economy.act(deed);
  expect(economy.refused).toBe(0);
  return economy;
}

const stateOf = ({ context }: RandomLife) => {
  const { tables, sequence } = context.world.image();
  return { tables, sequence };
};

/** The history of one customer without ids, because ids also count the records of other customers. */
function historyOf({ context: { tables }, customers }: RandomLife, which: 0 | 1) {
  const id = customers[which] as string;
  const plain = ({ day, revenue, cost }: Partial<TotalsRow>) => [day, revenue, cost];
  return {
    accounts: rowsOf(tables.wallet_accounts, { customer_id: id }).map(
      ({ account_id, available }) => [account_id, available],
    ),
    transactions: rowsOf(tables.transactions, { customer_id: id }).map((row) => [
      row.source,
      row.account_id,
      row.balance_after,
      row.postings.map(({ from, to, amount }) => [from, to, amount]),
    ]),
    grants: [...tables.grants.values()]
      .filter((row) => row.customer_id === id)
      .map((row) => [row.purpose, row.amount, row.repaid, row.remaining, row.expires_at]),
    events: rowsOf(tables.events, { customer_id: id }).map((row) => [
      row.event_id,
      row.revenue,
      row.cost,
      row.fees.map((fee) => [fee.terms.price_name, fee.terms.currency, fee.amount, fee.revenue]),
    ]),
    tasks: rowsOf(tables.tasks, { customer_id: id })
      .map(({ subject, event_count, revenue, cost }) => [subject, event_count, revenue, cost])
      .sort(),
    days: tables.totals.list('days', id).map(plain),
    total: plain(tables.totals.get(id) ?? {}),
  };
}

describe('the ledger after random actions', () => {
  it('breaks no invariant in 30 histories of 100 actions', SLOW, () => {
    fc.assert(
      fc.property(someActions(100, WITH_TIME), (deeds) => {
        const { tables } = outcomeOf(deeds).context;

        expect(findViolations(tables)).toEqual([]);
        expect(tables.transactions.size).toBeGreaterThan(40);
      }),
      RUNS,
    );
  });

  it('does not change when actions are retried later', SLOW, () => {
    const retried = fc.array(fc.nat(39), { maxLength: 40 });
    fc.assert(
      fc.property(someActions(40, ['adjust', 'charge', 'use']), retried, (deeds, again) => {
        const economy = outcomeOf(deeds);
        const before = stateOf(economy);
        for (const place of again) economy.act(deeds[place] as LifeAction);

        expect(stateOf(economy)).toEqual(before);
      }),
      RUNS,
    );
  });

  it('is the same when every action is retried at once', SLOW, () => {
    fc.assert(
      fc.property(someActions(30, ['adjust', 'charge', 'use']), (deeds) => {
        const once = outcomeOf(deeds);
        const twice = outcomeOf(deeds.flatMap((deed) => [deed, deed]));

        for (const which of [0, 1] as const)
          expect(historyOf(twice, which)).toEqual(historyOf(once, which));
        expect(twice.context.world.image().sequence).toBe(once.context.world.image().sequence);
      }),
      RUNS,
    );
  });

  it('is the same however a batch of usage is split', SLOW, () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(someActions(25), sizes, (deeds, pieces) => {
        const whole = outcomeOf(deeds);
        const split = anEconomy();
        for (const deed of deeds) {
          if (deed.kind !== 'use') split.act(deed);
          else submitInPieces(split, deed, pieces);
        }

        for (const which of [0, 1] as const)
          expect(historyOf(split, which)).toEqual(historyOf(whole, which));
      }),
      RUNS,
    );
  });

  it(
    'has the same history per customer however the actions of two customers are interleaved',
    SLOW,
    () => {
      const kinds = ['adjust', 'charge', 'use', 'status', 'change'] as const;
      fc.assert(
        fc.property(
          someActions(60, kinds),
          fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
          (deeds, turns) => {
            const inOrder = outcomeOf(deeds);
            const shuffled = outcomeOf(takeTurns(deeds, turns));

            for (const which of [0, 1] as const)
              expect(historyOf(shuffled, which)).toEqual(historyOf(inOrder, which));
          },
        ),
        RUNS,
      );
    },
  );
});

describe('the explanation of a fee', () => {
  it('has parts that sum to the fee, and does not change after later actions', SLOW, () => {
    fc.assert(
      fc.property(someActions(60, WITH_TIME), (deeds) => {
        const economy = anEconomy();
        const told = new Map<string, FeeExplanation>();
        for (const deed of deeds) {
          economy.act(deed);
          for (const [id, explanation] of explanationsOf(economy))
            if (!told.has(id)) told.set(id, explanation);
        }

        for (const [id, explanation] of explanationsOf(economy)) {
          expect(explanation).toEqual(told.get(id));
          expect(sumsOf(explanation)).toEqual(statedBy(explanation));
        }
      }),
      { ...RUNS, numRuns: 10 },
    );
  });
});

function explanationsOf({ context }: RandomLife): [string, FeeExplanation][] {
  return [...context.tables.events.values()].flatMap((event) =>
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
    arithmetic: arithmetic.rounded ? 'rounded' : arithmetic.exact,
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

function submitInPieces(economy: RandomLife, deed: LifeAction, pieces: readonly number[]): void {
  const events = eventsOf(deed, economy.world.now);
  let from = 0;
  for (const size of pieces) {
    const piece = events.slice(from, from + size);
    from += size;
    const customer_id = economy.customers[deed.customer];
    if (piece.length > 0) economy.send('submitEvents', { body: { customer_id, events: piece } });
  }
}

/** Interleaves the actions of two customers in another order. Keeps the order of each customer's actions. */
function takeTurns(deeds: readonly LifeAction[], turns: readonly boolean[]): LifeAction[] {
  const queues = [0, 1].map((which) => deeds.filter(({ customer }) => customer === which));
  const order = turns.map((isSecond) => queues[isSecond ? 1 : 0]?.shift());
  return [...order, ...queues.flat()].filter((deed) => deed !== undefined);
}

describe('a thousand identical requests in parallel', () => {
  it('bill the event once', async () => {
    const client = createTestClient();
    const user = await aUser(client, { prices: [{ values: [{ unit_price: 0.1 }] }] });
    const event = anEvent();
    await Promise.all(Array.from({ length: 1000 }, () => user.submit(event)));

    expect(await user.balances()).toEqual({ 'default:USD': -0.1 });
  }, 60_000);
});
