import { rowsOf } from '../../store/query.ts';
import type { EntitlementRecord, ProductRow, VersionRow } from '../../store/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Context } from '../context.ts';
import { findVersion } from './product-lookup.ts';
import { presentPrice } from './version-content.ts';

/** A product with the name of its default version; without one, of its newest version. @assumes A-504 */
export function presentProduct(context: Context, product: ProductRow) {
  const { id, code, default_version, newest_version } = product;
  const spokesman = findVersion(context, product, default_version ?? newest_version);
  return { id, code, name: (spokesman as VersionRow).name };
}

/** The same with its versions and the content of its default version. @assumes A-504 */
export function presentProductDetail(context: Context, product: ProductRow) {
  const versions = rowsOf(context.tables.versions, { product_id: product.id });
  const chosen = versions.find(({ version }) => version === product.default_version);
  return {
    ...presentProduct(context, product),
    ...(chosen && { default_version: { version: chosen.version, ...presentContent(chosen) } }),
    versions: versions
      .map(({ version, created_at, status }) => ({ version, created_at, status }))
      .reverse(),
  };
}

/** @assumes A-504 */
export function presentVersion(product: ProductRow, version: VersionRow) {
  return { ...presentVersionSummary(product, version), ...presentContent(version) };
}

/** A version without its prices and entitlements. @assumes A-504 */
export function presentVersionSummary({ id, code, default_version }: ProductRow, row: VersionRow) {
  const { name, version, status } = row;
  return { id, code, name, version, status, is_default: default_version === version };
}

/** The response to a request that created a version. */
export function presentCreated(product: ProductRow, row: VersionRow) {
  const { name: _sent, ...created } = presentVersionSummary(product, row);
  return created;
}

const presentContent = ({ prices, entitlements }: VersionRow) => ({
  entitlements: entitlements.map(presentEntitlement),
  prices: prices.map(presentPrice),
});

function presentEntitlement({ amount, accounting, lifecycle, ...rest }: EntitlementRecord) {
  const { revenue_basis, cost_basis } = accounting;
  return {
    ...rest,
    ...(lifecycle && { lifecycle: { ...lifecycle } }),
    amount: wireNumber(amount),
    accounting: {
      revenue_basis: wireNumber(revenue_basis),
      cost_basis: cost_basis === 'auto' ? ('auto' as const) : wireNumber(cost_basis),
    },
  };
}
