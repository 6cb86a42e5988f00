import { aCatalogProduct, URLS } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { freshKey, nextUuid, walletOf } from './usage.ts';

/** For tests: months of one customer's billing, told over HTTP on a clock that stands still. */
export type Story = Awaited<ReturnType<typeof aStory>>;

const shared = createTestClient();

/** Opens a world at an instant, with a customer and an asset of whole credits. */
export async function aStory(now: string, client: TestClient = shared) {
  const key = freshKey();
  const calls = callsIn(client, key);
  const { api, control } = calls;
  /** Puts the clock to an instant; nothing falls due. */
  const set = async (moment: string): Promise<void> => {
    await control('setClock', { mode: 'frozen', now: moment });
  };

  await set(now);
  await api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
  const { id } = await api('createCustomer', { body: { name: 'Acme' } }, 201);
  const telling = { ...calls, client, key, customerId: id as string };
  return {
    ...{ client, key, customerId: telling.customerId, set },
    /** Advances to an instant, by a duration, or to what falls due `next`; answers what happened. */
    advance: (howFar: string) => control('advanceClock', goalOf(howFar)),
    /** A product at its first version; answers its id. */
    plan: (code: string, content: object) => aCatalogProduct(client, code, content, { key }),
    ...subscriptionsOf(telling),
    ...usageOf(telling),
    ...walletOf(client, id, key),
    /** Fixed fees, fees and charges of all time, in the reporting currency. */
    revenue: async (): Promise<number> =>
      (await api('getCustomerStats', { path: { customerId: id } }, 200)).gross_revenue,
    /** How often `subscription.activated` has fired. */
    activations: async (): Promise<number> =>
      (await api('listWebhookEvents', { query: { limit: 1000 } }, 200)).items.length,
  };
}

const callsIn = (client: TestClient, key: string) => ({
  api: (id: Parameters<TestClient['api']>[0], parts: object, status: number) =>
    client.api(id, { ...parts, key }, status),
  control: (id: Parameters<TestClient['control']>[0], body: object, path = {}) =>
    client.control(id, { key, body, path }, 200),
});

interface Telling extends ReturnType<typeof callsIn> {
  readonly client: TestClient;
  readonly key: string;
  readonly customerId: string;
}

function subscriptionsOf({ api, control, customerId }: Telling) {
  const path = { customerId };
  return {
    /** Subscribes to products by code; answers the subscription. */
    async subscribe(codes: string | readonly string[], more: object = {}): Promise<AnyBody> {
      const products = [codes].flat().map((code) => ({ code }));
      return api('createSubscription', { path, body: { products, ...URLS, ...more } }, 201);
    },
    settle: (id: string, outcome = 'succeeded', more: object = {}) =>
      control('settlePayment', { outcome, ...more }, { id }),
    update: (subscriptionId: string, body: object, status = 204) =>
      api('updateSubscription', { path: { ...path, subscriptionId }, body }, status),
    async change(subscriptionId: string, productId: string, version: number): Promise<void> {
      const place = { ...path, subscriptionId, productId };
      await api('updateSubscriptionProduct', { path: place, body: { version } }, 204);
    },
    /** A subscription as the customer shows it. */
    async subscription(id: string): Promise<AnyBody> {
      const { subscriptions } = await api('getCustomer', { path }, 200);
      return subscriptions.find((each: AnyBody) => each.id === id);
    },
  };
}

const usageOf = ({ client, key, api, customerId }: Telling) => ({
  /** Sends usage events of a type that happen now; answers their fees. */
  async use(event_type: string, count = 1): Promise<AnyBody[]> {
    const { now: occurred_at } = await client.control('getClock', { key }, 200);
    const events = Array.from({ length: count }, () => ({
      id: nextUuid(),
      event_type,
      occurred_at,
    }));
    await api('submitEvents', { body: { customer_id: customerId, events } }, 204);
    const stored = events.map(({ id }) => api('getEvent', { path: { eventId: id } }, 200));
    return (await Promise.all(stored)).flatMap(({ fees }) => fees);
  },
});

function goalOf(howFar: string): object {
  if (howFar === 'next') return { until: 'next' };
  return /^\d{4}-/.test(howFar) ? { to: howFar } : { by: howFar };
}

/** What happened, as lines of instant, kind and outcome. */
export function linesOf({ items }: AnyBody): string[] {
  return items.map(({ at, kind, outcome }: AnyBody) =>
    [at.replace(/:00\.000Z$/, 'Z'), kind, outcome].filter(Boolean).join(' '),
  );
}
