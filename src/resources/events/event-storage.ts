import { type DecimalText, decimal, format, sum, sumText } from '../../domain/decimal.ts';
import { given, mapPresent } from '../../domain/given.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CostRecord, CustomerRow, Draft, EventRow, FeeRecord } from '../../store/records.ts';
import { uuidKey } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import { reportingValue } from '../revenue/reporting.ts';
import { warn } from '../warnings.ts';
import {
  DEFAULT_COST_CURRENCY,
  type EventInput,
  type NewCost,
  type NewEvent,
} from './event-intake.ts';
import { type BillableUsage, type Billing, billUsage } from './usage-billing.ts';
import { freeUsageWarning } from './usage-warnings.ts';

/** Prices a new event, debits its fees and stores it with its costs. @assumes A-805 */
export function billAndStoreEvent(
  billing: Billing,
  customer: CustomerRow,
  { input, occurred_at, costs: newCosts }: NewEvent,
): EventRow {
  const { context } = billing;
  const { tables, world, owner, now } = context;
  const usage = usageOf(input, occurred_at);
  const { fees, free } = billUsage(billing, usage);
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
    billed_by: billing.pricesAt(occurred_at).billed_by,
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
    ...given({ category, description, metadata }),
    ...mapPresent(input, QUANTITIES, (quantity) => format(decimal(quantity))),
    cost: format(reportingValue(context, currency, amount, usage.occurred_at, 'unpriced_cost')),
  };
}

/** How a cost was calculated, in numbers that are stored as sent. */
export const QUANTITIES = [
  'units',
  'unit_price',
  'input_volume',
  'volume_rate',
  'package_size',
] as const;
