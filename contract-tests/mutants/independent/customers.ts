import { asking, each, type Loose, type Mutant, showing } from '../mutant.ts';
import {
  bugs,
  clears,
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

const throughAnyCustomer = asking(({ path }, { tables }) => {
  path.customerId = tables.subscriptions.get(path.subscriptionId)?.customer_id ?? path.customerId;
});

/** Customers, subscriptions, products and their versions. */
export const customerBugs: readonly Mutant[] = bugs({
  createCustomer: {
    ...keepsFirst('subscriptions', 'external_accounts', 'metadata'),
    ...forgets('email'),
  },
  updateCustomer: {
    ...clears('email', 'external_id', 'metadata', 'external_accounts'),
    ...forgets('email', 'external_id', 'name', 'metadata'),
    'merges metadata': asking(({ body, path }, { tables }) => {
      const former = tables.customers.get(path.customerId);
      if (body.metadata) body.metadata = { ...former?.metadata, ...body.metadata };
    }),
  },
  listCustomers: {
    ...findsNear('customers', 'external_id', 'in any letter case'),
    ...findsNear('customers', 'external_id', 'by a part'),
    ...ignoresBeside('status', 'email'),
    ...ignoresBeside('name', 'status'),
    ...ignoresBeside('name', 'customer_id'),
    ...ignoresBeside('email', 'customer_id'),
    'takes those without subscription for neither': onlyThose(
      (item, { query }, { tables }) =>
        query.status !== 'inactive' || tables.subscriptions.list('customer', item.id).length > 0,
    ),
    'counts every subscription as active': each('items', ({ id }, _, { tables }) => ({
      active_subscription_count: tables.subscriptions.list('customer', id).length,
    })),
    'counts one active subscription': each('items', ({ active_subscription_count: count }) => ({
      active_subscription_count: Math.min(1, count),
    })),
  },
  getCustomer: {
    ...showsFirst('subscriptions', 'external_accounts', 'metadata'),
    'shows no required actions': each('subscriptions', () => ({ required_actions: undefined })),
  },
  createSubscription: {
    ...keepsFirst('products'),
    ...forgets('starts_at', 'renews_at', 'redirect_to'),
    'takes the default version always': sending(({ products }) => {
      for (const product of products) delete product.version;
    }),
    'shows the newest product only': showing(({ products }) => ({ products: products.slice(-1) })),
  },
  updateSubscription: { 'works through any customer': throughAnyCustomer },
  updateSubscriptionProduct: {
    'works through any customer': throughAnyCustomer,
    'changes nothing': () => ({ status: 204 }),
  },
  createProduct: {
    ...keepsFirst('prices', 'entitlements'),
    'keeps the last of several values': prices(({ pricing = [] }) => {
      for (const each of pricing) each.values = each.values.slice(-1);
    }),
    'keeps the first of several assets': prices((price) => {
      price.pricing = price.pricing?.slice(0, 1);
    }),
    'loses billable dimensions': prices(({ usage_calculation: of }) => {
      if (of) delete of.billable_dimensions;
    }),
    'loses the second dimension of values': prices(({ pricing = [] }) => {
      for (const { values } of pricing)
        for (const value of values)
          if (value.dimensions)
            value.dimensions = Object.fromEntries(Object.entries(value.dimensions).slice(0, 1));
    }),
    'loses the accounting of entitlements': sending(({ entitlements }) => {
      for (const each of entitlements ?? []) delete each.accounting;
    }),
    'publishes whatever was asked': sending((body) => {
      body.publish = true;
    }),
  },
  createProductVersion: {
    ...keepsFirst('prices', 'entitlements'),
    'makes each version the default': sending((body) => {
      if (body.publish) body.make_default = true;
    }),
  },
  listProducts: {
    ...findsNear('products', 'code', 'by its beginning'),
    ...ignores('code', 'offset'),
  },
  listProductVersions: { ...ignores('status', 'limit') },
  listSubscribers: {
    ...ignores('limit', 'offset'),
    'shows no email': each('items', () => ({ email: undefined })),
    'shows version 1': each('items', () => ({ version: 1 })),
  },
  getProduct: {
    'shows the oldest version first': showing(({ versions }) => ({
      versions: versions.toReversed(),
    })),
  },
  getProductVersion: {
    'shows what is archived as published': showing(({ status }) => ({
      status: status === 'archived' ? 'published' : status,
    })),
  },
  simulateUsage: {
    ...keepsFirst('events'),
    'shows no dimensions': each('fees', () => ({ dimensions: undefined })),
  },
  listCustomerStats: {
    ...shifts('period_from', 'period_to'),
    'sums up the page alone': showing(({ summary, items }) => ({
      summary: {
        ...summary,
        gross_revenue: items.reduce(
          (sum: number, { stats }: Loose) => sum + stats.gross_revenue,
          0,
        ),
      },
    })),
    'leaves out customers without revenue': onlyThose(({ stats }) => stats.gross_revenue > 0),
  },
  getCustomerStats: {
    'ignores costs in net revenue': showing(({ gross_revenue }) => ({
      net_revenue: gross_revenue,
    })),
  },
});
