import { asking, each, type Loose, type Mutant, showing } from '../../mutant.ts';
import { bugs } from '../bug.ts';
import { actingFor, keeping, refuse, seeing, through } from '../deep.ts';
import { repricing } from '../prices.ts';

/** Bugs in assets, products, their versions and vendors. */

/** A page of assets, newest first, of which only the page is sorted by code. */
const sortedPage = ({ query }: Loose, { tables, owner }: Loose): Loose => {
  const { limit = 100, offset = 0 } = query;
  const rows: Loose[] = tables.assets.list('listed', owner);
  const newest = rows.toSorted((left, right) => right.seq - left.seq);
  const page = newest.slice(offset, offset + limit);
  const items = page.map(({ code, name }) => ({ code, name }));
  return { items: items.toSorted((left, right) => (left.code < right.code ? -1 : 1)) };
};

const inEachAsset = (prices: Loose[]): Loose[] =>
  prices.flatMap((price) =>
    price.usage_calculation
      ? price.pricing.map((entry: Loose) => ({ ...price, pricing: [entry] }))
      : [price],
  );

const fits = ({ dimensions = {} }: Loose, data: Loose): boolean =>
  Object.entries(dimensions).every(([field, text]) => text === '*' || String(data[field]) === text);

/** An entry with only its first value that fits an event, when its values have dimensions. */
const firstThatFits = ({ asset, values }: Loose, data: Loose): Loose => {
  const depends = values.some(({ dimensions }: Loose) => dimensions);
  const first = values.find((value: Loose) => fits(value, data));
  return { asset, values: depends ? [first].filter(Boolean) : values };
};

export const secondCatalogBugs: readonly Mutant[] = bugs({
  listAssets: {
    'sorts the assets of a page and not all of them': showing((_, call, context) =>
      sortedPage(call, context),
    ),
    'lists 50 where no limit is given': asking(({ query }) => {
      query.limit ??= 50;
    }),
  },
  createAsset: {
    'refuses a code that begins with a digit': (call, _, run) =>
      /^\d/.test(call.body.code) ? refuse('code') : run(),
    'gives two decimal places where none are given': keeping('assets', (row, { body }) => ({
      ...row,
      precision: body.precision == null && row.precision === 0 ? 2 : row.precision,
    })),
  },
  quoteAsset: {
    'multiplies by the rate': showing((body, { body: asked }, { tables, owner }) => {
      const { precision = 10 } =
        (tables as Loose).assets.get(`${owner}\n${body.destination}`) ?? {};
      return { destination_amount: Number((asked.amount * Number(body.rate)).toFixed(precision)) };
    }),
  },
  submitEvents: {
    'charges a price in each of its assets': seeing('versions', (row) => ({
      ...row,
      prices: inEachAsset(row.prices),
    })),
    'takes the first pricing value that fits': repricing((price, { event: { data = {} } }) => {
      price.pricing = price.pricing.map((entry: Loose) => firstThatFits(entry, data));
    }),
  },
  updateProductVersion: {
    'lets an archived version be modified': through('versions', (table) => ({
      get(id: string) {
        const row = table.get(id);
        return row?.status === 'archived' ? { ...row, status: 'draft' } : row;
      },
      put(row: Loose) {
        const isArchived = table.get(row.id)?.status === 'archived';
        return table.put(isArchived ? { ...row, status: 'archived' } : row);
      },
    })),
  },
  updateSubscriptionProduct: {
    'changes to an archived version': seeing('versions', (row) =>
      row.status === 'archived' ? { ...row, status: 'published' } : row,
    ),
  },
  archiveProductVersion: {
    'leaves an archived version the default': through('products', () => ({
      put: (row: Loose) => row,
    })),
  },
  getVendor: {
    'finds the vendor of another account': actingFor(
      ({ path }, { tables }) => (tables as Loose).vendors.get(path.vendorId)?.owner,
    ),
  },
  listVendors: {
    'counts all vendors whatever was asked': showing((_, __, { tables, owner }) => ({
      total_count: [...tables.vendors.values()].filter((each) => each.owner === owner).length,
    })),
  },
  listCustomers: {
    'counts every subscription among the active': each('items', ({ id }, _, { tables }) => ({
      active_subscription_count: tables.subscriptions.list('customer', id).length,
    })),
  },
});
