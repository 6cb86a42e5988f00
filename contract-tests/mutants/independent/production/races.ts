import { key } from 'billing-emulator/internals';
import type { Mutant } from '../../mutant.ts';
import { remembering } from '../bug.ts';
import { overlay, rescheduled } from '../deep.ts';
import { against, later, racing, readingEarly } from './window.ts';

const vendorIds = remembering<string>();

/** Requests that are in progress at the same time: catalogue, customers, vendors and destinations. */
export const recordRaces: readonly Mutant[] = [
  against(
    'Customer, create request fields: external_id unique across all customers',
    'two requests in flight create two customers with one external id',
    {
      createCustomer: racing(
        ({ body }, { tables, owner }) =>
          body.external_id == null
            ? undefined
            : tables.customers.first('external', key(owner, body.external_id)),
        (seen, call, context, run) =>
          run(
            call,
            overlay(context, 'customers', (table) => ({
              first: (index: string, at: string) =>
                index === 'external' ? seen : table.first(index, at),
            })),
          ),
      ),
    },
  ),
  against(
    'Asset, code: unique',
    'of two requests in flight with one code the later one replaces the asset of the first',
    { createAsset: readingEarly('assets', ({ body }, { owner }) => [key(owner, body.code)]) },
  ),
  against(
    'Conventions, generated identifiers; POST /vendors: 201 {id, created_at}',
    'two vendors created at the same time get one id',
    {
      createVendor: racing(
        (_, { tables, owner }) =>
          `${owner} ${[...tables.vendors.values()].filter((each) => each.owner === owner).length}`,
        (place, call, context, run) => {
          const ids = vendorIds(context);
          const once = overlay(context, 'vendors', (table) => ({
            put(row: { readonly id: string }) {
              const id = ids.get(place) ?? row.id;
              ids.set(place, id);
              return table.put({ ...row, id });
            },
          }));
          return run(call, once);
        },
      ),
    },
  ),
  against(
    'PATCH /webhooks/{webhookId}: optional url, topics, enabled',
    'of two changes in flight to different fields of a destination one is lost',
    {
      updateWebhook: readingEarly('webhooks', ({ path }) => [
        path.webhookId.replace(/^whd_/, 'dst_'),
      ]),
    },
  ),
  against(
    'DELETE /products/{productId}: deletes the product, or archives it if it has been used',
    'deletes a product that is subscribed to while the deletion is in flight',
    { deleteProduct: readingEarly('products', ({ path }) => [path.productId]) },
  ),
  against(
    'Versioning 2: creating a new version of a product leaves earlier versions in place',
    'two versions created at the same time get one number, and the later one replaces the first',
    { createProductVersion: readingEarly('products', ({ path }) => [path.productId]) },
  ),
  against(
    'POST /assets/{assetCode}/rates: valid_from closes the previous rate',
    'closes the rate in force some time before the new one begins',
    {
      setAssetRate(call, context, run) {
        const { assets } = context.tables;
        const id = key(context.owner, call.path.assetCode);
        const before = assets.get(id);
        const reply = run();
        const made = assets.get(id);
        if (!before || !made) return reply;
        assets.put(
          rescheduled(before, (list, source) =>
            source !== call.body.source
              ? list
              : list.map((period) =>
                  (period.valid_to ?? '9') > context.now && period.valid_from <= context.now
                    ? { ...period, valid_to: context.now }
                    : period,
                ),
          ),
        );
        return later(context, () => {
          assets.put(made);
          return reply;
        });
      },
    },
  ),
];
