import { each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  anyCase,
  bug,
  byPart,
  byPrefix,
  cents,
  eachOf,
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
export const accountBugs: readonly Mutant[] = [
  ...keepsFirst('createConnectedAccount', 'metadata'),
  ...ignores('listConnectedAccounts', 'limit', 'offset'),
  findsNear('listConnectedAccounts', 'accounts', 'external_id', byPrefix, 'by its beginning'),
  findsNear('listConnectedAccounts', 'accounts', 'external_id', anyCase, 'in any letter case'),
  bug(
    'shows no metadata',
    'listConnectedAccounts',
    each('items', () => ({ metadata: undefined })),
  ),
  bug(
    'counts the page',
    'listConnectedAccounts',
    showing(({ items }) => ({ total_count: items.length })),
  ),

  ...forgets('createAsset', 'label', 'symbol', 'precision'),
  ...keepsFirst('createAsset', 'rates'),
  bug(
    'cuts a composed emoji',
    'createAsset',
    sending((body) => {
      if (body.symbol) body.symbol = body.symbol[0];
    }),
  ),
  ...forgets('setAssetRate', 'valid_from', 'valid_to'),
  ...showsFirst('getAsset', 'rates'),
  bug(
    'shows one rate of a schedule',
    'getAsset',
    eachOf('rates', ({ schedule }) => ({ schedule: schedule.slice(0, 1) })),
  ),
  bug(
    'shows the oldest rate first',
    'getAsset',
    eachOf('rates', ({ schedule }) => ({ schedule: schedule.toReversed() })),
  ),
  bug(
    'rounds to cents',
    'quoteAsset',
    showing(({ destination_amount }) => ({ destination_amount: cents(destination_amount) })),
  ),
  bug(
    'shows the rate as its inverse',
    'quoteAsset',
    showing(({ rate }) => ({ inverse_rate: rate })),
  ),
  ...forgets('quoteAsset', 'exchange_at'),
  bug('sorts by name', 'listAssets', sortedBy('name')),

  findsNear('listVendors', 'vendors', 'external_id', byPrefix, 'by its beginning'),
  findsNear('listVendors', 'vendors', 'external_id', byPart, 'by a part'),
  ...ignores('listVendors', 'external_id', 'limit', 'offset'),
  ...hides('getVendor', 'external_id'),
  bug('answers vendors of any account', 'getVendor', (call, { tables }, run) => {
    const vendor = tables.vendors.get(call.path.vendorId);
    if (!vendor) return run();
    const { id, name, created_at } = vendor;
    return { status: 200, body: { id, name, created_at } };
  }),
  ...ignores('getVendorStats', 'category', 'period_from', 'period_to'),
  ignoresBeside('getVendorStats', 'category', 'period_to'),
  shifts('getVendorStats', 'period_from', 1),
  shifts('getVendorStats', 'period_to', -1),
  ...showsFirst('getVendorStats', 'categories'),
  bug(
    'counts the first category in all',
    'getVendorStats',
    showing(({ categories }) => ({ total_costs: categories[0]?.cost ?? 0 })),
  ),
  bug(
    'leaves out vendors without external id',
    'listVendors',
    onlyThose(({ external_id }) => external_id !== undefined),
  ),
];
