import type { AnyOperationId } from '../spec/operations.ts';
import { fixedPrice, URLS } from './catalog.ts';
import type { AnyBody, TestCallParts } from './client.ts';
import { usagePrice } from './usage.ts';

/** Calls an operation of either interface and returns its body. */
type Call = (
  operation: AnyOperationId,
  parts: Pick<TestCallParts, 'path' | 'query' | 'body'>,
) => Promise<AnyBody>;

const BY_TIERS = usagePrice({
  ...{ name: 'Tiers', event_type: 'tiered', pricing_model: 'tiered' },
  tiering: { basis: 'unit', period: 'monthly' },
});

/**
 * For tests: adds a row to every table of a world by the requests that do so. Deliveries go to the inbox of the
 * emulator at the address.
 */
export async function touchEveryTable(call: Call, url: string, name: string): Promise<void> {
  await call('createConnectedAccount', { body: { name: 'Subsidiary' } });
  await call('createAsset', { body: { code: 'TOUCHED', name: 'Touched' } });
  await call('createVendor', { body: { name: 'Host', external_id: 'host' } });
  const destination = { url: `${url}/_emulator/inbox/${name}`, topics: ['*'] };
  const { id: webhookId } = await call('createWebhook', { body: destination });
  await call('rotateSecret', { body: { destination_id: webhookId } });
  const customerId = await subscribe(call, name);
  await giveAndUse(call, customerId);
  await call('setPaymentMethod', { path: { customerId }, body: { kind: 'card' } });
  const terms = {
    path: { customerId, accountId: 'default:USD' },
    body: { threshold: 0, amount: 5 },
  };
  await call('setAutoTopUp', terms);
  const topUp = { customer_id: customerId, amount: 5, currency: 'USD', ...URLS };
  await call('createTopUp', { body: topUp });
  const portal = await call('createPortalSession', { body: { customer_id: customerId, ...URLS } });
  await fetch(new URL(new URL(portal.redirect_url).pathname, url));
  await call('flushDeliveries', { body: {} });
  await call('pauseDeliveries', { body: { destination_id: webhookId } });
}

/** A customer whose subscription was paid for. */
async function subscribe(call: Call, name: string): Promise<string> {
  const content = { prices: [fixedPrice(20), BY_TIERS] };
  await call('createProduct', { body: { name, code: name, publish: true, ...content } });
  const subscriptions = [{ products: [{ code: name }], ...URLS }];
  const made = await call('createCustomer', { body: { name, subscriptions } });
  const { id } = made.subscriptions[0];
  await call('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
  return made.id;
}

async function giveAndUse(call: Call, customerId: string): Promise<void> {
  const credit = { asset: 'USD', amount: 60, reason: 'gift' };
  const path = { customerId };
  await call('adjustWallet', { path, body: { transaction_id: ownUuid(1), ...credit } });
  const { now } = await call('getClock', {});
  const cost = { id: ownUuid(2), vendor_external_id: 'host', amount: 0.25 };
  const kinds = ['tiered', 'unknown'].map((event_type, place) => ({
    id: ownUuid(3 + place),
    event_type,
    occurred_at: now,
    subject: 'chat',
  }));
  const events = [{ ...kinds[0], costs: [cost] }, kinds[1]];
  await call('submitEvents', { body: { customer_id: customerId, events } });
}

const ownUuid = (place: number): string => `70700000-0000-4000-8000-00000000000${place}`;
