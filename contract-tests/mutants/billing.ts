import { asks, type Defect, type Loose, shows } from './mutant.ts';

const SHOWN = ['createSubscription', 'createCustomer', 'getCustomer'];

/** Changes each subscription that is shown. */
const subscriptions = (about: string, change: (subscription: Loose) => void): Defect =>
  shows(about, SHOWN, (body) => {
    for (const each of body.subscriptions ?? (body.products ? [body] : [])) change(each);
  });

/** Changes each subscription that is asked for. */
const subscribing = (about: string, change: (body: Loose) => void): Defect =>
  asks(about, ['createSubscription', 'createCustomer'], ({ body, operation }) => {
    const all = operation === 'createCustomer' ? body?.subscriptions : [body];
    for (const each of Array.isArray(all) ? all : []) if (each) change(each);
  });

const DAY_MS = 86_400_000;

/** Defects of subscriptions, of what is paid and of what time does. */
export const subscriptionDefects: readonly Defect[] = [
  shows('Customers have no subscriptions', 'getCustomer', (body) => {
    Object.assign(body, { subscriptions: [], active_subscription_count: 0 });
  }),
  subscriptions('A subscription renews a day later than it should', (each) => {
    if (each.renews_at)
      each.renews_at = new Date(Date.parse(each.renews_at) + DAY_MS).toISOString();
  }),
  subscriptions('An ended subscription shows its next renewal', (each) => {
    if (each.status === 'inactive') each.renews_at = '2999-01-01T00:00:00.000Z';
  }),
  subscribing('A start and a first renewal that are asked for are forgotten', (each) => {
    delete each.starts_at;
    delete each.renews_at;
  }),
  subscribing('A subscription is to the first of its products', (each) => {
    if (each.products?.length > 1) each.products = each.products.slice(0, 1);
  }),
  shows('A product has no subscribers', 'listSubscribers', (body) => {
    Object.assign(body, { items: [], total_count: 0 });
  }),
  shows('A top-up is always paid', 'getTopUp', (body) => {
    body.status = 'succeeded';
  }),
  asks('A saved card is not kept', 'setPaymentMethod', ({ body }) => {
    for (const name of Object.keys(body)) delete body[name];
    body.kind = 'none';
  }),
  asks('Nothing is topped up by itself', 'setAutoTopUp', ({ body }) => {
    for (const name of Object.keys(body)) delete body[name];
    body.threshold = null;
  }),
  asks('What is due happens a day late', 'advanceClock', ({ body }) => {
    if (body?.to) body.to = new Date(Date.parse(body.to) - DAY_MS).toISOString();
  }),
];

const PRODUCTS = ['createProduct', 'createProductVersion', 'updateProductVersion'];

/** Changes each price of a product as it is sent. */
const prices = (about: string, change: (price: Loose) => void): Defect =>
  asks(about, PRODUCTS, ({ body }) => {
    for (const price of Array.isArray(body?.prices) ? body.prices : []) if (price) change(price);
  });

const values = (about: string, change: (value: Loose) => void): Defect =>
  prices(about, ({ pricing }) => {
    for (const entry of Array.isArray(pricing) ? pricing : [])
      for (const value of Array.isArray(entry?.values) ? entry.values : [])
        if (value) change(value);
  });

const entitlements = (about: string, change: (entitlement: Loose) => void): Defect =>
  asks(about, PRODUCTS, ({ body }) => {
    for (const each of Array.isArray(body?.entitlements) ? body.entitlements : [])
      if (each) change(each);
  });

/** Defects of products, their prices and what usage costs. */
export const usageDefects: readonly Defect[] = [
  prices('Tiers count for ever, and bulk prices are tiered', (price) => {
    if (price.pricing_model === 'bulk') price.pricing_model = 'tiered';
    if (price.tiering) delete price.tiering.period;
  }),
  values('Bounds and package sizes are ignored', (value) => {
    delete value.min_amount;
    delete value.max_amount;
    if (value.package_size > 1) value.package_size = 1;
  }),
  values('Prices by dimension match any usage', (value) => {
    delete value.dimensions;
  }),
  entitlements('Credit of an entitlement is worth nothing', ({ accounting }) => {
    if (accounting?.revenue_basis > 0) accounting.revenue_basis = 0;
  }),
  entitlements('Credit rolls over', ({ lifecycle }) => {
    if (lifecycle?.refresh?.strategy === 'expire_and_replace')
      lifecycle.refresh.strategy = 'rollover';
  }),
  asks(
    'Versions are published at once, and become the default',
    PRODUCTS,
    ({ body, operation }) => {
      if (typeof body !== 'object' || Array.isArray(body) || body === null) return;
      body.publish = true;
      if (operation !== 'createProduct') body.make_default = true;
    },
  ),
  shows('A simulation costs nothing', 'simulateUsage', (body) => {
    body.fees = [];
  }),
];
