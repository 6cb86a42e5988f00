import type { EntitlementRecord, ProductRow, VersionRow } from '../../state/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context } from '../context.ts';
import { presentPrice } from './price-records.ts';
import { findVersion } from './product-lookup.ts';

/** A product under the name of its default version, else of its newest. */
export function presentProduct(context: Context, product: ProductRow) {
  const { id, code, default_version, created_at, archived } = product;
  const spokesman = findVersion(context, product, default_version ?? product.newest_version);
  const { name, description } = spokesman as VersionRow;
  return {
    id,
    code,
    name,
    ...(description !== undefined && { description }),
    ...(default_version !== undefined && { default_version }),
    created_at,
    archived,
  };
}

export function presentVersion(product: ProductRow, version: VersionRow) {
  return { ...presentVersionSummary(product, version), prices: version.prices.map(presentPrice) };
}

/** A version without its prices. */
export function presentVersionSummary(product: ProductRow, version: VersionRow) {
  const { name, description, status, created_at, published_at, archived_at } = version;
  return {
    product_id: product.id,
    code: product.code,
    name,
    ...(description !== undefined && { description }),
    version: version.version,
    status,
    is_default: product.default_version === version.version,
    entitlements: version.entitlements.map(presentEntitlement),
    created_at,
    ...(published_at && { published_at }),
    ...(archived_at && { archived_at }),
  };
}

function presentEntitlement({ amount, accounting, ...entitlement }: EntitlementRecord) {
  const { revenue_basis, cost_basis } = accounting;
  return {
    ...entitlement,
    amount: wireNumber(amount),
    accounting: {
      revenue_basis: wireNumber(revenue_basis),
      cost_basis: cost_basis === 'auto' ? cost_basis : wireNumber(cost_basis),
    },
  };
}
