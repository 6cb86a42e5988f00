import { asking, each, type Loose, type Mutant, mutant, showing } from '../../mutant.ts';
import { bugs, sending } from '../bug.ts';
import { refuse, seeing } from '../deep.ts';

/** Bugs in vendors, assets, products and subscriptions. */

const newestPublished = ({ tables }: Loose, productId: string): Loose =>
  tables.versions
    .list('product', productId)
    .findLast(({ status }: Loose) => status === 'published');

/** Drops the version of products that are referred to by code, so that the default version is used. */
const ofDefault = (products: readonly Loose[]): void => {
  for (const product of products) if (product.code) delete product.version;
};

export const heldOutCatalogBugs: readonly Mutant[] = [
  ...bugs({
    createVendor: {
      'gives the vendor that has the external id already another name': (call, context, run) => {
        const { name, external_id } = call.body;
        const { vendors } = context.tables;
        const known = external_id && vendors.first('external', `${context.owner}\n${external_id}`);
        if (!known) return run();
        vendors.put({ ...known, name });
        return { status: 201, body: { id: known.id, created_at: known.created_at } };
      },
    },
    listVendors: { 'shows the preset limit whatever was asked': showing(() => ({ limit: 100 })) },
    createAsset: {
      'refuses codes of more than 32 characters': (call, _, run) =>
        call.body.code.length > 32 ? refuse('code') : run(),
    },
    createProduct: {
      'keeps the first of several prices for one type of event': sending((body) => {
        const seen = new Set<string>();
        body.prices = body.prices?.filter(({ usage_calculation }: Loose) => {
          if (!usage_calculation) return true;
          const isKnown = seen.has(usage_calculation.event_type);
          seen.add(usage_calculation.event_type);
          return !isKnown;
        });
      }),
    },
    listProducts: {
      'answers 404 where no product has the code': (call, _, run) => {
        const reply = run();
        const isUnknown = call.query.code !== undefined && reply.body.total_count === 0;
        return isUnknown ? { status: 404 } : reply;
      },
    },
    listProductVersions: {
      'takes the newest published version for the default': each('items', (item, _, context) => ({
        is_default: newestPublished(context, item.id)?.version === item.version,
      })),
    },
    getProductVersion: {
      'shows all prices with the type of the first': showing(({ prices }) => ({
        prices: prices.map((price: Loose) => ({ ...price, type: prices[0].type })),
      })),
    },
    updateProductVersion: {
      'lets a published version have another name': (call, { tables }, run) => {
        const { productId, version } = call.path;
        const row = tables.versions.get(`${productId}\n${version}`);
        const { name, ...others } = call.body;
        if (row?.status !== 'published' || !name || Object.keys(others).length > 0) return run();
        tables.versions.put({ ...row, name });
        return { status: 204 };
      },
    },
    deleteProduct: {
      'archives a product of several versions that nobody has used': seeing('products', (row) =>
        row.newest_version > 1 ? { ...row, used: true } : row,
      ),
    },
  }),
  mutant(
    'createSubscription: takes the default version of what is named by its code',
    'Subscribes to the default version of a product that is named by its code',
    [],
    {
      createSubscription: sending(({ products }) => ofDefault(products)),
      createCustomer: asking(({ body }) => {
        for (const { products } of body.subscriptions ?? []) ofDefault(products);
      }),
    },
  ),
];
