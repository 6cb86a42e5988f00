import { phaseAt } from '../../domain/subscriptions.ts';
import { noFeeText } from '../../resources/events/usage-warnings.ts';
import type { components } from '../../spec/control.d.ts';
import { rowsOf } from '../../store/query.ts';
import type { BilledProduct, EventRow, PriceRecord, VersionRow } from '../../store/records.ts';
import type { Tables } from '../../store/schema.ts';
import { versionKey } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { ControlHandler, ExplainContext } from '../context.ts';
import { findEvent, findFee, nothingNamed } from '../scope.ts';
import { presentWarning } from '../warnings.ts';
import { describeFee, describeMatching, describeUsage, titleOf } from './fee.ts';
import { formatEvent, formatFee } from './text.ts';

type Schemas = components['schemas'];
export type EventExplanation = Schemas['EventExplanation'];

/**
 * Explains fees and usage events by what was true when they were priced: from records that never change and
 * from what was noted at that time.
 */
export const explain: ControlHandler<'explain'> = async ({ path: { id } }, context) => {
  if (!id.startsWith('fee_')) {
    const event = findEvent(context, id) ?? nothingNamed(id, context);
    const body = describeEvent(context, event);
    return { status: 200, body, ...(context.prefersText && { text: formatEvent(body) }) };
  }
  const { event, fee } = (await findFee(context, id)) ?? nothingNamed(id, context);
  const body = describeFee(context, event, fee);
  return { status: 200, body, ...(context.prefersText && { text: formatFee(body) }) };
};

/** What became of a usage event: its fees, and why other prices gave none. @assumes */
export function describeEvent(context: ExplainContext, event: EventRow): EventExplanation {
  const { tables } = context.world;
  const { total_fees, fee_currency, owner, event_id } = event;
  return {
    event: describeUsage(event),
    customer_id: event.customer_id,
    customer: titleOf(tables, event),
    owner,
    products: event.billed_by.map((billed) => describeBilled(billed, event)),
    fees: event.fees.map((fee) => describeFee(context, event, fee)),
    without_fee: pricesWithoutFee(tables, event),
    subscriptions_not_asked: describeOthers(context, event),
    costs: event.costs.map(({ id, vendor_id, amount, currency, cost }) => ({
      id,
      vendor_id,
      amount: wireNumber(amount),
      currency,
      value: wireNumber(cost),
    })),
    ...(total_fees !== undefined && { total_fees: wireNumber(total_fees) }),
    ...(fee_currency !== undefined && { fee_currency }),
    revenue: wireNumber(event.revenue),
    cost: wireNumber(event.cost),
    reporting_currency: context.settings.reporting_currency,
    warnings: rowsOf(tables.warnings, { owner, event_id }).map(presentWarning),
  };
}

function describeBilled(billed: BilledProduct, { billed_by }: EventRow): Schemas['AskedProduct'] {
  const { id, code, version, subscription_id, since, past_due = false, superseded } = billed;
  const asked = !superseded;
  const decisive = billed_by.find((each) => each.id === id && !each.superseded);
  return {
    subscription_id,
    product_id: id,
    code,
    version,
    asked,
    since,
    past_due,
    ...(!asked && { reason: past_due && !decisive?.past_due ? PAST_DUE : LATER }),
  };
}

const PAST_DUE = 'another subscription that was not past due held the product too';
const LATER = 'a subscription that started later held the product too';

function pricesWithoutFee(tables: Tables, event: EventRow): Schemas['PriceWithoutFee'][] {
  const billed = new Set(event.fees.map(({ terms }) => terms.price_id));
  return event.billed_by
    .filter(({ superseded }) => !superseded)
    .flatMap(({ id, code, version }) => {
      const { prices } = tables.versions.get(versionKey(id, version)) as VersionRow;
      return prices
        .filter((price) => !billed.has(price.id))
        .map((price) => ({
          product_code: code,
          product_version: version,
          price_id: price.id,
          name: price.name,
          ...causeOf(price, event),
        }));
    });
}

function causeOf(
  price: PriceRecord,
  { event_type, data }: EventRow,
): Pick<Schemas['PriceWithoutFee'], 'cause' | 'reason' | 'matching'> {
  const calculation = price.usage_calculation;
  if (!calculation)
    return { cause: 'fixed_price', reason: 'it is paid by the period, not by usage' };
  if (calculation.event_type !== event_type)
    return {
      cause: 'other_event_type',
      reason: `it counts ${calculation.event_type}, the event is ${event_type}`,
    };
  const matching = describeMatching(price, data);
  const cause = matching.some(({ fits }) => fits) ? 'unusable_volume' : 'unmatched_usage';
  return {
    cause,
    reason: `it ${noFeeText(cause, calculation, data)}`,
    ...(cause === 'unmatched_usage' && { matching }),
  };
}

/** The subscriptions that the customer had at submission and that billed nothing. @assumes A-611 */
function describeOthers(
  { world: { tables }, settings }: ExplainContext,
  event: EventRow,
): Schemas['SubscriptionNotAsked'][] {
  const asked = new Set(event.billed_by.map(({ subscription_id }) => subscription_id));
  const { occurred_at: at, created_at: now } = event;
  return rowsOf(tables.subscriptions, { customer_id: event.customer_id })
    .filter(({ id, seq }) => !asked.has(id) && seq < event.seq)
    .map(({ id, status, history, started_at }) => {
      const terms = { now, started_at, ahead: settings.event_max_ahead };
      const held = phaseAt(history, at > now ? now : at, terms);
      const reason = held?.past_due
        ? 'it was past due, and past_due_usage was free'
        : 'it was not in force when the usage occurred';
      return { subscription_id: id, reason: `${reason} (now: ${status})` };
    });
}
