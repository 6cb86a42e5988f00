import type { World } from '../store/world.ts';
import { aCatalogProduct, anEvent, freezeAt, nextUuid, URLS } from './catalog.ts';
import { type AnyBody, TEST_KEY, type TestCallParts, type TestClient } from './client.ts';

/** A customer of a world. Default: the default world. A test can assign another id. */
interface TestedCustomer {
  readonly client: TestClient;
  readonly customerId: string;
  readonly key?: string;
}

/** Calls in the world of a customer, and path parameters that begin with the customer's. */
function callsOf(customer: TestedCustomer) {
  const withKey = (parts: TestCallParts): TestCallParts =>
    customer.key === undefined ? parts : { key: customer.key, ...parts };
  const api: TestClient['api'] = (id, parts = {}, status) =>
    customer.client.api(id, withKey(parts), status);
  const path = (below: Readonly<Record<string, string>> = {}) => ({
    customerId: customer.customerId,
    ...below,
  });
  return { customer, withKey, api, path };
}

type Calls = ReturnType<typeof callsOf>;

/** For tests: actions on a customer through the interfaces, and what they show. */
export function callsFor(customer: TestedCustomer) {
  const calls = callsOf(customer);
  const { api, withKey } = calls;
  return {
    api,
    /** Sets the clock to an instant without running due jobs. */
    setClock: (now: string) => freezeAt({ api }, now),
    /** Advances to an instant, by a duration, or to the `next` due job. Returns what happened. */
    advance: (howFar: string) => api('advanceClock', { body: goalOf(howFar) }),
    world: () => customer.client.emulator.worlds.find(customer.key ?? TEST_KEY) as World,
    /** Creates a product with its first version. Returns its id. */
    product: (code: string, content: object) =>
      aCatalogProduct(customer.client, code, content, withKey({})),
    /** Publishes another version of a product. */
    version: (productId: string, content: object) => {
      const body = { publish: true, ...content };
      return api('createProductVersion', { path: { productId }, body }, 201);
    },
    ...moneyOf(calls),
    ...subscriptionsOf(calls),
    ...usageOf(calls),
  };
}

/** Wallet operations by asset. */
function moneyOf({ api, path }: Calls) {
  const move = (operation: 'adjustWallet' | 'chargeWallet', terms: object) =>
    api(operation, { path: path(), body: { transaction_id: nextUuid(), ...terms } }, 201);
  const balances = async (): Promise<Record<string, number>> => {
    const { accounts } = await api('getWallet', { path: path() });
    return Object.fromEntries(accounts.map(({ id, available }: AnyBody) => [id, available]));
  };
  return {
    credit: (asset: string, amount: number, more: object = {}) =>
      move('adjustWallet', { asset, amount, reason: 'external_topup', ...more }),
    charge: (asset: string, amount: number) => move('chargeWallet', { asset, amount }),
    balances,
    balance: async (asset = 'CREDIT') => (await balances())[`default:${asset}`] as number,
    /** The grants in an account, newest first. */
    grants: async (asset = 'CREDIT'): Promise<AnyBody[]> =>
      (await api('listGrants', { path: path({ accountId: `default:${asset}` }) })).items,
    /** Fixed fees, fees and charges of all time, in the reporting currency. */
    revenue: async (): Promise<number> =>
      (await api('getCustomerStats', { path: path() })).gross_revenue,
  };
}

function subscriptionsOf({ api, path }: Calls) {
  const subscribe = (body: object, status = 201): Promise<AnyBody> =>
    api('createSubscription', { path: path(), body }, status);
  const subscriptions = async (): Promise<AnyBody[]> =>
    (await api('getCustomer', { path: path() })).subscriptions;
  return {
    subscribe,
    subscribeTo: (codes: string | readonly string[], more: object = {}) =>
      subscribe({ products: [codes].flat().map((code) => ({ code })), ...URLS, ...more }),
    settle: (id: string, outcome = 'succeeded', more: object = {}) =>
      api('settlePayment', { path: { id }, body: { outcome, ...more } }),
    update: (subscriptionId: string, body: object, status = 204) =>
      api('updateSubscription', { path: path({ subscriptionId }), body }, status),
    change: (subscriptionId: string, productId: string, version: number, status = 204) =>
      api(
        'updateSubscriptionProduct',
        { path: path({ subscriptionId, productId }), body: { version } },
        status,
      ),
    subscriptions,
    subscription: async (id: string): Promise<AnyBody> =>
      (await subscriptions()).find((each) => each.id === id),
    /** How often `subscription.activated` has fired. */
    activations: async (): Promise<number> =>
      (await api('listWebhookEvents', { query: { limit: 1000 } })).items.length,
  };
}

function usageOf({ customer, api }: Calls) {
  const submit = (...events: readonly AnyBody[]) =>
    api('submitEvents', { body: { customer_id: customer.customerId, events } }, 204);
  const event = (eventId: string) => api('getEvent', { path: { eventId } });
  const explain = (id: string) => api('explain', { path: { id } });
  return {
    submit,
    event,
    explain,
    /** Submits one event and returns its explanation. */
    async explained(given: object = {}): Promise<AnyBody> {
      const sent = anEvent(given);
      await submit(sent);
      return explain(sent.id);
    },
    /** Reads the explanation of an event or a fee as plain text. */
    async explanation(id: string): Promise<string> {
      const { text } = await customer.client.http
        .get(`/_emulator/explain/${id}`)
        .set({ Authorization: `Bearer ${customer.key ?? TEST_KEY}`, Accept: 'text/plain' })
        .expect(200)
        .expect('Content-Type', 'text/plain; charset=utf-8');
      return text;
    },
    /** Creates a vendor. Returns its id. */
    async vendor(more: object = {}): Promise<string> {
      return (await api('createVendor', { body: { name: 'Host', ...more } }, 201)).id;
    },
    /** Sends usage events of a type with the current time. Returns their fees. */
    async use(event_type: string, count = 1): Promise<AnyBody[]> {
      const { now: occurred_at } = await api('getClock');
      const sent = Array.from({ length: count }, () => anEvent({ event_type, occurred_at }));
      await submit(...sent);
      return (await Promise.all(sent.map(({ id }) => event(id)))).flatMap(({ fees }) => fees);
    },
  };
}

function goalOf(howFar: string): object {
  if (howFar === 'next') return { until: 'next' };
  return /^\d{4}-/.test(howFar) ? { to: howFar } : { by: howFar };
}
