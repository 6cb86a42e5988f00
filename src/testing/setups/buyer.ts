import { beforeEach } from 'vitest';
import type { GivenSettings } from '../../config/settings.ts';
import type { Context } from '../../resources/context.ts';
import { activatePaid } from '../../resources/subscriptions/subscription-payment.ts';
import type { PaymentMethod, SubscriptionRow } from '../../state/records.ts';
import { aCatalogProduct, inWorld, setWorldClock } from '../catalog.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { walletOf } from '../usage.ts';

export const CARD: PaymentMethod = { kind: 'card', last4: '4242', declines_later: false };

interface Buyer {
  client: TestClient;
  /** May be put to another customer, such as one that is not there. */
  customerId: string;
}

/** For tests: before each, an emulator with CREDIT and a customer, and what concerns the customer's subscriptions. */
export function openBuyer() {
  const buyer = {} as Buyer;
  const api: TestClient['api'] = (...call) => buyer.client.api(...call);
  const control: TestClient['control'] = (...call) => buyer.client.control(...call);
  async function open(settings: GivenSettings = {}): Promise<void> {
    buyer.client = createTestClient({ public_url: 'https://billing.example.com', ...settings });
    buyer.customerId = (await api('createCustomer', { body: { name: 'Acme' } }, 201)).id;
    await api('createAsset', { body: { code: 'CREDIT', name: 'Credits' } }, 201);
  }
  beforeEach(() => open());
  const setClock = (at: string) => setWorldClock(buyer.client, at);
  return Object.assign(buyer, { open, api, control, setClock }, doneBy(buyer), shownOf(buyer));
}

function doneBy(buyer: Buyer) {
  const path = () => ({ customerId: buyer.customerId });
  const product = (code: string, content: object) => aCatalogProduct(buyer.client, code, content);
  const subscribe = (body: object, status = 201) =>
    buyer.client.api('createSubscription', { path: path(), body }, status);
  /** Does to a subscription what a payment or a due item does. */
  const act = (id: string, work: (context: Context, subscription: SubscriptionRow) => void) =>
    inWorld(buyer.client, (context) => {
      work(context, context.tables.subscriptions.get(id) as SubscriptionRow);
    });
  return {
    product,
    subscribe,
    async subscribeToPlan(content: object, body: object = {}) {
      const productId = await product('plan', content);
      const { id } = await subscribe({ products: [{ code: 'plan' }], ...body });
      return { productId, subscriptionId: id as string };
    },
    update: (subscriptionId: string, body: object, status = 204) =>
      buyer.client.api('updateSubscription', { path: { ...path(), subscriptionId }, body }, status),
    act,
    pay: (id: string, method = CARD) =>
      act(id, (context, subscription) => activatePaid(context, subscription, method)),
  };
}

function shownOf(buyer: Buyer) {
  const wallet = () => walletOf(buyer.client, buyer.customerId);
  const subscriptions = async () => {
    const path = { customerId: buyer.customerId };
    return (await buyer.client.api('getCustomer', { path }, 200)).subscriptions;
  };
  return {
    wallet,
    granted: (asset?: string) => wallet().grants(asset),
    subscriptions,
    show: async (place = 0) => (await subscriptions())[place],
    activations: async () => (await buyer.client.api('listWebhookEvents', {}, 200)).items.length,
  };
}
