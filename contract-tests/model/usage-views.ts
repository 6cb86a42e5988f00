import { Rational } from '../kit/rational.ts';
import type { AnyBody } from '../kit/target/own-world.ts';
import { dayOfInstant, type Ids, instant, shownEvent } from './calls.ts';
import type { Compared, Stage } from './compare.ts';
import { expenseOf } from './history.ts';
import type { ExpectedFee, UsageRecord } from './records.ts';
import type { Customer } from './world.ts';

const WHOLE = { limit: 1000 };

/** The usage of a customer, latest submission first. */
export async function* usageIn(
  { call, ids }: Stage,
  { index, events }: Customer,
): AsyncIterable<Compared> {
  const query = { ...WHOLE, customer_id: ids.customers[index] as string };
  const { items } = await call('listEvents', { query });
  yield [`c${index} usage`, items, events.map(listed).reverse()];
}

function listed({ event_type, at, subject, fees, total, revenue, cost }: UsageRecord): object {
  const currencies = new Set(fees.map(({ currency }) => currency));
  return {
    ...{ event_type, subject, occurred_at: instant(at), has_fees: fees.length > 0 },
    fee_currency: currencies.size > 1 ? 'USD' : [...currencies][0],
    total_fees: total,
    stats: { gross_revenue: revenue, total_costs: cost },
  };
}

/** An event as its detail shows it. */
export const storedEvent = ({ event_type, at, fees, revenue, cost }: UsageRecord): object =>
  shownEvent({
    ...{ event_type, occurred_at: instant(at) },
    fees: fees.map(({ product, version, ...fee }) => ({
      ...fee,
      product_code: `p${product}`,
      product_version: version,
    })),
    costs: [expenseOf({ event_type }).cost],
    stats: { gross_revenue: revenue, total_costs: cost },
  });

/** A fee as a simulation shows it: without what it has no value for. */
export function simulatedFee({ product: _, version: __, ...fee }: ExpectedFee): object {
  const shown = Object.entries(fee).map(([name, value]) => [name, value ?? undefined]);
  const dimensions = fee.dimensions ? JSON.stringify(fee.dimensions) : undefined;
  return { ...Object.fromEntries(shown), dimensions };
}

/** A task with its events by their ids. */
interface Task {
  readonly subject: string;
  readonly events: ReadonlyMap<string, UsageRecord>;
}

/** The tasks of a customer in the list, and each with its events and the costs of each vendor. */
export async function* tasksIn(
  { call, ids }: Stage,
  { index, events }: Customer,
): AsyncIterable<Compared> {
  const customer_id = ids.customers[index] as string;
  const tasks = tasksOf(events, ids.events.get(index) ?? []);
  const { items } = await call('listTasks', { query: { ...WHOLE, customer_id } });
  const latestFirst = tasks.toReversed().sort((one, other) => latestOf(other) - latestOf(one));
  yield [`c${index} tasks`, items, latestFirst.map(summaryOf)];
  for (const task of tasks) {
    const { subject } = task;
    const found = await call('getTask', { path: { taskId: `${customer_id}:${subject}` } });
    const events = found.events.map(shownEvent).sort(by(({ id }) => id));
    const vendors = found.vendors.sort(by(({ vendor }) => vendor.name));
    yield [
      `c${index} ${subject}`,
      { ...found, events, vendors },
      { ...summaryOf(task), ...taskContents(task, ids) },
    ];
  }
}

const by = (key: (item: AnyBody) => string) => (one: AnyBody, other: AnyBody) =>
  key(one) < key(other) ? -1 : 1;

const latestOf = ({ events }: Task): number =>
  Math.max(...[...events.values()].map(({ at }) => at));

/** In the order in which their first events were submitted. */
function tasksOf(events: readonly UsageRecord[], ids: readonly string[]): Task[] {
  const subjects = new Set(events.flatMap(({ subject }) => subject ?? []));
  return [...subjects].map((subject) => {
    const own = [...events.entries()].filter(([, event]) => event.subject === subject);
    return { subject, events: new Map(own.map(([place, event]) => [ids[place] as string, event])) };
  });
}

function summaryOf({ subject, events }: Task): object {
  const own = [...events.values()];
  const moments = own.map(({ at }) => at);
  return {
    ...{ subject, event_count: own.length },
    created_at: instant(Math.min(...moments)),
    last_updated_at: instant(Math.max(...moments)),
    stats: {
      gross_revenue: Rational.sum(own.map(({ revenue }) => revenue)),
      total_costs: Rational.sum(own.map(({ cost }) => cost)),
    },
  };
}

const taskContents = ({ events }: Task, ids: Ids): object => ({
  events: [...events].map(([id, event]) => ({ id, ...storedEvent(event) })),
  vendors: vendorsOf([...events.values()], ids),
});

/** The costs of events by their vendors. */
function vendorsOf(events: readonly UsageRecord[], ids: Ids) {
  return ids.vendors.flatMap((id, vendor) => {
    const own = events.filter((event) => expenseOf(event).vendor === vendor);
    const total_costs = Rational.sum(own.map(({ cost }) => cost));
    return own.length > 0
      ? [{ vendor: { id, name: `v${vendor}` }, total_costs, currency: 'USD' }]
      : [];
  });
}

/** The costs of one vendor up to today, and those of the other one from one of the days of usage on. */
export async function* vendorsIn({ call, ids, world }: Stage): AsyncIterable<Compared> {
  const all = world.customers.flatMap(({ events }) => events);
  const days = all.map(({ at }) => dayOfInstant(at)).sort();
  const middle = days[Math.floor(days.length / 2)];
  if (middle === undefined) return;
  for (const [event_type, vendorId, period_from, period_to] of [
    ['e', ids.vendors[0], '2025-01-01', dayOfInstant(world.now)],
    ['f', ids.vendors[1], middle, '2099-12-31'],
  ] as const) {
    const own = all
      .filter((event) => event.event_type === event_type)
      .map((event) => ({ ...event, day: dayOfInstant(event.at) }))
      .filter(({ day }) => period_from <= day && day <= period_to);
    const cost = Rational.sum(own.map((event) => event.cost));
    const { category = 'uncategorized' } = expenseOf({ event_type }).cost;
    const stats = await call('getVendorStats', {
      path: { vendorId: vendorId as string },
      query: { period_from, period_to },
    });
    yield [
      `costs of ${event_type}`,
      stats,
      { total_costs: cost, categories: own.length > 0 ? [{ category, cost }] : [] },
    ];
  }
}
