import { omitNullish } from '../../domain/fields.ts';
import { violate } from '../../domain/rules.ts';
import { ask, rowsOf } from '../../store/query.ts';
import type { VendorRow } from '../../store/records.ts';
import { type Context, type Handler, newRecord, owned } from '../context.ts';
import { newestFirst } from '../paging.ts';
import { notFound } from '../problems.ts';

export const createVendor: Handler<'createVendor'> = ({ body }, context) => {
  const { tables, owner } = context;
  const external_id = body.external_id ?? undefined;
  if (external_id !== undefined && rowsOf(tables.vendors, { owner, external_id }).length > 0)
    violate('vendor.external_id_taken', 'external_id');

  const vendor = tables.vendors.put(
    newRecord(context, 'vendor', { name: body.name, ...omitNullish({ external_id }) }),
  );
  return { status: 201, body: { id: vendor.id, created_at: vendor.created_at } };
};

export const listVendors: Handler<'listVendors'> = ({ query }, { tables, owner }) => {
  const where = omitNullish({ owner, external_id: query.external_id });
  return ask(tables.vendors, { where }, (found) => ({
    status: 200 as const,
    body: newestFirst(found, query, presentVendor),
  }));
};

export const getVendor: Handler<'getVendor'> = ({ path }, context) => {
  const vendor = findVendor(context, path.vendorId) ?? notFound();
  return { status: 200, body: presentVendor(vendor) };
};

/** Finds a vendor of the caller's account by id. */
export const findVendor = (context: Context, id: string): VendorRow | undefined =>
  owned(context, context.tables.vendors.get(id));

function presentVendor({ id, name, external_id, created_at }: VendorRow) {
  return { id, ...omitNullish({ external_id }), name, created_at };
}
