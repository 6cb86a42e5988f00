import { type DecimalText, decimal, format, sum } from '../domain/decimal.ts';
import type { CostRecord, CustomerRow, EventRow } from '../state/records.ts';
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
  const total = totalOf(context, fees, occurred_at);
  return tables.events.put({
    id: key(owner, input.id),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    customer_id: customer.id,
    ...usage,
    billed_by: billing.prices.billed_by,
    fees,
    ...(fees.length > 0 && { total_fees: format(total.amount), fee_currency: total.currency }),
    costs,
    revenue: format(sum(fees.map((fee) => decimal(fee.revenue)))),
    cost: format(sum(costs.map((record) => decimal(record.cost)))),
  });
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
