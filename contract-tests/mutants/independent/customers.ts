import { asking, each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  anyCase,
  bug,
  byPart,
  byPrefix,
  clears,
  eachOf,
  findsNear,
  forgets,
  ignores,
  ignoresBeside,
  keepsFirst,
  onlyThose,
  sending,
  shifts,
  showsFirst,
} from './bug.ts';

/** Changes each price of a request. */
const prices = (change: (price: Loose) => void) => sending(({ prices: of }) => of?.forEach(change));

/** Customers, subscriptions, products and their versions. */
export const customerBugs: readonly Mutant[] = [
  ...keepsFirst('createCustomer', 'subscriptions', 'external_accounts', 'metadata'),
  ...forgets('createCustomer', 'email'),
  ...clears('updateCustomer', 'email', 'external_id', 'metadata', 'external_accounts'),
  ...forgets('updateCustomer', 'email', 'external_id', 'name', 'metadata'),
  bug(
    'merges metadata',
    'updateCustomer',
    asking(({ body, path }, { tables }) => {
      const former = tables.customers.get(path.customerId);
      if (body.metadata) body.metadata = { ...former?.metadata, ...body.metadata };
    }),
  ),
  findsNear('listCustomers', 'customers', 'external_id', anyCase, 'in any letter case'),
  findsNear('listCustomers', 'customers', 'external_id', byPart, 'by a part'),
  ignoresBeside('listCustomers', 'status', 'email'),
  ignoresBeside('listCustomers', 'name', 'status'),
  ignoresBeside('listCustomers', 'name', 'customer_id'),
  ignoresBeside('listCustomers', 'email', 'customer_id'),
  bug(
    'takes those without subscription for neither',
    'listCustomers',
    onlyThose(
      (item, { query }, { tables }) =>
        query.status !== 'inactive' || tables.subscriptions.list('customer', item.id).length > 0,
    ),
  ),
  bug(
    'counts every subscription as active',
    'listCustomers',
    each('items', ({ id }, _, { tables }) => ({
      active_subscription_count: tables.subscriptions.list('customer', id).length,
    })),
  ),
  bug(
    'counts one active subscription',
    'listCustomers',
    each('items', ({ active_subscription_count: count }) => ({
      active_subscription_count: Math.min(1, count),
    })),
  ),
  ...showsFirst('getCustomer', 'subscriptions', 'external_accounts', 'metadata'),
  bug(
    'shows no required actions',
    'getCustomer',
    eachOf('subscriptions', () => ({ required_actions: undefined })),
  ),

  ...keepsFirst('createSubscription', 'products'),
  ...forgets('createSubscription', 'starts_at', 'renews_at', 'redirect_to'),
  bug(
    'takes the default version always',
    'createSubscription',
    sending(({ products }) => {
      for (const product of products) delete product.version;
    }),
  ),
  bug(
    'shows the newest product only',
    'createSubscription',
    showing(({ products }) => ({ products: products.slice(-1) })),
  ),
  ...(['updateSubscription', 'updateSubscriptionProduct'] as const).map((operation) =>
    bug(
      'works through any customer',
      operation,
      asking(({ path }, { tables }) => {
        path.customerId =
          tables.subscriptions.get(path.subscriptionId)?.customer_id ?? path.customerId;
      }),
    ),
  ),
  bug('changes nothing', 'updateSubscriptionProduct', () => ({ status: 204 })),

  ...keepsFirst('createProduct', 'prices', 'entitlements'),
  ...keepsFirst('createProductVersion', 'prices', 'entitlements'),
  bug(
    'keeps the last of several values',
    'createProduct',
    prices(({ pricing = [] }) => {
      for (const each of pricing) each.values = each.values.slice(-1);
    }),
  ),
  bug(
    'keeps the first of several assets',
    'createProduct',
    prices((price) => {
      price.pricing = price.pricing?.slice(0, 1);
    }),
  ),
  bug(
    'loses billable dimensions',
    'createProduct',
    prices(({ usage_calculation: of }) => {
      if (of) delete of.billable_dimensions;
    }),
  ),
  bug(
    'loses the second dimension of values',
    'createProduct',
    prices(({ pricing = [] }) => {
      for (const { values } of pricing)
        for (const value of values)
          if (value.dimensions)
            value.dimensions = Object.fromEntries(Object.entries(value.dimensions).slice(0, 1));
    }),
  ),
  bug(
    'loses the accounting of entitlements',
    'createProduct',
    sending(({ entitlements }) => {
      for (const each of entitlements ?? []) delete each.accounting;
    }),
  ),
  bug(
    'publishes whatever was asked',
    'createProduct',
    sending((body) => {
      body.publish = true;
    }),
  ),
  bug(
    'makes each version the default',
    'createProductVersion',
    sending((body) => {
      if (body.publish) body.make_default = true;
    }),
  ),
  findsNear('listProducts', 'products', 'code', byPrefix, 'by its beginning'),
  ...ignores('listProducts', 'code', 'offset'),
  ...ignores('listProductVersions', 'status', 'limit'),
  ...ignores('listSubscribers', 'limit', 'offset'),
  bug(
    'shows no email',
    'listSubscribers',
    each('items', () => ({ email: undefined })),
  ),
  bug(
    'shows version 1',
    'listSubscribers',
    each('items', () => ({ version: 1 })),
  ),
  bug(
    'shows the oldest version first',
    'getProduct',
    showing(({ versions }) => ({ versions: versions.toReversed() })),
  ),
  bug(
    'shows what is archived as published',
    'getProductVersion',
    showing(({ status }) => ({ status: status === 'archived' ? 'published' : status })),
  ),
  ...keepsFirst('simulateUsage', 'events'),
  bug(
    'shows no dimensions',
    'simulateUsage',
    eachOf('fees', () => ({ dimensions: undefined })),
  ),
  shifts('listCustomerStats', 'period_from', 1),
  shifts('listCustomerStats', 'period_to', -1),
  bug(
    'sums up the page alone',
    'listCustomerStats',
    showing(({ summary, items }) => ({
      summary: {
        ...summary,
        gross_revenue: items.reduce(
          (sum: number, { stats }: Loose) => sum + stats.gross_revenue,
          0,
        ),
      },
    })),
  ),
  bug(
    'leaves out customers without revenue',
    'listCustomerStats',
    onlyThose(({ stats }) => stats.gross_revenue > 0),
  ),
  bug(
    'ignores costs in net revenue',
    'getCustomerStats',
    showing(({ gross_revenue }) => ({ net_revenue: gross_revenue })),
  ),
];
