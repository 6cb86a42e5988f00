import { asking, type Loose, type Mutant, showing } from '../mutant.ts';
import { bugs, findsNear } from './bug.ts';
import { keeping, seeing } from './deep.ts';
import { repricing } from './prices.ts';

/** Bugs in assets, products and prices: one for each randomly drawn sentence of the specification. */

const newestOf = ({ tables }: Loose, productId: string): Loose =>
  tables.versions.list('product', productId).at(-1);

/** Rows and groups without a `unit_price` of 0. */
const withoutFree = (values: readonly Loose[]): Loose[] =>
  values.map(({ unit_price, values: rows, ...value }) => ({
    ...(unit_price && { unit_price }),
    ...value,
    ...(rows && { values: withoutFree(rows) }),
  }));

const firstRate = ({ schedule }: Loose): string => schedule.at(-1).valid_from;

const isFixed = ({ type }: Loose): boolean => type === 'fixed';
const entriesOf = (prices: readonly Loose[]): Loose[] => prices.flatMap(({ pricing }) => pricing);

/** Prices with fixed prices of 0.01 each, when all fixed prices are 0. */
function neverFree(prices: readonly Loose[]): readonly Loose[] {
  const copies = structuredClone(prices);
  const values = entriesOf(copies.filter(isFixed)).flatMap((entry) => entry.values);
  if (values.some(({ unit_price }) => Number(unit_price) > 0)) return prices;
  for (const value of values) value.unit_price = '0.01';
  return copies;
}

export const drawnCatalogBugs: readonly Mutant[] = bugs({
  createAsset: {
    'forgets the rates that a currency had before': seeing('assets', (row, { body }) =>
      row.code === body.code && !row.listed ? { ...row, schedules: {} } : row,
    ),
  },
  getAsset: {
    'puts sources in the order of their first rates': showing(({ rates }) => ({
      rates: rates.toSorted((left: Loose, right: Loose) =>
        firstRate(left) < firstRate(right) ? 1 : -1,
      ),
    })),
  },
  createProductVersion: {
    'keeps the purpose of an entitlement that the version before had': asking(
      ({ body, path }, context) => {
        const former: Loose[] = newestOf(context, path.productId)?.entitlements ?? [];
        for (const entitlement of body.entitlements ?? []) {
          const same = former.find(({ name }) => name === entitlement.name);
          if (same) entitlement.purpose = same.purpose;
        }
      },
    ),
    'copies entitlements without their accounting': keeping('versions', (row, { body }) =>
      body.entitlements
        ? row
        : {
            ...row,
            entitlements: row.entitlements.map((entitlement: Loose) => ({
              ...entitlement,
              accounting: { revenue_basis: '0', cost_basis: 'auto' },
            })),
          },
    ),
  },
  getProductVersion: {
    'answers the default where there is no such version': (call, { tables }, run) => {
      const { productId, version } = call.path;
      const isThere = tables.versions.get(`${productId}\n${version}`) || version === 'default';
      return isThere ? run() : run({ ...call, path: { productId, version: 'default' } });
    },
    'shows no unit_price of 0': showing(({ prices }) => ({
      prices: prices.map((price: Loose) => ({
        ...price,
        pricing: price.pricing.map((entry: Loose) => ({
          ...entry,
          values: withoutFree(entry.values),
        })),
      })),
    })),
  },
  listProducts: findsNear('products', 'code', 'in any letter case'),
  createSubscription: {
    'asks for a payment of nothing': seeing('versions', (version) => ({
      ...version,
      prices: neverFree(version.prices),
    })),
  },
  submitEvents: {
    'fits a star to texts alone': repricing((price, { event }) => {
      for (const entry of price.pricing)
        entry.values = entry.values.filter(({ dimensions = {} }: Loose) =>
          Object.entries(dimensions).every(
            ([name, wanted]) =>
              wanted !== '*' || !['number', 'boolean'].includes(typeof event.data?.[name]),
          ),
        );
      price.pricing = price.pricing.filter(({ values }: Loose) => values.length > 0);
    }),
  },
});
