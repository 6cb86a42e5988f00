import { archive } from '../../domain/catalog.ts';
import { given } from '../../domain/given.ts';
import { findingIf, throwIfInvalid } from '../../domain/rules.ts';
import { ask } from '../../store/query/ask.ts';
import { rowsOf } from '../../store/query/rows-of.ts';
import type { Handler } from '../context.ts';
import { newRecord } from '../owned-records.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';
import { presentCreated, presentProduct, presentProductDetail } from './present-product.ts';
import { findProductByCode, findProductById, productOfPath } from './product-lookup.ts';
import { addVersion, readContent, validateContent, withDefault } from './version-content.ts';

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
  const where = given({ owner, code: query.code });
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
