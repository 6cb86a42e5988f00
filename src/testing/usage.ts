import { grantsOf } from './catalog.ts';
import { type AnyBody, TEST_NOW, type TestClient } from './client.ts';

/** For tests of usage: a customer with a product, in a world of its own. */
export interface UsageSetup {
  readonly assets?: readonly object[];
  readonly prices?: readonly PriceSketch[];
  readonly entitlements?: readonly object[];
  readonly customer?: object;
}

/** The telling parts of a usage-based price; one value that costs 1 USD unless told. */
export interface PriceSketch {
  readonly name?: string;
  readonly event_type?: string;
  readonly usage_type?: string;
  readonly volume_field?: string;
  readonly billable_dimensions?: readonly string[];
  readonly pricing_model?: string;
  readonly tiering?: object;
  readonly asset?: string;
  readonly values?: readonly object[];
  /** Where it has several. */
  readonly pricing?: readonly object[];
}

let worlds = 0;
let ids = 0;

/** A UUID that no other call gives. */
export function nextUuid(): string {
  ids += 1;
  return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
}

/** A key that opens an empty world. */
export function freshKey(): string {
  worlds += 1;
  return `key_test_usage-${worlds}`;
}

/** Moves in the wallet of a customer, by asset, and what it shows; in the default world unless told. */
export function walletOf(client: TestClient, customerId: string, key?: string) {
  const parts = { path: { customerId }, ...(key !== undefined && { key }) };
  const move = (operation: 'adjustWallet' | 'chargeWallet', terms: object): Promise<AnyBody> =>
    client.api(operation, { ...parts, body: { transaction_id: nextUuid(), ...terms } }, 201);
  const balances = async (): Promise<Record<string, number>> => {
    const { accounts } = await client.api('getWallet', parts, 200);
    return Object.fromEntries(accounts.map(({ id, available }: AnyBody) => [id, available]));
  };
  return {
    credit: (asset: string, amount: number, more: object = {}) =>
      move('adjustWallet', { asset, amount, reason: 'external_topup', ...more }),
    charge: (asset: string, amount: number) => move('chargeWallet', { asset, amount }),
    balances,
    balance: async (asset = 'CREDIT') => (await balances())[`default:${asset}`] as number,
    grants: (asset = 'CREDIT') => grantsOf(client, customerId, `default:${asset}`, key),
  };
}

/** An event that happened now, with what is given. */
export const anEvent = (given: object = {}): AnyBody => ({
  id: nextUuid(),
  event_type: 'call',
  occurred_at: TEST_NOW,
  ...given,
});

/** A usage-based price as a product request has it. */
export function usagePrice({
  name = 'Price',
  event_type = 'call',
  usage_type = 'unit',
  asset = 'USD',
  values = [{ unit_price: 1 }],
  pricing = [{ asset, values }],
  pricing_model,
  tiering,
  ...rest
}: PriceSketch) {
  const usage_calculation = { event_type, usage_type, ...rest };
  return {
    name,
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    ...(pricing_model !== undefined && { pricing_model }),
    ...(tiering && { tiering }),
    usage_calculation,
    pricing,
  };
}

/** A start before all usage that may still be submitted. */
const LONG_AGO = '2025-11-01T00:00:00Z';

/** A customer subscribed for long to one published product of these prices and entitlements. */
export async function aUser(client: TestClient, setup: UsageSetup = {}) {
  const key = freshKey();
  const { assets = [], prices = [{}], entitlements = [], customer = {} } = setup;
  for (const body of assets) await client.api('createAsset', { key, body }, 201);
  const content = { prices: prices.map(usagePrice), entitlements };
  const product = { name: 'Product', code: 'product', publish: true, ...content };
  const { id: productId } = await client.api('createProduct', { key, body: product }, 201);
  const subscriptions = [{ products: [{ id: productId }], starts_at: LONG_AGO }];
  const body = { name: 'Acme', subscriptions, ...customer };
  const { id: customerId } = await client.api('createCustomer', { key, body }, 201);
  return userOf(client, key, customerId, productId);
}

function userOf(client: TestClient, key: string, customerId: string, productId: string) {
  return {
    key,
    customerId,
    productId,
    ...walletOf(client, customerId, key),
    submit: (...events: readonly AnyBody[]) =>
      client.api('submitEvents', { key, body: { customer_id: customerId, events } }, 204),
    event: (eventId: string): Promise<AnyBody> =>
      client.api('getEvent', { key, path: { eventId } }, 200),
  };
}

export type User = Awaited<ReturnType<typeof aUser>>;
