import { type DecimalText, decimal, format, sum, sumText } from '../../domain/decimal.ts';
import { mapPresent, omitNullish } from '../../domain/fields.ts';
import { dayOf, type Instant, instant } from '../../domain/instant.ts';
import { isGiven, RuleViolation, throwIfInvalid, violate } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import { ask, type Condition } from '../../store/query.ts';
import type {
  CostRecord,
  CustomerRow,
  Draft,
  EventRow,
  FeeRecord,
  ProductRow,
} from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { Context, Handler } from '../context.ts';
import {
  filteredCustomer,
  findCustomer,
  isCustomerFiltered,
  namedCustomer,
} from '../customers/customer-lookup.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { findProductById, versionOfPath } from '../products/product-lookup.ts';
import { daysOf, isWithin } from '../revenue/period.ts';
import { addToTotals, reportingValue } from '../revenue/revenue.ts';
import { warn } from '../warnings.ts';
import {
  DEFAULT_COST_CURRENCY,
  type EventInput,
  type NewCost,
  type NewEvent,
  validateBatch,
  warnOfEarlyUsage,
} from './event-batch.ts';
import {
  presentEvent,
  presentEventSummary,
  presentSimulatedFee,
  QUANTITIES,
} from './present-event.ts';
import { type BillableUsage, type Billing, billUsage, openBilling } from './usage-billing.ts';
import { offerOf, pricesOfCustomer } from './usage-prices.ts';
import { freeUsageWarning } from './usage-warnings.ts';

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
      where: omitNullish({ ...whose, subject }),
      among: isOfNone ? [] : event_id === undefined ? undefined : event ? [event] : [],
      fits: conditionsOf(query),
      facet: ({ occurred_at, event_type, fees }) =>
        `${dayOf(occurred_at)} ${fees.length > 0} ${event_type}`,
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

/** Prices a new event, debits its fees and stores it with its costs. @assumes A-805 */
function billAndStoreEvent(
  billing: Billing,
  customer: CustomerRow,
  { input, occurred_at, costs: newCosts }: NewEvent,
): EventRow {
  const { context } = billing;
  const { tables, world, owner, now } = context;
  const usage = usageOf(input, occurred_at);
  const { fees, free, billed_by } = billUsage(billing, usage);
  for (const each of free) warn(context, freeUsageWarning(usage, each, customer));
  const costs = newCosts.map((cost) => claimCost(context, usage, cost));
  const revenue = sumOf(fees.map((fee) => fee.revenue));
  const { subject, description } = usage;
  return tables.events.put({
    id: uuidKey(owner, input.id),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    customer_id: customer.id,
    event_id: usage.event_id,
    event_type: usage.event_type,
    occurred_at,
    data: usage.data,
    billed_by,
    fees,
    costs,
    revenue,
    cost: sumOf(costs.map((record) => record.cost)),
    ...(subject !== undefined && { subject }),
    ...(description !== undefined && { description }),
    ...feeTotals(context, fees, occurred_at),
  });
}

/**
 * The total of an event's fees: in their asset if they all have the same, otherwise in the reporting currency.
 *
 * @assumes A-806
 */
function feeTotals(
  context: Context,
  fees: readonly FeeRecord[],
  occurred_at: Instant,
): Pick<EventRow, 'total_fees' | 'fee_currency'> {
  const [first] = fees;
  if (!first) return {};
  const { currency } = first.terms;
  if (fees.length === 1) return { total_fees: first.amount, fee_currency: currency };
  const isShared = fees.every(({ terms }) => terms.currency === currency);
  const amounts = fees.map(({ amount, terms }) =>
    isShared
      ? decimal(amount)
      : reportingValue(context, terms.currency, decimal(amount), occurred_at),
  );
  return {
    total_fees: format(sum(amounts)),
    fee_currency: isShared ? currency : context.settings.reporting_currency,
  };
}

/** Most events have one fee and no cost; the sum then shares its text. */
function sumOf([first = '0', ...others]: readonly DecimalText[]): DecimalText {
  if (others.length === 0) return first;
  return sumText([first, ...others]);
}

/** The fields of an event that billing needs. */
export function usageOf(
  input: EventInput,
  occurred_at: BillableUsage['occurred_at'],
): BillableUsage {
  const { id: event_id, event_type, subject, description } = input;
  const usage: Draft<BillableUsage> = { event_id, event_type, occurred_at, data: input.data ?? {} };
  if (typeof subject === 'string') usage.subject = subject;
  if (typeof description === 'string') usage.description = description;
  return usage;
}

/** Reserves a cost's id for its event, so that no other event can use it. */
function claimCost(context: Context, usage: BillableUsage, { input, vendor }: NewCost): CostRecord {
  const { tables, world, owner } = context;
  tables.cost_claims.put({
    id: uuidKey(owner, input.id),
    seq: world.nextSeq(),
    event: usage.event_id,
  });
  const { category, description, metadata } = input;
  const amount = decimal(input.amount);
  const currency = input.currency ?? DEFAULT_COST_CURRENCY;
  return {
    id: input.id,
    vendor_id: vendor.id,
    amount: format(amount),
    currency,
    ...omitNullish({ category, description, metadata }),
    ...mapPresent(input, QUANTITIES, (quantity) => format(decimal(quantity))),
    cost: format(reportingValue(context, currency, amount, usage.occurred_at, 'unpriced_cost')),
  };
}

/** Prices events like real usage, and rolls everything back. @assumes A-512 */
export const simulateUsage: Handler<'simulateUsage'> = ({ path, body }, context) => {
  const version = versionOfPath(context, path);
  const { customer_id } = body;
  const customer = isGiven(customer_id)
    ? (findCustomer(context, customer_id) ?? violate('customer.unknown', 'customer_id'))
    : undefined;
  const product = findProductById(context, version.product_id) as ProductRow;
  const prices = { offers: [offerOf(version, product)], billed_by: [] };
  const billing = openBilling(context, {
    customer,
    pricesAt: () => prices,
    nextFeeId: () => 'simulated',
  });
  const simulated = context.world.dryRun(() =>
    body.events.map((event) => simulateEvent(billing, event)),
  );
  const fees = simulated.flatMap((each) => each.fees);
  const warnings = simulated.flatMap((each) => each.warnings);
  return { status: 200, body: { fees, ...(warnings.length > 0 && { warnings }) } };
};

function simulateEvent(billing: Billing, input: EventInput) {
  const usage = usageOf(input, instant(input.occurred_at));
  const { event_id, event_type } = usage;
  const { fees, free } = billUsage(billing, usage);
  // A fee that is rounded to 0 is among the fees.
  const unbilled = free.filter(({ why }) => why !== 'rounded_away');
  return {
    fees: fees.map((fee) => presentSimulatedFee(event_id, event_type, fee)),
    warnings: unbilled.map((each) => `${event_id}: ${freeUsageWarning(usage, each).message}`),
  };
}
