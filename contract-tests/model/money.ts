import { Rational } from '../kit/rational.ts';
import type { AnyBody } from '../kit/target/own-world.ts';
import { type Account, available, type Movement, NEVER } from './account.ts';
import { instant } from './calls.ts';
import type { Compared, Stage } from './compare.ts';
import type { ModelWorld } from './world.ts';

/** Every wallet account with its balance, grants and transactions; what is pending is compared at each step. */
export async function* creditIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  const byId = (one: AnyBody, other: AnyBody) => (one.id < other.id ? -1 : 1);
  for (const { index, accounts } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const found = (await call('getWallet', { path })).accounts.sort(byId);
    yield [`c${index} wallet`, found, [...accounts.values()].map(accountItem).sort(byId)];
    for (const [accountId, account] of accounts) {
      const query = { limit: 1000 };
      const own = { customer_id: path.customerId, account_id: accountId };
      const { items: grants } = await call('listGrants', { path: { ...path, accountId }, query });
      const { items: transactions } = await call('listLedgerTransactions', {
        query: { ...query, ...own },
      });
      yield [`c${index} ${accountId}`, { grants, transactions }, historyOf(account)];
    }
  }
}

function accountItem(account: Account) {
  const [name, asset] = account.id.split(':');
  return { id: account.id, name, asset, available: available(account) };
}

const historyOf = ({ id, credits, movements }: Account): object => ({
  grants: [...credits].reverse().map((given) => ({
    purpose: given.purpose,
    available: given.isEffective ? given.left : Rational.ZERO,
    effective_at: instant(given.effectiveAt),
    expires_at: given.expiresAt === NEVER ? null : instant(given.expiresAt),
    created_at: instant(given.movement.createdAt),
  })),
  transactions: [...movements].reverse().map((movement) => transaction(id, movement)),
});

function transaction(accountId: string, movement: Movement): object {
  const { source, amount, createdAt, executedAt, balance } = movement;
  return {
    type: source === 'usage' || source === 'charge' ? 'fee' : 'adjustment',
    account_id: accountId,
    asset: accountId.split(':')[1],
    ...{ amount, source, balance_after: balance },
    created_at: instant(createdAt),
    executed_at: executedAt === undefined ? undefined : instant(executedAt),
  };
}

/** A period of days, inclusive. By default it starts on the first day of the month and ends today. */
interface Days {
  readonly period_from?: string;
  readonly period_to?: string;
}

/** The maximum number of days that are used as start or end of a period. */
const MAX_DAYS = 2;

/** The revenue and the costs of every customer, in all and in periods between days with revenue. */
export async function* revenueIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  for (const { index } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const wanted = statsOf(world, index, () => true);
    yield [`c${index} revenue`, await call('getCustomerStats', { path }), wanted];
  }
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
        summary: {
          gross_revenue: Rational.sum(rows.map(revenueOf)),
          total_costs: Rational.sum(rows.map(({ total_costs }) => total_costs)),
        },
        items: order.map((index) => ({ id: ids.customers[index], stats: rows[index] })),
      },
    ];
  }
}

const dayOfInstant = (at: number) => instant(at).slice(0, 10);

/** This month, and periods between some of the days with revenue. */
function periodsOf({ customers, now }: ModelWorld): Days[] {
  const moments = customers.flatMap(({ earnings }) => earnings.map(({ at }) => at));
  const all = [...new Set(moments.map(dayOfInstant))].sort();
  const step = Math.ceil(all.length / MAX_DAYS);
  const days = all.filter((_, index) => index % step === 0);
  const today = dayOfInstant(now);
  return [
    {},
    ...days.filter((day) => day <= today).map((period_from) => ({ period_from })),
    ...days.flatMap((period_from, index) =>
      days.slice(index).map((period_to) => ({ period_from, period_to })),
    ),
  ];
}

function within({ now }: ModelWorld, days: Days): (at: number) => boolean {
  const today = dayOfInstant(now);
  const { period_from = `${today.slice(0, 7)}-01`, period_to = today } = days;
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
  };
}
