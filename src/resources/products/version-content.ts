import { publish } from '../../domain/catalog.ts';
import { decimal, format } from '../../domain/decimal.ts';
import { validateEntitlements } from '../../domain/entitlements.ts';
import { mapPresent, omitNullish } from '../../domain/fields.ts';
import type { PriceRow, PricingValue, UsageCalculation } from '../../domain/pricing/price.ts';
import { validatePrices } from '../../domain/pricing/price-rules.ts';
import { type Finding, isGiven } from '../../domain/rules.ts';
import type { components } from '../../spec/openapi.d.ts';
import type { Call, OperationId } from '../../spec/operations.ts';
import type {
  EntitlementRecord,
  PriceRecord,
  ProductRow,
  VersionRow,
} from '../../store/records.ts';
import { versionKey } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { findAsset } from '../assets/asset-lookup.ts';
import type { Context } from '../context.ts';
import { noteIgnored } from '../warnings.ts';

type Schemas = components['schemas'];

/** The content of a version, without its number and status. */
type VersionContent = Pick<VersionRow, 'name' | 'description' | 'prices' | 'entitlements'>;

/** The part of a request that sets the content of a version. */
type ContentBody = Partial<
  Pick<Call<'createProductVersion'>['body'], 'name' | 'description' | 'prices' | 'entitlements'>
>;

export type VersionChanges = Call<'updateProductVersion'>['body'];

/** The content for fields that a request omits, and for fields that it sets to null. */
interface Fallback {
  readonly kept: VersionContent;
  readonly cleared: VersionContent;
}

/** Every rule that the new content breaks. Existing content is already validated. */
export function validateContent(context: Context, body: ContentBody): Finding[] {
  const find = (code: string) => findAsset(context, code);
  return [
    ...validatePrices(body.prices ?? [], find),
    ...validateEntitlements(body.entitlements ?? [], find),
  ];
}

/** The content of a version as a record; new prices get their own ids. @assumes A-504 */
export function readContent(
  context: Context,
  operation: OperationId,
  body: ContentBody,
  fallback: Fallback,
): VersionContent {
  const { world, owner } = context;
  const { prices, entitlements } = body;
  if (prices?.some(({ id }) => id !== undefined))
    noteIgnored(context, operation, 'prices[].id', 'every version has price ids of its own.');
  const description = choose(body, fallback, 'description');
  return {
    name: choose(body, fallback, 'name'),
    ...omitNullish({ description }),
    prices:
      prices?.map((price) => recordPrice(price, world.nextId('price', owner))) ??
      fallback.kept.prices,
    entitlements: entitlements
      ? entitlements.map(recordEntitlement)
      : (choose(body, fallback, 'entitlements') as readonly EntitlementRecord[]),
  };
}

export function addVersion(
  { tables, world, now }: Context,
  { id: product_id, owner }: ProductRow,
  added: { readonly version: number; readonly content: VersionContent; readonly publish: boolean },
): VersionRow {
  const draft: VersionRow = {
    id: versionKey(product_id, added.version),
    seq: world.nextSeq(),
    owner,
    created_at: now,
    product_id,
    version: added.version,
    status: 'draft',
    ...added.content,
  };
  return tables.versions.put(added.publish ? publish(draft, now) : draft);
}

/** The product with another default version, or with none. */
export function withDefault(product: ProductRow, default_version: number | undefined): ProductRow {
  const { default_version: _former, ...rest } = product;
  return { ...rest, ...(default_version !== undefined && { default_version }) };
}

function choose<K extends keyof VersionContent>(
  body: ContentBody,
  { kept, cleared }: Fallback,
  name: K,
) {
  const given = body[name];
  return given ?? (given === null ? cleared : kept)[name];
}

function recordEntitlement(entitlement: Schemas['EntitlementInput']): EntitlementRecord {
  const { name, asset, amount, purpose, priority, lifecycle, accounting } = entitlement;
  const cost_basis = accounting?.cost_basis ?? 'auto';
  return {
    name,
    asset,
    amount: format(decimal(amount)),
    purpose,
    ...omitNullish({
      priority,
    }),
    lifecycle: {
      duration: lifecycle.duration,
      ...omitNullish({ duration_count: lifecycle.duration_count, refresh: lifecycle.refresh }),
    },
    accounting: {
      revenue_basis: format(decimal(accounting?.revenue_basis ?? 0)),
      cost_basis: typeof cost_basis === 'number' ? format(decimal(cost_basis)) : 'auto',
    },
  };
}

/** The amounts of a row, in response order; records store them as text. */
const AMOUNTS = ['up_to', 'unit_price', 'volume_rate', 'min_amount', 'max_amount'] as const;

/** Converts a price of a request to a record, with the nesting as sent. @assumes A-506, A-1505 */
function recordPrice(price: Schemas['PriceInput'], id: string): PriceRecord {
  const { name, type, pricing_model, tiering, usage_calculation, pricing } = price;
  return {
    id,
    name,
    type,
    billing_model: recordBillingModel(price.billing_model),
    ...omitNullish({
      pricing_model,
      tiering: tiering && {
        ...omitNullish({ basis: tiering.basis }),
        period: tiering.period ?? 'lifetime',
      },
      usage_calculation: usage_calculation && recordCalculation(usage_calculation),
    }),
    pricing: pricing.map(({ asset, values }) => ({ asset, values: values.map(recordValue) })),
  };
}

function recordBillingModel(model: Schemas['BillingModelInput']): PriceRecord['billing_model'] {
  if (model.type === 'one_time') {
    const { type, one_time } = model;
    return { type, ...omitNullish({ one_time }) };
  }
  if (!model.recurring) return { type: 'real_time' };
  const { interval, interval_count } = model.recurring;
  return { type: 'recurring', recurring: { interval, ...omitNullish({ interval_count }) } };
}

function recordCalculation(
  calculation: NonNullable<Schemas['UsageCalculationInput']>,
): UsageCalculation {
  const { event_type, usage_type, billable_dimensions, ...optional } = calculation;
  return {
    event_type,
    usage_type,
    billable_dimensions: billable_dimensions ?? [],
    ...omitNullish(optional),
  };
}

function recordValue(value: Schemas['PricingValueInput']): PricingValue {
  const { dimensions, values } = value;
  const texts = Object.entries(dimensions ?? {}).map(([field, asked]) => [
    field,
    typeof asked === 'number' ? format(decimal(asked)) : String(asked),
  ]);
  return {
    ...recordRow(value),
    ...(texts.length > 0 && { dimensions: Object.fromEntries(texts) }),
    ...(values && { values: values.map(recordRow) }),
  };
}

function recordRow(row: Schemas['PriceRowInput']): PriceRow {
  const { name, volume_rate, package_size, quantity } = row;
  const size = package_size ?? (isGiven(volume_rate) ? 1 : undefined);
  return {
    ...omitNullish({ name }),
    ...mapPresent(row, AMOUNTS, (amount) => format(decimal(amount))),
    ...omitNullish({ package_size: size, quantity }),
  };
}

/** A price as responses show it. @assumes A-506 */
export function presentPrice({
  pricing,
  usage_calculation,
  ...price
}: PriceRecord): Schemas['Price'] {
  return {
    ...price,
    ...(usage_calculation && {
      usage_calculation: {
        ...usage_calculation,
        billable_dimensions: [...usage_calculation.billable_dimensions],
      },
    }),
    pricing: pricing.map(({ asset, values }) => ({
      asset,
      values: values.map(({ values: rows, dimensions, ...row }) => ({
        ...presentRow(row),
        ...(dimensions && { dimensions: { ...dimensions } }),
        ...(rows && { values: rows.map(presentRow) }),
      })),
    })),
  };
}

function presentRow({ name, package_size, quantity, ...row }: PriceRow): Schemas['PriceRow'] {
  return {
    ...omitNullish({ name }),
    ...mapPresent(row, AMOUNTS, wireNumber),
    ...omitNullish({ package_size, quantity }),
  };
}
