import { beforeEach } from 'vitest';
import type { GivenSettings } from '../config/settings.ts';
import type { Context } from '../resources/context.ts';
import { TEST_CARD } from '../resources/customers/payment-method.ts';
import { completePayment } from '../resources/payments/payments.ts';
import type { SubscriptionRow } from '../store/records.ts';
import {
  CREDIT_ASSET,
  EVERY_MONTH,
  entitlement,
  fixedPrice,
  freshKey,
  inWorld,
  PER_IMAGE,
  setWorldClock,
} from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { callsFor } from './customer.ts';

/** For tests: months of one customer's billing over HTTP, on a frozen clock. */
export type Story = Awaited<ReturnType<typeof aStory>>;

const shared = createTestClient();

/** Opens a world at an instant, with a customer and an asset of whole units. */
export async function aStory(now: string, client: TestClient = shared) {
  const story = { client, key: freshKey(), customerId: '' };
  const calls = callsFor(story);
  const { api } = calls;
  /** Sets the clock to an instant without running due jobs. */
  const set = (moment: string) => api('setClock', { body: { mode: 'frozen', now: moment } });
  await set(now);
  await api('createAsset', { body: CREDIT_ASSET }, 201);
  story.customerId = (await api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  return { ...story, ...calls, set };
}

/** Formats due jobs that ran as lines of instant, kind and outcome. */
export function linesOf({ items }: AnyBody): string[] {
  return items.map(({ at, kind, outcome }: AnyBody) =>
    [at.replace(/:00\.000Z$/, 'Z'), kind, outcome].filter(Boolean).join(' '),
  );
}

/** For tests of due jobs: a plan with a fixed fee, usage and monthly credit. */
export const CONTENT = {
  prices: [fixedPrice(20), PER_IMAGE],
  entitlements: [entitlement(1000, EVERY_MONTH)],
};
export const DECLINES_LATER = { payment_method: { kind: 'card', declines_later: true } };
export const START = '2026-01-31T10:00:00Z';

/** A customer who has paid for the plan. */
export async function aSubscriber(outcome: object = {}) {
  const acme = await aStory(START);
  const productId = await acme.product('plan', CONTENT);
  const { id } = await acme.subscribeTo('plan');
  await acme.settle(id, 'succeeded', outcome);
  return { acme, id: id as string, productId };
}

/** For tests: what is new before each test of a file, and calls about it. */
interface Buyer {
  client: TestClient;
  /** A test can assign another id, such as one that does not exist. */
  customerId: string;
}

/** An emulator with CREDIT, with further fields if given, and a customer; and calls about the customer's subscriptions. */
export function openBuyer(fields: object = {}) {
  const buyer = {} as Buyer;
  const calls = callsFor(buyer);
  const { api, product, subscribe, subscriptions } = calls;
  async function open(settings: GivenSettings = {}): Promise<void> {
    buyer.client = createTestClient({ public_url: 'https://billing.example.com', ...settings });
    buyer.customerId = (await api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
    await api('createAsset', { body: { ...CREDIT_ASSET, ...fields } }, 201);
  }
  beforeEach(() => open());
  /** Runs a function on a subscription inside a commit, as a payment or a due job does. */
  const act = (id: string, work: (context: Context, subscription: SubscriptionRow) => void) =>
    inWorld(buyer.client, (context) => {
      work(context, context.tables.subscriptions.get(id) as SubscriptionRow);
    });
  return Object.assign(buyer, calls, {
    ...{ open, act },
    setClock: (at: string) => setWorldClock(buyer.client, at),
    pay: (id: string, method = TEST_CARD) =>
      act(id, (context) => completePayment(context, id, { outcome: 'succeeded', method })),
    async subscribeToPlan(content: object, body: object = {}) {
      const productId = await product('plan', content);
      const { id } = await subscribe({ products: [{ code: 'plan' }], ...body });
      return { productId, subscriptionId: id as string };
    },
    show: async (place = 0) => (await subscriptions())[place],
  });
}
