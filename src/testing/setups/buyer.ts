import { beforeEach } from 'vitest';
import type { GivenSettings } from '../../config/settings.ts';
import type { Context } from '../../resources/context.ts';
import { TEST_CARD } from '../../resources/customers/payment-method.ts';
import { completePayment } from '../../resources/payments/payments.ts';
import type { SubscriptionRow } from '../../store/records.ts';
import { inWorld, setWorldClock } from '../catalog.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { callsFor } from '../customer.ts';

interface Buyer {
  client: TestClient;
  /** A test can assign another id, such as one that does not exist. */
  customerId: string;
}

/** For tests: before each, an emulator with CREDIT and a customer, and calls about the customer's subscriptions. */
export function openBuyer() {
  const buyer = {} as Buyer;
  const calls = callsFor(buyer);
  const { api, product, subscribe, subscriptions } = calls;
  async function open(settings: GivenSettings = {}): Promise<void> {
    buyer.client = createTestClient({ public_url: 'https://billing.example.com', ...settings });
    buyer.customerId = (await api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
    await api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
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
