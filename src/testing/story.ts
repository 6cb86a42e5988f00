import {
  CREDIT_ASSET,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  freshKey,
  PER_IMAGE,
  type PriceSketch,
  usagePrice,
} from './catalog.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from './client.ts';
import { callsFor } from './customer.ts';

/** For tests: billing of one customer over HTTP, in a world of its own whose clock is frozen. */
export type Story = Awaited<ReturnType<typeof aStory>>;

export const START = '2026-01-31T10:00:00Z';

const shared = createTestClient();

interface Beginning {
  readonly now?: string;
  readonly client?: TestClient;
  /** The assets that there are. */
  readonly assets?: readonly object[];
  /** Further fields of the customer. */
  readonly customer?: object;
}

/** Opens a world at an instant, by default with credits of whole units, and a customer in it; and calls about the customer. */
export async function aStory({
  now = START,
  client = shared,
  assets = [CREDIT_ASSET],
  customer = {},
}: Beginning = {}) {
  const story = { client, key: freshKey(), customerId: '' };
  const calls = callsFor(story);
  await calls.setClock(now);
  for (const body of assets) await calls.api('createAsset', { body }, 201);
  const body = { name: 'Acme', ...customer };
  story.customerId = (await calls.api('createCustomer', { body }, 201)).id;
  return { ...story, ...calls };
}

/** A start before the earliest usage that is still accepted. */
const LONG_AGO = '2025-11-01T00:00:00Z';

export interface UsageSetup extends Pick<Beginning, 'assets' | 'customer'> {
  readonly prices?: readonly PriceSketch[];
  readonly entitlements?: readonly object[];
}

export type User = Awaited<ReturnType<typeof aUser>>;

/** A customer subscribed since `LONG_AGO` to a published product with these prices and entitlements. */
export async function aUser(
  client: TestClient,
  { assets = [], customer = {}, prices = [{}], entitlements = [] }: UsageSetup = {},
) {
  const story = await aStory({ now: TEST_NOW, client, assets, customer });
  const content = { name: 'Product', prices: prices.map(usagePrice), entitlements };
  const productId = await story.product('product', content);
  await story.subscribeTo('product', { starts_at: LONG_AGO });
  return { ...story, productId };
}

/** For tests of due jobs: a plan with a fixed fee, usage and monthly credit. */
export const CONTENT = {
  prices: [fixedPrice(20), PER_IMAGE],
  entitlements: [entitlement(1000, EVERY_MONTH)],
};
export const DECLINES_LATER = { payment_method: { kind: 'card', declines_later: true } };

/** A customer who has paid for the plan. */
export async function aSubscriber(outcome: object = {}) {
  const acme = await aStory();
  const productId = await acme.product('plan', CONTENT);
  const { id } = await acme.subscribeTo('plan');
  await acme.settle(id, 'succeeded', outcome);
  return { acme, id: id as string, productId };
}

/** Formats due jobs that ran as lines of instant, kind and outcome. */
export function linesOf({ items }: AnyBody): string[] {
  return items.map(({ at, kind, outcome }: AnyBody) =>
    [at.replace(/:00\.000Z$/, 'Z'), kind, outcome].filter(Boolean).join(' '),
  );
}
