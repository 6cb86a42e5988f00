import { asks, type Defect, type Loose, shows } from './mutant.ts';

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
