import {
  archive,
  defaultAfterArchiving,
  defaultAfterChange,
  LAST_VERSION,
  publish,
} from '../../domain/catalog.ts';
import { omitNullish } from '../../domain/fields.ts';
import { type Finding, findingIf, throwIfInvalid, violate } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import { ask, rowsOf } from '../../store/query.ts';
import type { EntitlementRecord, ProductRow, VersionRow } from '../../store/records.ts';
import { versionKey } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { type Context, type Handler, newRecord } from '../context.ts';
import { newestFirst } from '../paging.ts';
import { conflict, notFound } from '../problems.ts';
import { noteIgnored } from '../warnings.ts';
import {
  findProductByCode,
  findProductById,
  findVersion,
  productOfPath,
  versionOfPath,
} from './product-lookup.ts';
import {
  addVersion,
  presentPrice,
  readContent,
  type VersionChanges,
  validateContent,
  withDefault,
} from './version-content.ts';

/** A product with the name of its default version; without one, of its newest version. @assumes A-504 */
function presentProduct(context: Context, product: ProductRow) {
  const { id, code, default_version, newest_version } = product;
  const shown = findVersion(context, product, default_version ?? newest_version);
  return { id, code, name: (shown as VersionRow).name };
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
function presentVersion(product: ProductRow, version: VersionRow) {
  return { ...presentVersionSummary(product, version), ...presentContent(version) };
}

/** A version without its prices and entitlements. @assumes A-504 */
function presentVersionSummary({ id, code, default_version }: ProductRow, row: VersionRow) {
  const { name, version, status } = row;
  return { id, code, name, version, status, is_default: default_version === version };
}

/** The response to a request that created a version. */
function presentCreated(product: ProductRow, row: VersionRow) {
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

export const createProduct: Handler<'createProduct'> = ({ body }, context) => {
  const empty = { name: body.name, prices: [], entitlements: [] };
  const fallback = { kept: empty, cleared: empty };
  throwIfInvalid([
    ...findingIf(findProductByCode(context, body.code), 'product.code_taken', 'code'),
    ...validateContent(context, body),
  ]);

  const product = context.tables.products.put(
    newRecord(context, 'product', {
      code: body.code,
      default_version: 1,
      newest_version: 1,
      archived: false,
      used: false,
    }),
  );
  const content = readContent(context, 'createProduct', body, fallback);
  const first = { version: 1, content, publish: body.publish === true };
  return { status: 201, body: presentCreated(product, addVersion(context, product, first)) };
};

export const listProducts: Handler<'listProducts'> = ({ query }, context) => {
  const { tables, owner } = context;
  const where = omitNullish({ owner, code: query.code });
  return ask(tables.products, { where }, (found) => ({
    status: 200 as const,
    body: newestFirst(found, query, (product) => presentProduct(context, product)),
  }));
};

export const getProduct: Handler<'getProduct'> = ({ path }, context) => {
  const product = findProductById(context, path.productId) ?? notFound();
  return { status: 200, body: presentProductDetail(context, product) };
};

export const deleteProduct: Handler<'deleteProduct'> = ({ path }, context) => {
  const { tables, now } = context;
  const product = productOfPath(context, path);
  const versions = [...rowsOf(tables.versions, { product_id: product.id })];
  if (product.used) {
    for (const version of versions) tables.versions.put(archive(version, now));
    tables.products.put({ ...withDefault(product, undefined), archived: true });
  } else {
    for (const version of versions) tables.versions.remove(version.id);
    tables.products.remove(product.id);
  }
  return { status: 204 };
};

export const listProductVersions: Handler<'listProductVersions'> = ({ query }, context) => {
  const { tables, owner } = context;
  const where = omitNullish({ owner, status: query.status });
  return ask(tables.versions, { where }, (found) => ({
    status: 200 as const,
    body: newestFirst(found, query, (version) =>
      presentVersionSummary(productOf(context, version), version),
    ),
  }));
};

export const createProductVersion: Handler<'createProductVersion'> = ({ path, body }, context) => {
  const { tables } = context;
  const product = productOfPath(context, path);
  if (product.archived) violate('product.archived', 'productId');
  if (product.newest_version === LAST_VERSION) violate('version.too_many', 'productId');

  const newest = tables.versions.get(versionKey(product.id, product.newest_version)) as VersionRow;
  const fallback = { kept: newest, cleared: newest };
  throwIfInvalid([...validateContent(context, body), ...validateDefault(body)]);

  const version = addVersion(context, product, {
    version: product.newest_version + 1,
    content: readContent(context, 'createProductVersion', body, fallback),
    publish: body.publish === true,
  });
  for (const field of READ_FIELDS)
    if (body[field] !== undefined) noteIgnored(context, 'createProductVersion', field, NUMBERED);
  const changed = moveDefault(context, product, version, body.make_default === true);
  tables.products.put({ ...changed, newest_version: version.version });
  return { status: 201, body: presentCreated(changed, version) };
};

/** The fields of a version that was read and is posted as a new one. @assumes A-501 */
const READ_FIELDS = ['id', 'code', 'version', 'status', 'is_default'] as const;
const NUMBERED = 'a new version belongs to the product of the path and has the next number.';

export const getProductVersion: Handler<'getProductVersion'> = ({ path }, context) => {
  const product = findProductById(context, path.productId) ?? notFound();
  const version = findVersion(context, product, path.version) ?? notFound();
  return { status: 200, body: presentVersion(product, version) };
};

export const updateProductVersion: Handler<'updateProductVersion'> = ({ path, body }, context) => {
  const { tables, now } = context;
  const version = versionOfPath(context, path);
  const { make_default = false, publish: publishes = false, ...content } = body;
  const isPublished = version.status === 'published';
  if (version.status === 'archived') conflict();
  if (isPublished && (Object.keys(content).length > 0 || body.publish === false)) conflict();

  const changed = isPublished ? version : withChanges(context, version, body);
  const kept = tables.versions.put(publishes && !isPublished ? publish(changed, now) : changed);
  tables.products.put(moveDefault(context, productOf(context, version), kept, make_default));
  return { status: 204 };
};

export const archiveProductVersion: Handler<'archiveProductVersion'> = ({ path }, context) => {
  const { tables, now } = context;
  const version = tables.versions.put(archive(versionOfPath(context, path), now));
  const product = productOf(context, version);
  const versions = rowsOf(tables.versions, { product_id: product.id });
  tables.products.put(
    withDefault(product, defaultAfterArchiving(versions, product.default_version)),
  );
  return { status: 204 };
};

/** Applies the changes of a request to a draft. Null clears a field that is optional. */
function withChanges(context: Context, draft: VersionRow, body: VersionChanges): VersionRow {
  const fallback = { kept: draft, cleared: { name: draft.name, prices: [], entitlements: [] } };
  throwIfInvalid([...validateContent(context, body), ...validateDefault(body)]);
  const { description: _former, ...rest } = draft;
  return { ...rest, ...readContent(context, 'updateProductVersion', body, fallback) };
}

/** Only a published version can be the default. */
const validateDefault = ({
  publish,
  make_default,
}: Pick<Call<'createProductVersion'>['body'], 'publish' | 'make_default'>): Finding[] =>
  findingIf(make_default && !publish, 'version.draft', 'make_default');

/** The product with the default version that results from a new or changed version. */
function moveDefault(
  { tables }: Context,
  product: ProductRow,
  changed: VersionRow,
  makeDefault: boolean,
): ProductRow {
  const versions = rowsOf(tables.versions, { product_id: product.id });
  const { default_version } = product;
  return withDefault(product, defaultAfterChange(versions, default_version, changed, makeDefault));
}

const productOf = ({ tables }: Context, version: VersionRow): ProductRow =>
  tables.products.get(version.product_id) as ProductRow;
