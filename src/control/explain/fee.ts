import { compare, decimal, format, isEqual, isPositive, ONE } from '../../domain/decimal.ts';
import { mapPresent, omitNullish } from '../../domain/fields.ts';
import {
  type Candidate,
  type EventData,
  explainMatching,
  mostExact,
} from '../../domain/pricing/matching.ts';
import { modelOf } from '../../domain/pricing/models.ts';
import type {
  DecimalRows,
  PriceGroup,
  PricingEntry,
  UsageCalculation,
  UsagePrice,
} from '../../domain/pricing/price.ts';
import { explainAmount, type Term, termText } from '../../domain/pricing/price-breakdown.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import { customerTitle } from '../../resources/customers/customer-lookup.ts';
import { presentFacts } from '../../resources/events/present-event.ts';
import type { components } from '../../spec/control.d.ts';
import type {
  AssetChoice,
  CustomerRow,
  EventRow,
  FeeRecord,
  FeeTerms,
  PriceRecord,
  VersionRow,
} from '../../store/records.ts';
import { type Tables, uuidKey, versionKey } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { contextOf, type ExplainContext } from '../context.ts';
import { describeRevenue } from './revenue.ts';
import { describeWallet } from './wallet.ts';

type Schemas = components['schemas'];

export type FeeExplanation = Schemas['FeeExplanation'];

/** How a fee came about. @assumes */
export function describeFee(
  context: ExplainContext,
  event: EventRow,
  fee: FeeRecord,
): FeeExplanation {
  const { tables } = context.world;
  const { product_id, product_version, price_id, currency } = fee.terms;
  const version = tables.versions.get(versionKey(product_id, product_version)) as VersionRow;
  const price = version.prices.find(({ id }) => id === price_id) as PriceRecord;
  const matching = describeMatching(price, event.data);
  const transaction = tables.transactions.get(uuidKey(event.customer_id, fee.transaction_id ?? ''));
  return {
    fee_id: fee.id,
    amount: wireNumber(fee.amount),
    asset: currency,
    customer_id: event.customer_id,
    customer: titleOf(tables, event),
    owner: event.owner,
    event: describeUsage(event),
    product: describeProduct(event, fee.terms, version),
    price: describePrice(price),
    matching,
    asset_choice: describeChoice(fee),
    arithmetic: describeAmount(context, event, price, fee),
    ...(transaction && { wallet: describeWallet(tables, transaction) }),
    revenue: describeRevenue(context, fee, transaction),
  };
}

/** The customer of an event by name and external id. */
export const titleOf = ({ customers }: Tables, { customer_id }: EventRow): string =>
  customerTitle(customers.get(customer_id) as CustomerRow);

export function describeUsage(event: EventRow): Schemas['ExplainedEvent'] {
  const { event_id, event_type, occurred_at, created_at, subject, data } = event;
  return {
    event_id,
    event_type,
    occurred_at,
    submitted_at: created_at,
    ...(subject !== undefined && { subject }),
    data: presentFacts(data),
  };
}

function describeProduct(
  { billed_by }: EventRow,
  { product_id, product_code }: FeeTerms,
  { version, name }: VersionRow,
): Schemas['ExplainedProduct'] {
  const holders = billed_by.filter(({ id }) => id === product_id);
  const decisive = holders.find(({ superseded }) => !superseded);
  const { subscription_id = '' } = decisive ?? {};
  const isPreferred = !decisive?.past_due && holders.some(({ past_due }) => past_due);
  const reason =
    holders.length === 1
      ? 'the only subscription that held it then'
      : `of ${holders.length} subscriptions that held it then, the one that started last` +
        (isPreferred ? ' and was not past due' : '');
  return { product_id, code: product_code, version, name, subscription_id, reason };
}

function describePrice(price: PriceRecord): Schemas['ExplainedPrice'] {
  const { id, name, pricing_model = 'flat', tiering, usage_calculation } = price;
  const { event_type, usage_type, volume_field, billable_dimensions } =
    usage_calculation as UsageCalculation;
  return {
    price_id: id,
    name,
    event_type,
    usage_type,
    pricing_model,
    ...(tiering?.basis && { basis: tiering.basis }),
    ...(pricing_model !== 'flat' && { period: tiering?.period ?? 'lifetime' }),
    ...(volume_field !== undefined && { volume_field }),
    billable_dimensions: [...billable_dimensions],
  };
}

/** Every value of a price beside an event's data. */
export function describeMatching(price: PriceRecord, data: EventData): Schemas['ExplainedValue'][] {
  return price.pricing
    .flatMap((entry) => explainMatching(entry, modelOf(price).hasTiers, data))
    .map(describeCandidate);
}

function describeCandidate(candidate: Candidate): Schemas['ExplainedValue'] {
  const { asset, place, group, fits, rank, chosen, reason } = candidate;
  return {
    asset,
    place,
    ...(group.name !== undefined && { name: group.name }),
    dimensions: { ...group.dimensions },
    fits,
    equal_dimensions: Math.max(0, rank),
    chosen,
    reason,
  };
}

function describeChoice({
  terms: { currency },
  choices = [],
}: FeeRecord): Schemas['ExplainedChoice'] {
  const chosen = choices.find(({ asset }) => asset === currency);
  return {
    asset: currency,
    choices: choices.map(({ asset, available, amount }) => ({
      asset,
      available: wireNumber(available),
      ...(amount !== undefined && { amount: wireNumber(amount) }),
    })),
    reason: choiceReason(chosen),
  };
}

/** Why an asset was chosen; undefined for the only one. @assumes A-509 */
function choiceReason(chosen: AssetChoice | undefined): string {
  if (!chosen) return 'the only asset with a matching value';
  const available = decimal(chosen.available);
  if (chosen.amount !== undefined && compare(available, decimal(chosen.amount)) >= 0)
    return 'the first listed whose account covers the whole fee';
  return isPositive(available)
    ? 'the first listed with a positive balance, because none covers the whole fee'
    : 'the first listed, because none had a positive balance';
}

/** Works the amount out again from what the event says and the quantity that there was. @assumes A-1501 */
function describeAmount(
  { world, settings, baseUrl }: ExplainContext,
  { owner, data }: EventRow,
  price: PriceRecord,
  fee: FeeRecord,
): Schemas['ExplainedAmount'] {
  const { input_volume, counted, terms } = fee;
  const { unit_price, volume_rate, package_size } = terms;
  const rates = { unit_price, volume: input_volume, volume_rate };
  const context = contextOf({ world, owner, settings, baseUrl });
  const { breakdown, model, rows } = recalculate(price as UsagePrice, data, fee);
  const places = findAsset(context, terms.currency)?.places ?? 0;
  const { formula, exact, bound, rounded } = explainAmount(breakdown, places);
  const limit = bound && breakdown[bound];
  return {
    ...(counted && {
      quantity_before: wireNumber(counted.before),
      quantity: wireNumber(counted.quantity),
      method: model.explain,
    }),
    formula,
    parts: breakdown.terms.map((term) => describePart(term, rows)),
    ...mapPresent(rates, ['unit_price', 'volume', 'volume_rate'], wireNumber),
    ...omitNullish({ package_size }),
    exact,
    ...(bound && { bound }),
    ...(limit && { bound_amount: wireNumber(format(limit)) }),
    places,
    rounding: 'half_even',
    rounded,
    amount: wireNumber(fee.amount),
  };
}

function recalculate(price: UsagePrice, data: EventData, fee: FeeRecord) {
  const { terms, input_volume, counted } = fee;
  const model = modelOf(price);
  const entry = price.pricing.find(({ asset }) => asset === terms.currency) as PricingEntry;
  const group = mostExact(entry, model.hasTiers, data) as PriceGroup;
  const volume = input_volume === null ? null : decimal(input_volume);
  const before = decimal(counted?.before ?? '0');
  return { model, rows: group.rows, breakdown: model.amount(price, group, volume, before) };
}

function describePart(term: Term, rows: DecimalRows): Schemas['ExplainedPart'] {
  const { name, up_to } = term.row?.source ?? {};
  const { counts, quantity, rate, size } = term;
  return {
    row: term.row ? rows.indexOf(term.row) + 1 : 0,
    ...(name !== undefined && { name }),
    ...(up_to !== undefined && { up_to: wireNumber(up_to) }),
    formula: termText(term),
    counts,
    ...(quantity && { quantity: wireNumber(format(quantity)) }),
    rate: wireNumber(format(rate)),
    ...(!isEqual(size, ONE) && { package_size: wireNumber(format(size)) }),
  };
}
