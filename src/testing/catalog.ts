import { instant } from '../domain/instant.ts';
import type { Emulator } from '../emulator.ts';
import type { Context } from '../resources/context.ts';
import type { AnyBody, TestClient } from './client.ts';

/** Prices, entitlements and addresses that tests of subscriptions share. */
export const PER_IMAGE = {
  name: 'Images',
  type: 'usage_based',
  billing_model: { type: 'real_time' },
  usage_calculation: { event_type: 'image.generated', usage_type: 'unit' },
  pricing: [{ asset: 'EUR', values: [{ unit_price: 0.5 }] }],
};

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

export function entitlement(amount: number, more: object = {}) {
  return { name: 'Credits', asset: 'CREDIT', amount, purpose: 'promotion', ...more };
}

const EXPIRE_AND_REPLACE = { strategy: 'expire_and_replace' };
export const ONE_MONTH = { lifecycle: { duration: 'month' } };
export const EVERY_MONTH = { lifecycle: { duration: 'month', refresh: EXPIRE_AND_REPLACE } };
export const EVERY_DAY = { lifecycle: { duration: 'day', refresh: EXPIRE_AND_REPLACE } };

/** A published product, and its id. */
export async function aCatalogProduct(
  client: TestClient,
  code: string,
  content: object,
  parts: object = {},
): Promise<string> {
  const body = { name: code, code, publish: true, ...content };
  return (await client.api('createProduct', { ...parts, body }, 201)).id;
}

/** Sets the clock of the default world, which stands still. */
export function setWorldClock({ emulator }: TestClient, at: string): void {
  const world = emulator.worlds.find('key_test_emulator');
  if (world) world.clock.state = { mode: 'frozen', at: instant(at) };
}

/** Runs work inside the default world as a handler would. */
export function inWorld<T>({ emulator }: TestClient, work: (context: Context) => T): T {
  const world = emulator.worlds.find('key_test_emulator');
  if (!world) throw new Error('The default world is not there.');
  const { now, tables, accountId: owner } = world;
  const { settings } = emulator;
  const baseUrl = 'http://127.0.0.1';
  return world.commit(() => work({ world, now, tables, owner, settings, baseUrl }));
}

/** The grants in an account of a customer, oldest first. */
export async function grantsOf(
  client: TestClient,
  customerId: string,
  accountId = 'default:CREDIT',
  key?: string,
): Promise<AnyBody[]> {
  const path = { customerId, accountId };
  const parts = { path, query: { limit: 1000 }, ...(key !== undefined && { key }) };
  const page = await client.api('listGrants', parts, 200);
  return page.items.reverse().map((item: AnyBody) => withRecord(client.emulator, item));
}

/** A grant as it is listed, with what its record says beside that. */
export function withRecord({ worlds }: Emulator, item: AnyBody): AnyBody {
  for (const { tables } of worlds.values()) {
    const {
      owner: _,
      entitlement: _what,
      worth: _worth,
      ...row
    } = tables.grants.get(item.id) ?? {};
    if (!('amount' in row)) continue;
    return { ...row, ...item, amount: Number(row.amount), remaining: item.available };
  }
  throw new Error(`There is no grant ${item.id}.`);
}
