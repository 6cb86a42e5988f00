import { type DecimalText, decimal, format, sum } from '../domain/decimal.ts';
import type { Instant } from '../domain/instant.ts';
import type { CostRecord, CustomerRow, EventRow, FeeRecord } from '../state/records.ts';
import { key } from '../state/schema.ts';
import type { Context } from './context.ts';
import {
  type CostInput,
  DEFAULT_COST_CURRENCY,
  type EventInput,
  type NewCost,
  type NewEvent,
} from './event-intake.ts';
import { reportingValue } from './reporting.ts';
import { type Billing, billUsage, totalOf, type Usage } from './usage-billing.ts';

/** Prices a new event, takes its fees and stores it with its costs. @assumes A-805 */
export function storeEvent(
  billing: Billing,
  customer: CustomerRow,
  { input, occurred_at, costs: newCosts }: NewEvent,
): EventRow {
  const { context } = billing;
  const { tables, world, owner, now } = context;
  const usage = usageOf(input, occurred_at);
  const fees = billUsage(billing, usage);
  const costs = newCosts.map((cost) => claimCost(context, usage, cost));
  return tables.events.put({
    id: key(owner, input.id),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    customer_id: customer.id,
    ...usage,
    billed_by: billing.prices.billed_by,
    fees,
    ...feeTotals(context, fees, occurred_at),
    costs,
    revenue: sumOf(fees.map((fee) => fee.revenue)),
    cost: sumOf(costs.map((record) => record.cost)),
  });
}

/** What the fees come to; the text of the only one where there is one. */
function feeTotals(
  context: Context,
  fees: readonly FeeRecord[],
  at: Instant,
): Pick<EventRow, 'total_fees' | 'fee_currency'> {
  const [first, ...others] = fees;
  if (!first) return {};
  if (others.length === 0) return { total_fees: first.amount, fee_currency: first.currency };
  const { amount, currency } = totalOf(context, fees, at);
  return { total_fees: format(amount), fee_currency: currency };
}

/** Most events have one fee and no cost, whose text they then share. */
function sumOf([first = '0', ...others]: readonly DecimalText[]): DecimalText {
  if (others.length === 0) return first;
  return format(sum([first, ...others].map(decimal)));
}

/** What an event says of the usage itself. */
export function usageOf(input: EventInput, occurred_at: Usage['occurred_at']): Usage {
  const { subject, description } = input;
  return {
    event_id: input.id,
    event_type: input.event_type,
    occurred_at,
    ...(typeof subject === 'string' && { subject }),
    ...(typeof description === 'string' && { description }),
    data: input.data ?? {},
  };
}

/** Keeps a cost's id for its event, so that no other event can have it. */
function claimCost(context: Context, usage: Usage, { input, vendor }: NewCost): CostRecord {
  const { tables, world, owner } = context;
  tables.cost_claims.put({
    id: key(owner, input.id),
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
    ...(typeof category === 'string' && { category }),
    ...(typeof description === 'string' && { description }),
    ...(metadata && { metadata }),
    ...quantitiesOf(input),
    cost: format(reportingValue(context, currency, amount, usage.occurred_at)),
  };
}

/** How a cost came about, in numbers that are kept as they are sent. */
export const QUANTITIES = [
  'units',
  'unit_price',
  'input_volume',
  'volume_rate',
  'package_size',
] as const;

type Quantity = (typeof QUANTITIES)[number];

function quantitiesOf(input: CostInput): Pick<CostRecord, Quantity> {
  const given: { [N in Quantity]?: DecimalText } = {};
  for (const name of QUANTITIES) {
    const quantity = input[name];
    if (typeof quantity === 'number') given[name] = format(decimal(quantity));
  }
  return given;
}
