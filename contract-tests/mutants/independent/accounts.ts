import { each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  bugs,
  cents,
  findsNear,
  forgets,
  hides,
  ignores,
  ignoresBeside,
  keepsFirst,
  onlyThose,
  sending,
  shifts,
  showsFirst,
} from './bug.ts';

const sortedBy = (name: string) =>
  showing(({ items }) => ({
    items: items.toSorted((a: Loose, b: Loose) => a[name].localeCompare(b[name])),
  }));

/** Accounts, assets and vendors. */
export const accountBugs: readonly Mutant[] = bugs({
  createConnectedAccount: { ...keepsFirst('metadata') },
  listConnectedAccounts: {
    ...ignores('limit', 'offset'),
    ...findsNear('accounts', 'external_id', 'by its beginning'),
    ...findsNear('accounts', 'external_id', 'in any letter case'),
    'shows no metadata': each('items', () => ({ metadata: undefined })),
    'counts the page': showing(({ items }) => ({ total_count: items.length })),
  },
  createAsset: {
    ...forgets('label', 'symbol', 'precision'),
    ...keepsFirst('rates'),
    'cuts a composed emoji': sending((body) => {
      if (body.symbol) body.symbol = body.symbol[0];
    }),
  },
  setAssetRate: { ...forgets('valid_from', 'valid_to') },
  getAsset: {
    ...showsFirst('rates'),
    'shows one rate of a schedule': each('rates', ({ schedule }) => ({
      schedule: schedule.slice(0, 1),
    })),
    'shows the oldest rate first': each('rates', ({ schedule }) => ({
      schedule: schedule.toReversed(),
    })),
  },
  quoteAsset: {
    'rounds to cents': showing(({ destination_amount }) => ({
      destination_amount: cents(destination_amount),
    })),
    'shows the rate as its inverse': showing(({ rate }) => ({ inverse_rate: rate })),
    ...forgets('exchange_at'),
  },
  listAssets: { 'sorts by name': sortedBy('name') },
  listVendors: {
    ...findsNear('vendors', 'external_id', 'by its beginning'),
    ...findsNear('vendors', 'external_id', 'by a part'),
    ...ignores('external_id', 'limit', 'offset'),
    'leaves out vendors without external id': onlyThose(
      ({ external_id }) => external_id !== undefined,
    ),
  },
  getVendor: {
    ...hides('external_id'),
    'answers vendors of any account': (call, { tables }, run) => {
      const vendor = tables.vendors.get(call.path.vendorId);
      if (!vendor) return run();
      const { id, name, created_at } = vendor;
      return { status: 200, body: { id, name, created_at } };
    },
  },
  getVendorStats: {
    ...ignores('category', 'period_from', 'period_to'),
    ...ignoresBeside('category', 'period_to'),
    ...shifts('period_from', 'period_to'),
    ...showsFirst('categories'),
    'counts the first category in all': showing(({ categories }) => ({
      total_costs: categories[0]?.cost ?? 0,
    })),
  },
});
