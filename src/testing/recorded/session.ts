import { URLS } from '../catalog.ts';
import { type Ask, uuid } from './ask.ts';
import { defineAssets, defineCatalogue, SEAT, type SoldProducts } from './catalogue.ts';
import { askVariations } from './variations.ts';

const NAMES = ['Ada', 'Brook', 'Chidi', 'Dara', 'Emre', 'Femi', 'Grete', 'Hana', 'Ines', 'Jonas'];

/** Sends more than 200 requests over every resource, with clock changes, payments and faults in between. */
export async function askEverything(ask: Ask, now: string): Promise<void> {
  await ask('getAccountContext');
  const shop = await openAccounts(ask);
  await defineAssets(ask, now);
  const catalogue = await defineCatalogue(ask, now);
  const hook = await registerWebhooks(ask, shop.id);
  const customers = await admitCustomers(ask, catalogue.plan);
  await reportUsage(ask, customers, now);
  await moveMoney(ask, customers, now);
  await askVariations(ask, catalogue.plan.id, now);
  await ask('advanceClock', { body: { by: 'P1M' } });
  await lookAround(ask, customers);
  await changeSubscriptions(ask, customers, catalogue);
  await matchFault(ask, customers);
  await ask('setClock', { body: { mode: 'frozen', now: '2026-03-01T00:00:00Z' } });
  await actForAccount(ask, shop.id, now);
  await endThings(ask, hook.id, catalogue);
}

async function openAccounts(ask: Ask) {
  const shop = await ask('createConnectedAccount', {
    body: { name: 'Shop', external_id: 'shop', metadata: { tier: '$1' } },
  });
  await ask('createConnectedAccount', { body: { name: 'Other' } });
  await ask('createConnectedAccount', { body: { name: 'Again', external_id: 'shop' } });
  await ask('listConnectedAccounts', { query: { limit: 1 } });
  await ask('listConnectedAccounts', { query: { external_id: 'shop' } });
  await ask('getConnectedAccount', { path: { accountId: shop.id } });
  await ask('getConnectedAccount', { path: { accountId: 'nobody' } });
  return shop;
}

async function registerWebhooks(ask: Ask, account: string) {
  const url = 'http://127.0.0.1:24100/_emulator/inbox/shop';
  const hook = await ask('createWebhook', { body: { url, topics: ['*'] } });
  await ask('createWebhook', { body: { url, connect: true } });
  await ask('createWebhook', { body: { url: 'ftp://nowhere.example' } });
  await ask('listWebhooks', { query: { enabled: true } });
  await ask('getWebhook', { path: { webhookId: hook.id } });
  const path = { webhookId: hook.id, topic: 'subscription.activated' };
  const body = { user: 'u1', status: 'new' };
  await ask('testWebhooks', { path: { topic: path.topic }, body });
  await ask('testWebhook', { path, body });
  await ask('testConnectedWebhooks', {
    path: { topic: path.topic, connectedAccountId: account },
    body,
  });
  await ask('testConnectedWebhook', { path: { ...path, connectedAccountId: account }, body });
  await ask('updateWebhook', { path: { webhookId: hook.id }, body: { topics: [path.topic] } });
  await ask('listWebhookEvents', { query: { limit: 2, destination_id: hook.id } });
  return hook;
}

interface Customer {
  readonly id: string;
  readonly name: string;
}

async function admitCustomers(ask: Ask, plan: { id: string }): Promise<readonly Customer[]> {
  const customers: Customer[] = [];
  for (const name of NAMES) {
    const subscriptions = [{ products: [{ id: plan.id, version: customers.length > 4 ? 2 : 1 }] }];
    const external_id = name.toLowerCase();
    const body = { name, external_id, email: `${external_id}@shop.example`, subscriptions };
    const { id } = await ask('createCustomer', { body });
    await ask('getCustomer', { path: { customerId: id } });
    customers.push({ id, name });
  }
  await ask('createCustomer', { body: { name: 'Again', external_id: 'ada' } });
  await ask('listCustomers', { query: { limit: 3, offset: 2 } });
  await ask('listCustomers', { query: { external_id: 'ada' } });
  await ask('listCustomers', { query: { email: 'brook@shop.example' } });
  await ask('listCustomers', { query: { status: 'inactive' } });
  const [ada] = customers as [Customer];
  await ask('updateCustomer', {
    path: { customerId: ada.id },
    body: {
      metadata: { note: `seen as ${ada.id}`, price: '$n', due: '2026-02-02T10:00:00+02:00' },
    },
  });
  await ask('getCustomer', { path: { customerId: ada.id } });
  await ask('listSubscribers', { path: { productId: plan.id } });
  return customers;
}

async function reportUsage(ask: Ask, customers: readonly Customer[], now: string): Promise<void> {
  const vendor = await ask('createVendor', { body: { name: 'Model host', external_id: 'host' } });
  await ask('createVendor', { body: { name: 'Other' } });
  for (const [place, { id, name }] of customers.entries()) {
    const cost = { id: uuid(2, place), amount: (place + 1) / 256, vendor_id: vendor.id };
    const event = {
      ...{ id: uuid(1, place), event_type: 'llm.completion', occurred_at: now },
      ...{ subject: `chat-${place % 3}`, data: { tokens: 1_234 * (place + 1) }, costs: [cost] },
    };
    const call = {
      id: uuid(3, place),
      event_type: 'call',
      occurred_at: now,
      data: { tokens: 133 },
    };
    const whose =
      place % 2 === 0 ? { customer_id: id } : { customer_external_id: name.toLowerCase() };
    await ask('submitEvents', { body: { ...whose, events: [event, call] } });
    await ask('getEvent', { path: { eventId: event.id } });
    await ask('getWallet', { path: { customerId: id } });
  }
  await ask('submitEvents', { body: { customer_id: 'nobody', events: [] } });
  await ask('getEvent', { path: { eventId: uuid(7, 7) } });
  await ask('listVendors', { query: { external_id: 'host' } });
  await ask('listVendors');
  await ask('getVendor', { path: { vendorId: vendor.id } });
  const period = { period_from: now.slice(0, 10), period_to: now.slice(0, 10) };
  await ask('getVendorStats', { path: { vendorId: vendor.id }, query: period });
  await ask('listEvents', { query: { ...period, limit: 4, has_fees: true } });
  await ask('listEvents', { query: { event_types: 'call,none', limit: 2 } });
}

async function moveMoney(ask: Ask, customers: readonly Customer[], now: string): Promise<void> {
  for (const [place, { id }] of customers.entries()) {
    const path = { customerId: id };
    const gift = {
      ...{ transaction_id: uuid(4, place), account_name: 'default', asset: 'USD' },
      ...{ amount: 10 + place / 4, reason: place % 2 ? 'gift' : 'external_topup' },
    };
    await ask('adjustWallet', { path, body: gift });
    const charge = { transaction_id: uuid(5, place), account_name: 'default', asset: 'USD' };
    await ask('chargeWallet', { path, body: { ...charge, amount: 0.123456 } });
    await ask('getWalletAccount', { path: { ...path, accountId: 'default:USD' } });
    await ask('getWalletTransaction', { path: { ...path, transactionId: uuid(5, place) } });
    await ask('listGrants', { path: { ...path, accountId: 'default:USD' } });
  }
  const [ada, brook, chidi] = customers as readonly [Customer, Customer, Customer];
  const order = { amount: 20, currency: 'USD', ...URLS };
  const paid = await ask('createTopUp', { body: { customer_id: ada.id, ...order } });
  const left = await ask('createTopUp', { body: { customer_id: brook.id, ...order } });
  await ask('createTopUp', { body: { customer_id: chidi.id, ...order, amount: -1 } });
  await ask('settlePayment', { path: { id: paid.id }, body: { outcome: 'succeeded' } });
  const reason = 'insufficient_funds';
  await ask('settlePayment', { path: { id: left.id }, body: { outcome: 'failed', reason } });
  await ask('getTopUp', { path: { topUpId: paid.id } });
  await ask('getTopUp', { path: { topUpId: left.id } });
  await ask('createPortalSession', { body: { customer_id: ada.id, ...URLS } });
  const later = { transaction_id: uuid(6, 1), account_name: 'default', asset: 'CREDIT', amount: 5 };
  await ask('adjustWallet', {
    path: { customerId: ada.id },
    body: { ...later, reason: 'gift', effective_at: `${now.slice(0, 8)}20T00:00:00Z` },
  });
}

async function lookAround(ask: Ask, customers: readonly Customer[]): Promise<void> {
  for (const { id } of customers) {
    await ask('getCustomerStats', { path: { customerId: id } });
    await ask('getTask', { path: { taskId: `${id}:chat-0` } });
  }
  await ask('listCustomerStats', { query: { limit: 3 } });
  await ask('listTasks', { query: { limit: 5 } });
  await ask('listTasks', { query: { customer_external_id: 'brook', sort: 'created_at' } });
  const first = await ask('listWebhookEvents', { query: { limit: 3 } });
  await ask('listWebhookEvents', { query: { limit: 3, next: first.pagination.next } });
}

async function changeSubscriptions(
  ask: Ask,
  customers: readonly Customer[],
  { plan, paid }: SoldProducts,
): Promise<void> {
  const [ada, brook] = customers as readonly [Customer, Customer];
  const path = { customerId: ada.id };
  const products = [{ code: 'studio' }];
  await ask('createSubscription', { path, body: { products } });
  const studio = await ask('createSubscription', { path, body: { products, ...URLS } });
  const payment_method = { kind: 'card', last4: '4242' };
  const body = { outcome: 'succeeded', payment_method };
  await ask('settlePayment', { path: { id: studio.id }, body });
  await ask('getCustomer', { path });
  await ask('listGrants', { path: { ...path, accountId: 'default:CREDIT' } });
  await ask('setPaymentMethod', { path: { customerId: brook.id }, body: payment_method });
  const { subscriptions } = await ask('getCustomer', { path: { customerId: brook.id } });
  const of = { customerId: brook.id, subscriptionId: subscriptions[0].id };
  await ask('updateSubscriptionProduct', {
    path: { ...of, productId: plan.id },
    body: { version: 2 },
  });
  await ask('updateSubscription', { path: of, body: { status: 'inactive' } });
  await ask('getCustomer', { path: { customerId: brook.id } });
  await ask('advanceClock', { body: { by: 'P10D' } });
  await ask('getWallet', { path });
  await ask('listSubscribers', { path: { productId: paid.id } });
}

async function matchFault(ask: Ask, customers: readonly Customer[]): Promise<void> {
  const path = { customerId: customers[2]?.id as string };
  await ask('addFault', { body: { match: { operation: 'getWallet' }, times: 1, status: 503 } });
  await ask('getWallet', { path });
  await ask('getWallet', { path });
  await ask('setFaults', { body: { rules: [] } });
  await ask('getWallet', { path, headers: { 'X-Emulator-Fault': 'status=404' } });
}

async function actForAccount(ask: Ask, account: string, now: string): Promise<void> {
  const headers = { 'X-Service-Account': account };
  const body = { name: 'Of the shop', external_id: 'theirs' };
  const { id } = await ask('createCustomer', { headers, body });
  await ask('getCustomer', { headers, path: { customerId: id } });
  await ask('getCustomer', { path: { customerId: id } });
  const event = { id: uuid(8, 1), event_type: 'call', occurred_at: now, data: { tokens: 1 } };
  await ask('submitEvents', { headers, body: { customer_id: id, events: [event] } });
  await ask('listEvents', { headers });
}

async function endThings(ask: Ask, webhookId: string, { plan }: SoldProducts): Promise<void> {
  const unused = await ask('createProduct', {
    body: { name: 'Unused', code: 'unused', prices: [SEAT] },
  });
  await ask('deleteProduct', { path: { productId: unused.id } });
  await ask('getProduct', { path: { productId: unused.id } });
  await ask('archiveProductVersion', { path: { productId: plan.id, version: 1 } });
  await ask('getProduct', { path: { productId: plan.id } });
  await ask('deleteProduct', { path: { productId: plan.id } });
  await ask('deleteWebhook', { path: { webhookId } });
  await ask('listWebhooks');
  await ask('listCustomers', { query: { limit: 100 } });
}
