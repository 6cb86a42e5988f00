import { missingVersionRule, resolveVersion } from '../../domain/catalog.ts';
import { violate } from '../../domain/rules.ts';
import type { ProductRow, VersionRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import type { Context } from '../context.ts';
import { owned } from '../owned-records.ts';

/** The owner's product with an id. */
export const findProductById = (context: Context, id: string): ProductRow | undefined =>
  owned(context, context.tables.products.get(id));

/** The owner's product with a code. */
export function findProductByCode(
  { tables, owner }: Context,
  code: string,
): ProductRow | undefined {
  return tables.products.first('code', key(owner, code));
}

/** A version of a product by number, or the one that `default` stands for at present. */
export function findVersion(
  { tables }: Context,
  product: ProductRow,
  version: string | number,
): VersionRow | undefined {
  const number = resolveVersion(product.default_version, version);
  return number === undefined ? undefined : tables.versions.get(versionKey(product.id, number));
}

/**
 * The product that a path names, where the document lists no 404.
 *
 * @throws RuleViolation on `productId`
 * @assumes A-201
 */
export function productOfPath(context: Context, path: { readonly productId: string }): ProductRow {
  return findProductById(context, path.productId) ?? violate('product.unknown', 'productId');
}

/**
 * The version that a path names, where the document lists no 404.
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

/** Key of a version's row. */
export const versionKey = (productId: string, version: number): string =>
  key(productId, String(version));
