import { publish } from '../../domain/catalog.ts';
import { decimal, format } from '../../domain/decimal.ts';
import { validateEntitlements } from '../../domain/entitlement-rules.ts';
import { given } from '../../domain/given.ts';
import { validatePrices } from '../../domain/pricing/price-rules.ts';
import type { Finding } from '../../domain/rules.ts';
import type { components } from '../../spec/openapi.d.ts';
import type { Call, OperationId } from '../../spec/operations.ts';
import type { EntitlementRecord, ProductRow, VersionRow } from '../../store/records.ts';
import { findAsset } from '../assets/asset-lookup.ts';
import type { Context } from '../context.ts';
import { noteIgnored } from '../warnings.ts';
import { recordPrice } from './price-records.ts';
import { versionKey } from './product-lookup.ts';

type Schemas = components['schemas'];

/** The content of a version, without its number and status. */
export type VersionContent = Pick<VersionRow, 'name' | 'description' | 'prices' | 'entitlements'>;

/** The part of a request that sets the content of a version. */
export type ContentBody = Partial<
  Pick<Call<'createProductVersion'>['body'], 'name' | 'description' | 'prices' | 'entitlements'>
>;

export type VersionChanges = Call<'updateProductVersion'>['body'];

/** The content for fields that a request omits, and for fields that it sets to null. */
export interface Fallback {
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
    ...given({ description }),
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
    ...given({
      priority,
    }),
    lifecycle: {
      duration: lifecycle.duration,
      ...given({ duration_count: lifecycle.duration_count, refresh: lifecycle.refresh }),
    },
    accounting: {
      revenue_basis: format(decimal(accounting?.revenue_basis ?? 0)),
      cost_basis: typeof cost_basis === 'number' ? format(decimal(cost_basis)) : 'auto',
    },
  };
}
