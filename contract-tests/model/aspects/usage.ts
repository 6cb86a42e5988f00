import { Rational } from '../../kit/rational.ts';
import type { AnyBody } from '../../kit/target/own-world.ts';
import { instant } from '../calls.ts';
import type { UsageRecord } from '../records.ts';
import {
  costsOf,
  customerName,
  eventItem,
  inOrder,
  newestFirst,
  profit,
  storedEvent,
} from '../views.ts';
import type { Aspect, Stage } from './aspect.ts';

/** The list of events, and all tasks: the list in both orders, and each task with its events and vendors. */
export const usage: Aspect = async function* (stage) {
  const { call, ids, world } = stage;
  const query = { limit: 1000 };
  const stored = [...world.usage].reverse().map((record) => eventItem(record, stage));
  yield ['events', (await call('listEvents', { query })).items, stored];
  const tasks = tasksOf(stage);
  const newest = (order: 'first' | 'last') =>
    newestFirst(tasks, (one, other) => one[order] - other[order]).map(({ item }) => item);
  yield ['tasks by update', (await call('listTasks', { query })).items, newest('last')];
  const byCreation = await call('listTasks', { query: { ...query, sort: 'created_at' } });
  yield ['tasks by creation', byCreation.items, newest('first')];
  for (const { id, item, records } of tasks) {
    const { events, vendors, ...task } = await call('getTask', { path: { taskId: id } });
    const found = {
      ...task,
      times: events.map(({ occurred_at }: AnyBody) => occurred_at),
      events: inOrder(events, ids.events, ({ id: each }) => each),
      vendors: inOrder(vendors, ids.vendors, ({ vendor }) => vendor.id),
    };
    const wanted = {
      ...item,
      times: records.map(({ occurredAt }) => instant(occurredAt)).sort(),
      events: records.map((record) => storedEvent(record, ids)),
      vendors: vendorsOf(records, stage),
    };
    yield [id, found, wanted];
  }
};

interface Task {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly item: object;
  readonly records: readonly UsageRecord[];
}

/** The tasks in order of their first submitted event. */
function tasksOf({ ids, world }: Stage): Task[] {
  const groups = new Map<string, UsageRecord[]>();
  for (const record of world.usage) {
    const { subject } = record.event;
    if (subject === undefined) continue;
    const id = `${ids.customers[record.customer]}:${subject}`;
    groups.set(id, [...(groups.get(id) ?? []), record]);
  }
  return [...groups].map(([id, records]) => {
    const times = records.map(({ occurredAt }) => occurredAt);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    const gross = Rational.sum(records.map(({ revenue }) => revenue));
    const { customer, event } = records[0] as UsageRecord;
    const item = {
      id,
      customer: customerName(world, ids, customer),
      subject: event.subject,
      event_count: records.length,
      created_at: instant(first),
      last_updated_at: instant(last),
      stats: profit(gross, Rational.sum(records.map(costsOf))),
    };
    return { id, first, last, item, records };
  });
}

function vendorsOf(records: readonly UsageRecord[], { ids }: Stage): object[] {
  const costs = records.flatMap((record) => record.costs);
  return ids.vendors.flatMap((id, index) => {
    const own = costs.filter(({ vendor }) => vendor === index);
    const total_costs = Rational.sum(own.map(({ value }) => value));
    return own.length === 0
      ? []
      : [{ vendor: { id, name: 'Vendor' }, total_costs, currency: 'USD' }];
  });
}
