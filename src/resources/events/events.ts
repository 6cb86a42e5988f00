import { RuleViolation, refuseAll } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import { FACETS } from '../../store/indexes/facets.ts';
import type { Groups } from '../../store/indexes/row-index.ts';
import type { EventRow } from '../../store/records.ts';
import { ALL, key, uuidKey } from '../../store/schema.ts';
import type { Context, Handler } from '../context.ts';
import {
  filteredCustomer,
  isCustomerFiltered,
  namedCustomer,
} from '../customers/customer-lookup.ts';
import { newestFirst, newestOfGroups } from '../paging.ts';
import { notFound } from '../problems.ts';
import { daysOf, isWithin } from '../revenue/period.ts';
import { addToTotals } from '../revenue/totals.ts';
import { areMany, type Condition, dividing, meetsAll, replyAbout } from '../walk.ts';
import { openBilling } from './billing.ts';
import { warnOfEarlyUsage } from './early-usage.ts';
import { takeIn } from './event-intake.ts';
import { billAndStoreEvent } from './event-storage.ts';
import { cachedEventSummary, presentEvent } from './present-event.ts';
import { pricesOfCustomer } from './usage-prices.ts';

export const submitEvents: Handler<'submitEvents'> = ({ body }, context) => {
  const { world, owner } = context;
  const customer = namedCustomer(context, body);
  const { events, findings } = takeIn(
    context,
    'message' in customer ? undefined : customer.id,
    body.events,
  );
  if ('message' in customer) throw new RuleViolation([customer, ...findings]);
  refuseAll(findings);

  const billing = openBilling(context, {
    customer,
    pricesAt: pricesOfCustomer(context, customer),
    nextFeeId: () => world.nextId('fee', owner),
  });
  const stored = events.map((event) => billAndStoreEvent(billing, customer, event));
  billing.debits.write();
  addToTotals(context, customer.id, stored);
  warnOfEarlyUsage(context, customer, events);
  return { status: 204 };
};

export const listEvents: Handler<'listEvents'> = ({ query }, context) => {
  const { tables, owner } = context;
  const { subject } = query;
  const conditions = conditionsOf(query);
  const present = (event: EventRow) => cachedEventSummary(context, event);
  const replyOf = (parts: Groups<EventRow>) => ({
    status: 200 as const,
    body: newestOfGroups(parts, meetsAll(conditions), query, present),
  });
  if (conditions.length === 0 || isCustomerFiltered(query) || query.event_id !== undefined) {
    const rowsNow = () => candidates(query, context);
    const rows = rowsNow();
    if (conditions.length > 0 && areMany(rows))
      return tables.events.onDemand(dividing(rowsNow, { group: FACETS.event }, subject), (kept) =>
        replyOf(kept.under(ALL)),
      );
    return replyAbout(rows, conditions, (events) => ({
      status: 200,
      body: newestFirst(events, query, present),
    }));
  }
  const [index, at] =
    subject === undefined
      ? (['facets', owner] as const)
      : (['subject', key(owner, subject)] as const);
  return tables.events.lazy(index, () => replyOf(tables.events.groups(index, at)));
};

export const getEvent: Handler<'getEvent'> = ({ path }, context) => {
  const event = context.tables.events.get(uuidKey(context.owner, path.eventId)) ?? notFound();
  return { status: 200, body: presentEvent(context, event) };
};

type Query = Call<'listEvents'>['query'];

/** The conditions of the query on each event, besides its customer. */
function conditionsOf(query: Query): Condition<EventRow>[] {
  const { subject, has_fees, event_types = [] } = query;
  const days = daysOf(query.period_from, query.period_to);
  const conditions: Condition<EventRow>[] = [];
  if (days.from ?? days.to) conditions.push((event) => isWithin(event.occurred_at, days));
  if (subject !== undefined) conditions.push((event) => event.subject === subject);
  if (has_fees !== undefined) conditions.push((event) => event.fees.length > 0 === has_fees);
  if (event_types.length > 0) conditions.push((event) => event_types.includes(event.event_type));
  return conditions;
}

/** The smallest list from an index that contains all matching events, in order of submission. */
function candidates(query: Query, context: Context): readonly EventRow[] {
  const { tables, owner } = context;
  const customer = isCustomerFiltered(query) ? filteredCustomer(context, query) : undefined;
  if (isCustomerFiltered(query) && !customer) return [];
  if (query.event_id !== undefined) {
    const event = tables.events.get(uuidKey(owner, query.event_id));
    return event && (!customer || event.customer_id === customer.id) ? [event] : [];
  }
  if (!customer) return tables.events.list('owner', owner);
  if (query.subject === undefined) return tables.events.list('customer', customer.id);
  return tables.events
    .list('task', `${customer.id}:${query.subject}`)
    .toSorted((left, right) => left.seq - right.seq);
}
