import { beforeEach, expect } from 'vitest';
import type { GivenSettings } from '../config/settings.ts';
import type { Context } from '../resources/context.ts';
import { TEST_CARD } from '../resources/customers/payment-method.ts';
import { completePayment } from '../resources/payments/payments.ts';
import type { OperationId } from '../spec/operations.ts';
import { rowsOf } from '../store/query/query.ts';
import type { SubscriptionRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import { entitlement, IMAGE_PRICE, inWorld, setWorldClock } from './catalog.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { callsFor } from './customer.ts';

/** For tests: what is new before each test of a file, and calls about it. */
export interface Buyer {
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
    await api('createAsset', { body: { code: 'CREDIT', name: 'Credits', ...fields } }, 201);
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

/** A customer, as by `openBuyer`, and calls about its automatic top-ups. */
export function openAutoTopUps() {
  const buyer = openBuyer({ rates: [{ source: 'USD', rate: 0.05 }] });
  const { credit, charge, balance } = buyer;
  return Object.assign(buyer as Omit<typeof buyer, 'charge' | 'balance'>, {
    ...{ ...termsOf(buyer), ...outcomesOf(buyer) },
    give: (amount: number, asset = 'USD', more: object = {}) =>
      credit(asset, amount, { reason: 'gift', ...more }),
    charge: (amount: number, asset = 'USD') => charge(asset, amount),
    balance: (asset = 'USD') => balance(asset),
  });
}

function termsOf(buyer: Buyer) {
  const { control } = callsFor(buyer);
  const path = (asset: string) => ({
    customerId: buyer.customerId,
    accountId: `default:${asset}`,
  });
  return {
    /** Turns on automatic top-ups. Default: 30 USD whenever fewer than 10 units are left. */
    turnOn(terms: object = {}, asset = 'USD', status = 204) {
      const body = { threshold: 10, amount: 30, currency: 'USD', ...terms };
      return control('setAutoTopUp', { path: path(asset), body }, status);
    },

    turnOff: (asset = 'USD') =>
      control('setAutoTopUp', { path: path(asset), body: { threshold: null } }, 204),

    saveMethod: (method: object = { kind: 'card' }) =>
      control('setPaymentMethod', { path: { customerId: buyer.customerId }, body: method }, 204),
  };
}

const outcomesOf = (buyer: Buyer) => ({
  /** Why the automatic top-ups of each account came to nothing. */
  async refusals(): Promise<(string | undefined)[]> {
    const path = { customerId: buyer.customerId };
    const { items } = await buyer.client.control('listAutoTopUps', { path }, 200);
    return items.map(({ refused }: { refused?: string }) => refused);
  },
  /** The statuses of the customer's top-ups, which no operation lists. */
  statuses: () =>
    inWorld(buyer.client, ({ tables }) =>
      rowsOf(tables.top_ups, { customer_id: buyer.customerId }).map(({ status }) => status),
    ),
});

export const GIFT = entitlement(5, { name: 'Gift', asset: 'USD' });

interface Studio {
  client: TestClient;
  /** A test can assign another id, such as one that does not exist. */
  productId: string;
}

/** An emulator, and calls about a product and its versions. */
export function openStudio() {
  const studio = {} as Studio;
  beforeEach(() => {
    studio.client = createTestClient();
  });

  /** Creates the product of the test with its first version. */
  async function create(body: object): Promise<void> {
    const product = { name: 'Studio', code: 'studio', prices: [IMAGE_PRICE], ...body };
    studio.productId = (await studio.client.api('createProduct', { body: product }, 201)).id;
  }

  return Object.assign(studio, { create }, versionsOf(studio));
}

function versionsOf(studio: Studio) {
  const call = (
    operation: OperationId,
    status: number,
    version?: number | string,
    body?: object,
  ) => {
    const path = { productId: studio.productId, ...(version !== undefined && { version }) };
    return studio.client.api(operation, { path, ...(body && { body }) }, status);
  };
  return {
    add: (body: object, status = 201) =>
      call('createProductVersion', status, undefined, { prices: [IMAGE_PRICE], ...body }),
    change: (version: number | string, body: object, status = 204) =>
      call('updateProductVersion', status, version, body),
    close: (version: number | string, status = 204) =>
      call('archiveProductVersion', status, version),
    show: (version: number | string, status = 200) => call('getProductVersion', status, version),

    /** The stored record of a version, which has more fields than responses. */
    recordOf: (version: number) =>
      inWorld(studio.client, ({ tables }) =>
        tables.versions.get(key(studio.productId, String(version))),
      ),

    /** Status of each version in order, and the number of the default version. */
    async standing(): Promise<unknown> {
      const product = await call('getProduct', 200);
      const statuses = product.versions.map(({ status }: { status: string }) => status).reverse();
      return [statuses.join(' '), product.default_version?.version];
    },
  };
}

export const DATA = { user_id: 'user_7', nested: { status: ['active', 1, null] } };

/** Headers or path parameters, by name. */
export type Names = Readonly<Record<string, string>>;

/** An emulator, and calls about test events. */
export function openTestDispatches() {
  const place = {} as { client: TestClient };
  beforeEach(() => {
    place.client = createTestClient();
  });
  const api: TestClient['api'] = (...call) => place.client.api(...call);
  return Object.assign(place, {
    async register(body: object = {}, headers: Names = {}): Promise<string> {
      const given = { url: 'http://127.0.0.1:9/hook', ...body };
      return (await api('createWebhook', { body: given, headers }, 201)).id;
    },
    async connect(): Promise<Names & { 'X-Service-Account': string }> {
      const { id } = await api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
      return { 'X-Service-Account': id };
    },
    disable: (webhookId: string) =>
      api('updateWebhook', { path: { webhookId }, body: { enabled: false } }, 200),
    /** Dispatches a test event and returns its id. */
    async dispatch(operation: OperationId, path: Names, headers: Names = {}): Promise<string> {
      const sent = await api(operation, { path, body: DATA, headers }, 202);
      expect(sent).toEqual({ id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) });
      return sent.id;
    },
    /** The destinations that an event matched, from an account's log. Undefined if it is not there. */
    async matched(id: string, headers: Names = {}): Promise<string[] | undefined> {
      const { items } = await api('listWebhookEvents', { headers }, 200);
      const found = items.filter((item: AnyBody) => item.id === id);
      expect(found.length).toBeLessThanOrEqual(1);
      return found[0]?.matched_destination_ids;
    },
  });
}
