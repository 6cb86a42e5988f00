import { Rational } from '../../kit/rational.ts';
import { instant, VENDORS } from '../calls.ts';
import { customerName, newestFirst, profit } from '../views.ts';
import type { Aspect, Stage } from './aspect.ts';

/** A period of days, inclusive. By default it starts on the first day of the month and ends today. */
interface Days {
  readonly period_from?: string;
  readonly period_to?: string;
}

/** The maximum number of days that are used as start or end of a period. */
const MAX_DAYS = 4;

/** Revenue, costs and margins of all customers and vendors, in total and in periods between days with movements. */
export const profits: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  for (const { index } of world.customers) {
    const path = { customerId: ids.customers[index] as string };
    const found = await call('getCustomerStats', { path });
    yield [`c${index}`, found, customerProfit(stage, index, () => true)];
  }
  for (const days of periodsOf(stage)) {
    const found = await call('listCustomerStats', { query: { ...days } });
    yield [JSON.stringify(days), found, customersIn(stage, days)];
    for (const [vendor, vendorId] of ids.vendors.entries())
      for (const category of [undefined, 'compute', 'uncategorized']) {
        const query = { ...days, ...(category && { category }) };
        const name = `vendor ${VENDORS[vendor]} ${JSON.stringify(query)}`;
        const stats = await call('getVendorStats', { path: { vendorId }, query });
        yield [name, stats, vendorIn(stage, vendor, days, category)];
      }
  }
};

const dayOfInstant = (at: number) => instant(at).slice(0, 10);

/** This month, and periods between some of the days with revenue or costs. */
function periodsOf({ world }: Stage): Days[] {
  const moments = [
    ...world.customers.flatMap(({ earnings }) => earnings.map(({ at }) => at)),
    ...world.usage.map(({ occurredAt }) => occurredAt),
  ];
  const all = [...new Set(moments.map(dayOfInstant))].sort();
  const step = Math.ceil(all.length / MAX_DAYS);
  const days = all.filter((_, index) => index % step === 0);
  const today = dayOfInstant(world.now);
  return [
    {},
    ...days.filter((day) => day <= today).map((period_from) => ({ period_from })),
    ...days.flatMap((period_from, index) =>
      days.slice(index).map((period_to) => ({ period_from, period_to })),
    ),
  ];
}

function within({ world }: Stage, days: Days): (at: number) => boolean {
  const today = dayOfInstant(world.now);
  const { period_from = `${today.slice(0, 7)}-01`, period_to = today } = days;
  return (at) => period_from <= dayOfInstant(at) && dayOfInstant(at) <= period_to;
}

type IsCounted = ReturnType<typeof within>;

const earned = ({ world }: Stage, customer: number, isCounted: IsCounted): Rational =>
  Rational.sum(
    (world.customers[customer]?.earnings ?? [])
      .filter(({ at }) => isCounted(at))
      .map(({ amount }) => amount),
  );

/** The costs of the events in a period, of one customer if given. */
const spent = ({ world }: Stage, isCounted: IsCounted, customer?: number) =>
  world.usage
    .filter((record) => isCounted(record.occurredAt))
    .filter((record) => customer === undefined || record.customer === customer)
    .flatMap(({ costs }) => costs);

const sumOfCosts = (costs: ReturnType<typeof spent>) =>
  Rational.sum(costs.map(({ value }) => value));

function customerProfit(stage: Stage, customer: number, isCounted: IsCounted): object {
  const costs = spent(stage, isCounted, customer);
  return profit(earned(stage, customer, isCounted), sumOfCosts(costs));
}

function customersIn(stage: Stage, days: Days): object {
  const { world, ids } = stage;
  const isCounted = within(stage, days);
  const rows = world.customers.map(({ index }) => ({
    gross: earned(stage, index, isCounted),
    item: {
      ...customerName(world, ids, index),
      stats: customerProfit(stage, index, isCounted),
    },
  }));
  const gross = Rational.sum(rows.map((row) => row.gross));
  const sorted = newestFirst(rows, (one, other) => one.gross.compare(other.gross));
  return {
    ...days,
    summary: profit(gross, sumOfCosts(spent(stage, isCounted))),
    items: sorted.map(({ item }) => item),
    total_count: rows.length,
  };
}

function vendorIn(stage: Stage, vendor: number, days: Days, category?: string): object {
  const named = spent(stage, within(stage, days))
    .filter((cost) => cost.vendor === vendor)
    .map((cost) => ({ ...cost, category: cost.category ?? 'uncategorized' }))
    .filter((cost) => category === undefined || cost.category === category);
  const categories = [...new Set(named.map((cost) => cost.category))].sort();
  return {
    total_costs: sumOfCosts(named),
    categories: categories.map((each) => ({
      category: each,
      cost: sumOfCosts(named.filter((cost) => cost.category === each)),
    })),
  };
}
