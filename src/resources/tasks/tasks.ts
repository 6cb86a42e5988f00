import { add, type Decimal, decimal, format, ZERO } from '../../domain/decimal.ts';
import type { Call } from '../../spec/operations.ts';
import { FACETS } from '../../store/indexes/facets.ts';
import type { Groups } from '../../store/indexes/row-index.ts';
import type { CustomerRow, EventRow, TaskRow, VendorRow } from '../../store/records.ts';
import { ALL, key } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context, Handler } from '../context.ts';
import { filteredCustomer, isCustomerFiltered } from '../customers/customer-lookup.ts';
import { presentEvent } from '../events/present-event.ts';
import { owned } from '../owned-records.ts';
import { newestFirst, newestOfGroups } from '../paging.ts';
import { notFound } from '../problems.ts';
import { daysOf, isWithin } from '../revenue/period.ts';
import { presentStats } from '../revenue/present-stats.ts';
import { areMany, dividing, replyAbout } from '../walk.ts';

type Query = Call<'listTasks'>['query'];

export const listTasks: Handler<'listTasks'> = ({ query }, context) => {
  const updated = daysOf(query.last_updated_from, query.last_updated_to, 'last_updated_to');
  const created = daysOf(query.created_from, query.created_to, 'created_to');
  const { tasks } = context.tables;
  const { subject, sort = 'last_updated_at' } = query;
  const isOfPeriod = (task: TaskRow) =>
    isWithin(task.last_updated_at, updated) && isWithin(task.created_at, created);
  const present = (task: TaskRow) => presentTask(context, task);
  const replyOf = (parts: Groups<TaskRow>) => ({
    status: 200 as const,
    body: newestOfGroups(parts, isOfPeriod, query, present),
  });
  const parts = tasks.groups(sort, context.owner);
  if (isCustomerFiltered(query)) {
    const rowsNow = () => tasksOfCustomer(query, context);
    const rows = rowsNow();
    if (areMany(rows))
      return tasks.onDemand(
        dividing(rowsNow, { name: sort, order: (task) => task[sort], group: FACETS.task }),
        (kept) => replyOf(kept.under(ALL)),
      );
    return replyAbout(rows, [isOfPeriod], (found) => ({
      status: 200,
      body: newestFirst(found.toSorted(parts.compare), query, present),
    }));
  }
  if (subject === undefined) return replyOf(parts);
  const index = `subject_${sort}` as const;
  return tasks.lazy(index, () => replyOf(tasks.groups(index, key(context.owner, subject))));
};

export const getTask: Handler<'getTask'> = ({ path }, context) => {
  const { tables } = context;
  const task = owned(context, tables.tasks.get(path.taskId)) ?? notFound();
  const events = tables.events.list('task', task.id);
  return {
    status: 200,
    body: {
      ...presentTask(context, task),
      events: events.map((event) => presentEvent(context, event)),
      vendors: presentVendorCosts(context, events),
    },
  };
};

/** The tasks of the filtered customer, or only its task for a subject. */
function tasksOfCustomer(query: Query, context: Context): readonly TaskRow[] {
  const { tables } = context;
  const customer = filteredCustomer(context, query);
  if (!customer) return [];
  if (query.subject === undefined) return tables.tasks.list('customer', customer.id);
  const task = tables.tasks.get(`${customer.id}:${query.subject}`);
  return task ? [task] : [];
}

function presentTask({ tables, settings }: Context, task: TaskRow) {
  const { id, external_id, name } = tables.customers.get(task.customer_id) as CustomerRow;
  return {
    id: task.id,
    customer: { id, external_id: external_id ?? null, name },
    subject: task.subject,
    event_count: task.event_count,
    created_at: task.created_at,
    last_updated_at: task.last_updated_at,
    stats: presentStats(settings, decimal(task.revenue), decimal(task.cost)),
  };
}

function presentVendorCosts({ tables, settings }: Context, events: readonly EventRow[]) {
  const costs = new Map<string, Decimal>();
  for (const { vendor_id, cost } of events.flatMap((event) => event.costs))
    costs.set(vendor_id, add(costs.get(vendor_id) ?? ZERO, decimal(cost)));
  return [...costs].map(([vendorId, cost]) => {
    const { id, external_id, name } = tables.vendors.get(vendorId) as VendorRow;
    return {
      vendor: { id, external_id: external_id ?? null, name },
      total_costs: wireNumber(format(cost)),
      currency: settings.reporting_currency,
    };
  });
}
