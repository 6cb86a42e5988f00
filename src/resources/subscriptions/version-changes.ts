import { publish } from '../../domain/catalog.ts';
import type { ProductRow, VersionRow } from '../../state/records.ts';
import type { Context } from '../context.ts';
import { versionKey } from '../products/product-lookup.ts';
import type { VersionContent } from '../products/version-content.ts';

/** Keeps a new version of a product. */
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

/** A product with another default version, or with none. */
export function withDefault(product: ProductRow, default_version: number | undefined): ProductRow {
  const { default_version: _former, ...rest } = product;
  return { ...rest, ...(default_version !== undefined && { default_version }) };
}

/** The answer to a request that created a version. */
export function presentCreated(product: ProductRow, { version, status }: VersionRow) {
  const is_default = product.default_version === version;
  return { id: product.id, code: product.code, version, status, is_default };
}
