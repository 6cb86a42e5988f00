import { type DecimalText, decimal, format, sum } from '../../domain/decimal.ts';
import { exactly, orKept } from '../../state/exact-size.ts';
import type { CostRecord, CustomerRow, Draft, EventRow } from '../../state/records.ts';
import { uuidKey } from '../../state/schema.ts';
import type { Context } from '../context.ts';
import { reportingValue } from '../stats/reporting.ts';
import {
  type CostInput,
  DEFAULT_COST_CURRENCY,
  type EventInput,
  type NewCost,
  type NewEvent,
} from './event-intake.ts';
import { type BillableUsage, type Billing, billUsage, totalOf } from './usage-billing.ts';

/** Prices a new event, takes its fees and stores it with its costs. @assumes A-805 */
export function billAndStoreEvent(
  billing: Billing,
  customer: CustomerRow,
  { input, occurred_at, costs: newCosts }: NewEvent,
): EventRow {
  const { context } = billing;
  const { tables, world, owner, now } = context;
  const usage = usageOf(input, occurred_at);
  const fees = billUsage(billing, usage);
  const costs = newCosts.map((cost) => claimCost(context, usage, cost));
  const event: Draft<EventRow> = {
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
    fees: exactly(fees),
    costs: exactly(costs),
    revenue: sumOf(fees.map((fee) => fee.revenue)),
    cost: sumOf(costs.map((record) => record.cost)),
  };
  if (usage.subject !== undefined) event.subject = usage.subject;
  if (usage.description !== undefined) event.description = usage.description;
  addFeeTotals(context, event);
  return tables.events.put(event);
}

/** Notes what the fees of an event come to, with the text of the only one where there is one. */
function addFeeTotals(context: Context, event: Draft<EventRow>): void {
  const { fees, occurred_at } = event;
  const [first] = fees;
  if (!first) return;
  const total = fees.length === 1 ? undefined : totalOf(context, fees, occurred_at);
  event.total_fees = orKept(total ? format(total.amount) : first.amount, event.revenue);
  event.fee_currency = total ? total.currency : first.terms.currency;
}

/** Most events have one fee and no cost, whose text they then share. */
function sumOf([first = '0', ...others]: readonly DecimalText[]): DecimalText {
  if (others.length === 0) return first;
  return format(sum([first, ...others].map(decimal)));
}

/** What an event says of the usage itself. */
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

/** Keeps a cost's id for its event, so that no other event can have it. */
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
    ...(typeof category === 'string' && { category }),
    ...(typeof description === 'string' && { description }),
    ...(metadata && { metadata }),
    ...quantitiesOf(input),
    cost: format(reportingValue(context, currency, amount, usage.occurred_at, 'unpriced_cost')),
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
