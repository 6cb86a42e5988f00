import { missingVersionRule, resolveVersion } from '../../domain/catalog.ts';
import { violate } from '../../domain/rules.ts';
import { rowsOf } from '../../store/query.ts';
import type { ProductRow, VersionRow } from '../../store/records.ts';
import { versionKey } from '../../store/schema.ts';
import { type Context, owned } from '../context.ts';

/** Finds a product of the caller's account by id. */
export const findProductById = (context: Context, id: string): ProductRow | undefined =>
  owned(context, context.tables.products.get(id));

/** Finds a product of the caller's account by code. */
export function findProductByCode(
  { tables, owner }: Context,
  code: string,
): ProductRow | undefined {
  return rowsOf(tables.products, { owner, code })[0];
}

/** Finds a version of a product by number, or the current default version. */
export function findVersion(
  { tables }: Context,
  product: ProductRow,
  version: string | number,
): VersionRow | undefined {
  const number = resolveVersion(product.default_version, version);
  return number === undefined ? undefined : tables.versions.get(versionKey(product.id, number));
}

/**
 * Returns the product of a path, for operations without a 404 response.
 *
 * @throws RuleViolation on `productId`
 * @assumes A-201
 */
export const productOfPath = (context: Context, path: { readonly productId: string }): ProductRow =>
  findProductById(context, path.productId) ?? violate('product.unknown', 'productId');

/**
 * Returns the version of a path, for operations without a 404 response.
 *
 * @throws RuleViolation on `productId` or on `version`
 * @assumes
 */
export function versionOfPath(
  context: Context,
  path: { readonly productId: string; readonly version: string },
): VersionRow {
  const product = productOfPath(context, path);
  return (
    findVersion(context, product, path.version) ??
    violate(missingVersionRule(path.version), 'version')
  );
}
