import { type Ask, uuid } from './ask.ts';

/** A custom unit with its rates, and what is refused of one. */
export async function defineAssets(ask: Ask, now: string): Promise<void> {
  await ask('createAsset', {
    body: { code: 'CREDIT', name: 'Credits', precision: 2, rates: [{ source: 'USD', rate: 0.03 }] },
  });
  await ask('createAsset', { body: { code: 'lower', name: 'No' } });
  await ask('listAssets');
  await ask('quoteAsset', { path: { assetCode: 'CREDIT' }, body: { source: 'USD', amount: 10 } });
  const rate = { source: 'EUR', rate: 0.07, valid_from: now };
  await ask('setAssetRate', { path: { assetCode: 'CREDIT' }, body: rate });
  await ask('setAssetRate', { path: { assetCode: 'EUR' }, body: { source: 'USD', rate: 1.1 } });
  await ask('getAsset', { path: { assetCode: 'CREDIT' } });
  await ask('quoteAsset', { path: { assetCode: 'CREDIT' }, body: { source: 'EUR', amount: 1 } });
}

const usage = (name: string, event: string, value: object, more: object = {}) => ({
  name,
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: event, usage_type: 'volume', volume_field: 'tokens' },
  pricing: [{ asset: 'USD', values: [value] }],
  ...more,
});

/** A price of 29 USD a month. */
export const SEAT = {
  name: 'Seat',
  type: 'fixed',
  billing_model: { type: 'recurring', recurring: { interval: 'month' } },
  pricing: [{ asset: 'USD', values: [{ unit_price: 29 }] }],
};

const BUNDLE = {
  name: 'Monthly credits',
  asset: 'CREDIT',
  amount: 100,
  purpose: 'bundled',
  lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
  accounting: { revenue_basis: 0.01, cost_basis: 'auto' },
};

/** The products that customers subscribe to. */
export interface SoldProducts {
  readonly plan: { readonly id: string };
  readonly paid: { readonly id: string };
}

/** A product by usage and one by the month, their versions, and what is refused of them. */
export async function defineCatalogue(ask: Ask, now: string): Promise<SoldProducts> {
  const tokens = usage('Tokens', 'llm.completion', { volume_rate: 10, package_size: 1_000_000 });
  const tiers = [{ up_to: 100, volume_rate: 0.07 }, { volume_rate: 0.03 }];
  const tiered = usage('Calls', 'call', tiers[0] as object, {
    pricing_model: 'tiered',
    tiering: { basis: 'volume', period: 'monthly' },
    pricing: [{ asset: 'USD', values: tiers }],
  });
  const plan = await ask('createProduct', {
    body: { name: 'Metered', code: 'metered', publish: true, prices: [tokens, tiered] },
  });
  const paid = await ask('createProduct', {
    body: { name: 'Studio', code: 'studio', publish: true, prices: [SEAT], entitlements: [BUNDLE] },
  });
  await ask('createProduct', { body: { name: 'Draft', code: 'draft', prices: [tokens] } });
  await ask('createProduct', { body: { name: 'Twice', code: 'studio', prices: [tokens] } });
  await ask('listProducts');
  await ask('listProducts', { query: { code: 'studio' } });
  await ask('listProductVersions', { query: { status: 'published' } });
  await ask('getProduct', { path: { productId: paid.id } });
  const dearer = usage('Tokens', 'llm.completion', { volume_rate: 20, package_size: 1_000_000 });
  const { version } = await ask('createProductVersion', {
    path: { productId: plan.id },
    body: { prices: [dearer, tiered], publish: false },
  });
  const path = { productId: plan.id, version };
  await ask('updateProductVersion', { path, body: { publish: true } });
  await ask('updateProductVersion', { path, body: { prices: [tiered] } });
  await ask('getProductVersion', { path });
  await ask('getProductVersion', { path: { productId: plan.id, version: 'default' } });
  const event = { id: uuid(9, 1), event_type: 'llm.completion', occurred_at: now };
  await ask('simulateUsage', {
    path,
    body: { events: [{ ...event, data: { tokens: 417_000 } }] },
  });
  return { plan, paid };
}
