import { EVERY_MONTH, fixedPrice } from '../catalog.ts';
import { type PriceSketch, usagePrice } from '../usage.ts';
import { type Ask, uuid } from './ask.ts';

/** Creates a custom unit with rates, and sends rejected requests about assets. */
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

const usage = (name: string, event_type: string, terms: PriceSketch) =>
  usagePrice({ name, event_type, usage_type: 'volume', volume_field: 'tokens', ...terms });
const tokensAt = (volume_rate: number) =>
  usage('Tokens', 'llm.completion', { values: [{ volume_rate, package_size: 1_000_000 }] });
const TIERED = usage('Calls', 'call', {
  pricing_model: 'tiered',
  tiering: { basis: 'volume', period: 'monthly' },
  values: [{ up_to: 100, volume_rate: 0.07 }, { volume_rate: 0.03 }],
});
export const SEAT = fixedPrice(29);

const BUNDLE = {
  name: 'Monthly credits',
  asset: 'CREDIT',
  amount: 100,
  purpose: 'bundled',
  ...EVERY_MONTH,
  accounting: { revenue_basis: 0.01, cost_basis: 'auto' },
};

export interface SoldProducts {
  readonly plan: { readonly id: string };
  readonly paid: { readonly id: string };
}

/** Creates a usage-based and a monthly product with versions, and sends rejected requests about products. */
export async function defineCatalogue(ask: Ask, now: string): Promise<SoldProducts> {
  const tokens = tokensAt(10);
  const plan = await ask('createProduct', {
    body: { name: 'Metered', code: 'metered', publish: true, prices: [tokens, TIERED] },
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
  const { version } = await ask('createProductVersion', {
    path: { productId: plan.id },
    body: { prices: [tokensAt(20), TIERED], publish: false },
  });
  const path = { productId: plan.id, version };
  await ask('updateProductVersion', { path, body: { publish: true } });
  await ask('updateProductVersion', { path, body: { prices: [TIERED] } });
  await ask('getProductVersion', { path });
  await ask('getProductVersion', { path: { productId: plan.id, version: 'default' } });
  const event = { id: uuid(9, 1), event_type: 'llm.completion', occurred_at: now };
  await ask('simulateUsage', {
    path,
    body: { events: [{ ...event, data: { tokens: 417_000 } }] },
  });
  return { plan, paid };
}
