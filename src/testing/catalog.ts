import { contextOf } from '../control/context.ts';
import { instant } from '../domain/instant.ts';
import type { Context } from '../resources/context.ts';
import { createTestClient, type TestClient, worldOf } from './client.ts';
import { usagePrice } from './usage.ts';

/** For tests: prices, entitlements and addresses. */
const perImage = (unit_price: number, asset: string) =>
  usagePrice({
    name: 'Images',
    event_type: 'image.generated',
    ...{ asset, values: [{ unit_price }] },
  });
export const PER_IMAGE = perImage(0.5, 'EUR');
export const IMAGE_PRICE = perImage(0.5, 'USD');
export const DEARER = perImage(0.75, 'USD');
export const UNUSED = usagePrice({ name: 'Unused', event_type: 'unused' });

export const URLS = {
  return_url: 'https://app.example.com/done',
  failure_url: 'https://app.example.com/failed',
};

export function fixedPrice(unit_price: number, interval = 'month', asset = 'USD') {
  return {
    name: 'Fee',
    type: 'fixed',
    billing_model: { type: 'recurring', recurring: { interval } },
    pricing: [{ asset, values: [{ unit_price }] }],
  };
}

/** Credit that lasts longer than any test. */
const LASTING = { lifecycle: { duration: 'year', duration_count: 100 } };

export function entitlement(amount: number, more: object = {}) {
  return { name: 'Credits', asset: 'CREDIT', amount, purpose: 'promotion', ...LASTING, ...more };
}

const EXPIRE_AND_REPLACE = { strategy: 'expire_and_replace' };
export const ONE_MONTH = { lifecycle: { duration: 'month' } };
export const EVERY_MONTH = { lifecycle: { duration: 'month', refresh: EXPIRE_AND_REPLACE } };
export const EVERY_DAY = { lifecycle: { duration: 'day', refresh: EXPIRE_AND_REPLACE } };

/** Creates a published product, by default with a price for usage that nobody sends. Returns its id. */
export async function aCatalogProduct(
  client: TestClient,
  code: string,
  content: object,
  parts: object = {},
): Promise<string> {
  const body = { name: code, code, publish: true, prices: [UNUSED], ...content };
  return (await client.api('createProduct', { ...parts, body }, 201)).id;
}

export function setWorldClock({ emulator }: TestClient, at: string): void {
  const world = worldOf(emulator);
  world.clock.state = { mode: 'frozen', at: instant(at) };
}

/** Runs a function in the default world, with the context of a handler. */
export function inWorld<T>({ emulator }: TestClient, work: (context: Context) => T): T {
  const world = worldOf(emulator);
  const { settings } = emulator;
  const baseUrl = 'http://127.0.0.1';
  return world.commit(() => work(contextOf({ world, owner: world.accountId, settings, baseUrl })));
}

export const CREDIT_ASSET = { code: 'CREDIT', name: 'Credits' };
export const usd = (rate: number) => ({ source: 'USD', rate });

/** A client whose world has CREDIT, with further fields if given. */
export async function withCredit(fields: object = {}): Promise<TestClient> {
  const client = createTestClient();
  await client.api('createAsset', { body: { ...CREDIT_ASSET, ...fields } }, 201);
  return client;
}
