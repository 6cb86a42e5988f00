import { Rational } from '../kit/rational.ts';
import type { AnyBody } from '../kit/target/own-world.ts';
import { type Account, available, type Credit, type Movement, NEVER } from './account.ts';
import { dayOfInstant, instant } from './calls.ts';
import type { Compared, Stage } from './compare.ts';
import type { ModelWorld } from './world.ts';

const LONGEST_PAGE = 1000;

/** Every wallet account with its balance, grants and transactions; what is pending is compared at each step. */
export async function* creditIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  const byId = (one: AnyBody, other: AnyBody) => (one.id < other.id ? -1 : 1);
  for (const { index, accounts } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const found = (await call('getWallet', { path })).accounts.sort(byId);
    yield [`c${index} wallet`, found, [...accounts.values()].map(accountItem).sort(byId)];
    for (const [accountId, account] of accounts) {
      const query = { limit: LONGEST_PAGE };
      const own = { ...query, customer_id: path.customerId, account_id: accountId };
      const { items: transactions } = await call('listLedgerTransactions', { query: own });
      const latest = account.movements.slice(-LONGEST_PAGE).reverse();
      const movements = latest.map(transaction);
      yield [`c${index} ${accountId} transactions`, transactions, movements];
      // The balance of an account without credit is compared above.
      if (account.credits.length === 0) continue;
      const { items: grants } = await call('listGrants', { path: { ...path, accountId }, query });
      const credits = account.credits.slice(-LONGEST_PAGE).reverse().map(grant);
      yield [`c${index} ${accountId} grants`, grants, credits];
    }
  }
}

/** An account as the wallet shows it. */
export function accountItem(account: Account) {
  const { id, name, asset } = account;
  return { id, name, asset, available: available(account) };
}

const grant = (given: Credit): object => ({
  purpose: given.purpose,
  available: given.isEffective ? given.left : Rational.ZERO,
  effective_at: instant(given.effectiveAt),
  expires_at: given.expiresAt === NEVER ? null : instant(given.expiresAt),
});

const transaction = ({ source, amount, executedAt, balance }: Movement): object => ({
  source,
  amount,
  balance_after: balance,
  executed_at: instant(executedAt),
});

/** A period of days, inclusive. By default it starts on the first day of the month and ends today. */
interface Days {
  readonly period_from?: string;
  readonly period_to?: string;
}

/** The revenue and the costs of every customer in all. */
export async function* totalsIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const { index } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const wanted = statsOf(world, index, () => true);
    yield [`c${index} revenue`, await call('getCustomerStats', { path }), wanted];
  }
}

/** The same in periods between days with revenue. */
export async function* periodsIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const days of periodsOf(world)) {
    const isCounted = within(world, days);
    const rows = world.customers.map(({ index }) => statsOf(world, index, isCounted));
    // Equal revenue stands newest customer first.
    const order = [...rows.keys()]
      .reverse()
      .sort((one, other) => revenueOf(rows[other]).compare(revenueOf(rows[one])));
    yield [
      JSON.stringify(days),
      await call('listCustomerStats', { query: { ...days } }),
      {
        ...periodOf(world, days),
        summary: {
          gross_revenue: Rational.sum(rows.map(revenueOf)),
          total_costs: Rational.sum(rows.map(({ total_costs }) => total_costs)),
          currency: 'USD',
        },
        items: order.map((index) => ({
          id: ids.customers[index],
          name: `c${index}`,
          stats: rows[index],
        })),
      },
    ];
  }
}

/** This month, this year up to now, and what was before and after one of the days with revenue, that day included. */
function periodsOf({ customers, history, now }: ModelWorld): Days[] {
  const moments = customers.flatMap(({ earnings }) => earnings.map(({ at }) => at));
  const days = [...new Set(moments.map(dayOfInstant))].sort();
  const middle = days[Math.floor(days.length / 2)];
  if (middle === undefined || middle > dayOfInstant(now)) return [{}];
  const yearStart = `${dayOfInstant(history.start).slice(0, 4)}-01-01`;
  const year = { period_from: yearStart };
  return [{}, { period_from: middle }, year, { ...year, period_to: middle }];
}

/** The days of a period: by default those of this month until today. */
function periodOf({ now }: ModelWorld, days: Days): Required<Days> {
  const today = dayOfInstant(now);
  return { period_from: `${today.slice(0, 7)}-01`, period_to: today, ...days };
}

function within(world: ModelWorld, days: Days): (at: number) => boolean {
  const { period_from, period_to } = periodOf(world, days);
  return (at) => period_from <= dayOfInstant(at) && dayOfInstant(at) <= period_to;
}

type Stats = ReturnType<typeof statsOf>;

const revenueOf = (stats: Stats | undefined): Rational => stats?.gross_revenue ?? Rational.ZERO;

/** What a customer earned and cost at the instants that are counted. */
function statsOf({ customers }: ModelWorld, index: number, isCounted: (at: number) => boolean) {
  const { earnings = [], events = [] } = customers[index] ?? {};
  const counted = <T extends { readonly at: number }>(all: readonly T[]) =>
    all.filter(({ at }) => isCounted(at));
  return {
    gross_revenue: Rational.sum(counted(earnings).map(({ amount }) => amount)),
    total_costs: Rational.sum(counted(events).map(({ cost }) => cost)),
    currency: 'USD',
  };
}
