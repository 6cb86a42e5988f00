import { decimal } from '../../domain/decimal.ts';
import { type Candidate, explainMatching } from '../../domain/pricing/matching.ts';
import { modelOf } from '../../domain/pricing/models.ts';
import type { EventData, PriceRow, UsageCalculation } from '../../domain/pricing/price.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import { versionKey } from '../../resources/products/product-lookup.ts';
import type { components } from '../../spec/control.d.ts';
import type { EventRow, FeeRecord, PriceRecord, VersionRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { ControlContext } from '../context.ts';
import { describeRevenue } from './revenue.ts';
import { describeWallet } from './wallet.ts';

type Schemas = components['schemas'];

/** What an explanation is told from. */
export type ExplainContext = Pick<ControlContext, 'world' | 'settings' | 'baseUrl'>;

export type FeeExplanation = Schemas['FeeExplanation'];

/** How a fee came about. @assumes */
export function describeFee(
  context: ExplainContext,
  event: EventRow,
  fee: FeeRecord,
): FeeExplanation {
  const { tables } = context.world;
  const version = tables.versions.get(
    versionKey(fee.product_id, fee.product_version),
  ) as VersionRow;
  const price = version.prices.find(({ id }) => id === fee.price_id) as PriceRecord;
  const matching = describeMatching(price, event.data);
  const transaction = tables.transactions.get(key(event.customer_id, fee.transaction_id ?? ''));
  return {
    fee_id: fee.id,
    amount: wireNumber(fee.amount),
    asset: fee.currency,
    customer_id: event.customer_id,
    owner: event.owner,
    event: describeUsage(event),
    product: describeProduct(event, fee, version),
    price: describePrice(price),
    matching,
    asset_choice: describeChoice(fee),
    arithmetic: describeAmount(context, event, price, fee),
    ...(transaction && { wallet: describeWallet(tables, transaction) }),
    revenue: describeRevenue(context, fee, transaction),
  };
}

export function describeUsage(event: EventRow): Schemas['ExplainedEvent'] {
  const { event_id, event_type, occurred_at, created_at, subject, data } = event;
  return {
    event_id,
    event_type,
    occurred_at,
    submitted_at: created_at,
    ...(subject !== undefined && { subject }),
    data: { ...data },
  };
}

function describeProduct(
  { billed_by }: EventRow,
  { product_id, product_code, subscription_id = '' }: FeeRecord,
  { version, name }: VersionRow,
): Schemas['ExplainedProduct'] {
  const holders = billed_by.filter(({ id }) => id === product_id);
  const decisive = holders.find((each) => each.subscription_id === subscription_id);
  const isPreferred = !decisive?.past_due && holders.some(({ past_due }) => past_due);
  const reason =
    holders.length === 1
      ? 'the only subscription that held it then'
      : `of ${holders.length} subscriptions that held it then, the one that started last` +
        (isPreferred ? ' and was not past due' : '');
  return { product_id, code: product_code, version, name, subscription_id, reason };
}

function describePrice({ id, name, usage_calculation }: PriceRecord): Schemas['ExplainedPrice'] {
  const { event_type, usage_type, volume_field, billable_dimensions } =
    usage_calculation as UsageCalculation;
  return {
    price_id: id,
    name,
    event_type,
    usage_type,
    ...(volume_field !== undefined && { volume_field }),
    billable_dimensions: [...billable_dimensions],
  };
}

/** Every value of a price beside an event's data. */
export function describeMatching(price: PriceRecord, data: EventData): Schemas['ExplainedValue'][] {
  return price.pricing.flatMap((entry) => explainMatching(entry, data)).map(describeCandidate);
}

function describeCandidate(candidate: Candidate): Schemas['ExplainedValue'] {
  const { asset, place, value, fits, rank, chosen, reason } = candidate;
  return {
    asset,
    place,
    ...(value.name !== undefined && { name: value.name }),
    dimensions: { ...value.dimensions },
    fits,
    equal_dimensions: Math.max(0, rank),
    chosen,
    reason,
  };
}

function describeChoice({ currency, choices = [] }: FeeRecord): Schemas['ExplainedChoice'] {
  const hasAny = choices.some(({ available }) => Number(available) > 0);
  const reason =
    choices.length === 0
      ? 'the only asset in which a value fits'
      : hasAny
        ? 'the first, by listing, with a positive balance'
        : 'the first by listing, as none had a positive balance';
  return {
    asset: currency,
    choices: choices.map(({ asset, available }) => ({ asset, available: wireNumber(available) })),
    reason,
  };
}

function describeAmount(
  { world, settings, baseUrl }: ExplainContext,
  { owner }: EventRow,
  price: PriceRecord,
  fee: FeeRecord,
): Schemas['ExplainedAmount'] {
  const { unit_price, volume_rate, package_size, input_volume } = fee;
  const context = { world, tables: world.tables, owner, now: world.now, settings, baseUrl };
  const row: PriceRow = {
    ...(unit_price !== null && { unit_price }),
    ...(volume_rate !== null && { volume_rate }),
    ...(package_size !== null && { package_size }),
  };
  const volume = input_volume === null ? null : decimal(input_volume);
  const places = findAsset(context, fee.currency)?.places ?? 0;
  const model = modelOf(price);
  const { formula, exact, rounded } = model.explain(model.quantity(row, volume), places);
  return {
    formula,
    ...(unit_price !== null && { unit_price: wireNumber(unit_price) }),
    ...(input_volume !== null && { volume: wireNumber(input_volume) }),
    ...(volume_rate !== null && { volume_rate: wireNumber(volume_rate) }),
    ...(package_size !== null && { package_size }),
    exact,
    places,
    rounding: 'half_even',
    rounded,
    amount: wireNumber(fee.amount),
  };
}
