import { aCatalogProduct, URLS, withRecord } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { freshKey, nextUuid } from './usage.ts';

/** For tests: months of one customer's billing, told over HTTP on a clock that stands still. */
export interface Story {
  readonly client: TestClient;
  readonly key: string;
  readonly customerId: string;
  /** Advances to an instant, by a duration, or to what falls due `next`; answers what happened. */
  advance(howFar: string): Promise<AnyBody>;
  /** Puts the clock to an instant; nothing falls due. */
  set(now: string): Promise<void>;
  /** A product at its first version; answers its id. */
  plan(code: string, content: object): Promise<string>;
  /** Subscribes to products by code; answers the subscription. */
  subscribe(codes: string | readonly string[], more?: object): Promise<AnyBody>;
  settle(id: string, outcome?: string, more?: object): Promise<AnyBody>;
  update(subscriptionId: string, body: object, status?: number): Promise<AnyBody>;
  change(subscriptionId: string, productId: string, version: number): Promise<void>;
  /** A subscription as the customer shows it. */
  subscription(id: string): Promise<AnyBody>;
  credit(asset: string, amount: number, more?: object): Promise<void>;
  /** Sends usage events of a type that happen now; answers their fees. */
  use(event_type: string, count?: number): Promise<AnyBody[]>;
  balance(asset?: string): Promise<number>;
  /** The grants in the default account of an asset, oldest first. */
  grants(asset?: string): Promise<AnyBody[]>;
  /** How often `subscription.activated` has fired. */
  activations(): Promise<number>;
  /** Fixed fees, fees and charges of all time, in the reporting currency. */
  revenue(): Promise<number>;
}

const shared = createTestClient();

/** Opens a world at an instant, with a customer and an asset of whole credits. */
export async function aStory(now: string, client: TestClient = shared): Promise<Story> {
  const key = freshKey();
  const api: Api = (id, parts, status) => client.api(id, { ...parts, key }, status);
  const control: Control = (id, body, path = {}) => client.control(id, { key, body, path }, 200);
  const set = async (moment: string) => {
    await control('setClock', { mode: 'frozen', now: moment });
  };

  await set(now);
  await api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
  const customerId = (await api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
  const telling = { client, key, api, control, customerId };
  return {
    ...{ client, key, customerId, set },
    advance: (howFar) => control('advanceClock', goalOf(howFar)),
    plan: (code, content) => aCatalogProduct(client, code, content, { key }),
    ...subscriptionsOf(telling),
    ...usageOf(telling),
    ...walletOf(telling),
    activations: async () =>
      (await api('listWebhookEvents', { query: { limit: 1000 } }, 200)).items.length,
  };
}

type Api = (
  id: Parameters<TestClient['api']>[0],
  parts: object,
  status: number,
) => Promise<AnyBody>;
type Control = (
  id: Parameters<TestClient['control']>[0],
  body: object,
  path?: Readonly<Record<string, string>>,
) => Promise<AnyBody>;

interface Telling {
  readonly client: TestClient;
  readonly key: string;
  readonly api: Api;
  readonly control: Control;
  readonly customerId: string;
}

function subscriptionsOf({
  api,
  control,
  customerId,
}: Telling): Pick<Story, 'subscribe' | 'settle' | 'update' | 'change' | 'subscription'> {
  const path = { customerId };
  return {
    async subscribe(codes, more = {}) {
      const products = [codes].flat().map((code) => ({ code }));
      return api('createSubscription', { path, body: { products, ...URLS, ...more } }, 201);
    },
    settle: (id, outcome = 'succeeded', more = {}) =>
      control('settlePayment', { outcome, ...more }, { id }),
    update: (subscriptionId, body, status = 204) =>
      api('updateSubscription', { path: { ...path, subscriptionId }, body }, status),
    async change(subscriptionId, productId, version) {
      const place = { ...path, subscriptionId, productId };
      await api('updateSubscriptionProduct', { path: place, body: { version } }, 204);
    },
    async subscription(id) {
      const { subscriptions } = await api('getCustomer', { path }, 200);
      return subscriptions.find((each: AnyBody) => each.id === id);
    },
  };
}

const usageOf = ({ client, key, api, customerId }: Telling): Pick<Story, 'use'> => ({
  async use(event_type, count = 1) {
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

function walletOf({
  client,
  api,
  customerId,
}: Telling): Pick<Story, 'credit' | 'balance' | 'grants' | 'revenue'> {
  const path = { customerId };
  return {
    async credit(asset, amount, more = {}) {
      const given = { transaction_id: nextUuid(), reason: 'external_topup', ...more };
      await api('adjustWallet', { path, body: { asset, amount, ...given } }, 201);
    },
    async balance(asset = 'CREDIT') {
      const { accounts } = await api('getWallet', { path }, 200);
      const account = accounts.find(({ id }: AnyBody) => id === `default:${asset}`);
      return account?.available;
    },
    async grants(asset = 'CREDIT') {
      const place = { ...path, accountId: `default:${asset}` };
      const query = { limit: 1000 };
      const { items } = await api('listGrants', { path: place, query }, 200);
      return items.reverse().map((item: AnyBody) => withRecord(client.emulator, item));
    },
    revenue: async () => (await api('getCustomerStats', { path }, 200)).gross_revenue,
  };
}

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
