import { add, type Decimal, decimal, format, ZERO } from '../../domain/decimal.ts';
import { omitNullish } from '../../domain/fields.ts';
import { dayOf } from '../../domain/instant.ts';
import { ask, compareBy, rowsOf } from '../../store/query.ts';
import type { CustomerRow, EventRow, TaskRow, VendorRow } from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { type Context, type Handler, owned } from '../context.ts';
import { filteredCustomer, isCustomerFiltered } from '../customers/customer-lookup.ts';
import { presentEvent } from '../events/present-event.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { daysOf, isWithin } from '../revenue/period.ts';
import { presentStats } from '../revenue/revenue.ts';

export const listTasks: Handler<'listTasks'> = ({ query }, context) => {
  const updated = daysOf(query.last_updated_from, query.last_updated_to, 'last_updated_to');
  const created = daysOf(query.created_from, query.created_to, 'created_to');
  const { subject, sort = 'last_updated_at' } = query;
  const customer = isCustomerFiltered(query) ? filteredCustomer(context, query) : undefined;
  const whose = customer ? { customer_id: customer.id } : { owner: context.owner };
  const isOfPeriod = (task: TaskRow) =>
    isWithin(task.last_updated_at, updated) && isWithin(task.created_at, created);
  return ask(
    context.tables.tasks,
    {
      where: omitNullish({ ...whose, subject }),
      among: isCustomerFiltered(query) && !customer ? [] : undefined,
      fits: [isOfPeriod],
      facet: ({ created_at, last_updated_at }) => `${dayOf(created_at)} ${dayOf(last_updated_at)}`,
      order: sort,
    },
    (found) => ({
      status: 200 as const,
      body: newestFirst(found, query, (task) => presentTask(context, task)),
    }),
  );
};

export const getTask: Handler<'getTask'> = ({ path }, context) => {
  const { tables } = context;
  const task = owned(context, tables.tasks.get(path.taskId)) ?? notFound();
  const { customer_id, subject } = task;
  const events = rowsOf(tables.events, { customer_id, subject }).toSorted(
    compareBy(({ occurred_at }) => occurred_at),
  );
  return {
    status: 200,
    body: {
      ...presentTask(context, task),
      events: events.map((event) => presentEvent(context, event)),
      vendors: presentVendorCosts(context, events),
    },
  };
};

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
