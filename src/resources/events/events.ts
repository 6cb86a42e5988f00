import { given } from '../../domain/given.ts';
import { RuleViolation, throwIfInvalid } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import { ask } from '../../store/query/ask.ts';
import { FACETS } from '../../store/query/facets.ts';
import type { Condition } from '../../store/query/query.ts';
import type { EventRow } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { Handler } from '../context.ts';
import {
  filteredCustomer,
  isCustomerFiltered,
  namedCustomer,
} from '../customers/customer-lookup.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { daysOf, isWithin } from '../revenue/period.ts';
import { addToTotals } from '../revenue/totals.ts';
import { validateBatch, warnOfEarlyUsage } from './event-intake.ts';
import { billAndStoreEvent } from './event-storage.ts';
import { presentEvent, presentEventSummary } from './present-event.ts';
import { openBilling } from './usage-billing.ts';
import { pricesOfCustomer } from './usage-prices.ts';

export const submitEvents: Handler<'submitEvents'> = ({ body }, context) => {
  const { world, owner } = context;
  const customer = namedCustomer(context, body);
  const { events, findings } = validateBatch(
    context,
    'message' in customer ? undefined : customer.id,
    body.events,
  );
  if ('message' in customer) throw new RuleViolation([customer, ...findings]);
  throwIfInvalid(findings);

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
  const { subject, event_id } = query;
  const customer = isCustomerFiltered(query) ? filteredCustomer(context, query) : undefined;
  const event = event_id === undefined ? undefined : tables.events.get(uuidKey(owner, event_id));
  const isOfNone = isCustomerFiltered(query) && !customer;
  const whose = customer ? { customer_id: customer.id } : { owner };
  return ask(
    tables.events,
    {
      where: given({ ...whose, subject }),
      among: isOfNone ? [] : event_id === undefined ? undefined : event ? [event] : [],
      fits: conditionsOf(query),
      facet: FACETS.event,
    },
    (found) => ({
      status: 200 as const,
      body: newestFirst(found, query, (row) => presentEventSummary(context, row)),
    }),
  );
};

export const getEvent: Handler<'getEvent'> = ({ path }, context) => {
  const event = context.tables.events.get(uuidKey(context.owner, path.eventId)) ?? notFound();
  return { status: 200, body: presentEvent(context, event) };
};

type Query = Call<'listEvents'>['query'];

/** The conditions of the query on each event, besides its customer and subject. */
function conditionsOf(query: Query): Condition<EventRow>[] {
  const { has_fees, event_types = [] } = query;
  const days = daysOf(query.period_from, query.period_to);
  const conditions: Condition<EventRow>[] = [];
  if (days.from ?? days.to) conditions.push((event) => isWithin(event.occurred_at, days));
  if (has_fees !== undefined) conditions.push((event) => event.fees.length > 0 === has_fees);
  if (event_types.length > 0) conditions.push((event) => event_types.includes(event.event_type));
  return conditions;
}
