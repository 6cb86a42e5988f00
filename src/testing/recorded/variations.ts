import { URLS } from '../catalog.ts';
import { type Ask, uuid } from './ask.ts';

/** Sends unusual requests: repeated ids, filters, rarely used fields, and requests that are rejected. */
export async function askVariations(ask: Ask, productId: string, now: string): Promise<void> {
  const subscriptions = [{ products: [{ id: productId }] }];
  const { id } = await ask('createCustomer', {
    body: {
      ...{ name: 'Kay', external_id: 'kay', metadata: { tier: 'gold' }, subscriptions },
      external_accounts: [{ provider: 'crm', provider_id: 'crm-1' }],
    },
  });
  await ask('getCustomer', { path: { customerId: id } });
  await ask('listCustomers', { query: { name: 'Kay' } });
  await ask('listCustomers', { query: { customer_id: id } });
  await ask('listCustomers', { query: { external_id: 'nobody' } });
  await varyAssets(ask, now);
  await varyWallet(ask, id, now);
  await varyUsage(ask, id, now);
  await varyWebhooks(ask);
  const starts_at = `${now.slice(0, 8)}20T00:00:00Z`;
  const later = { products: [{ id: productId }], starts_at };
  await ask('createSubscription', { path: { customerId: id }, body: later });
  await ask('getCustomer', { path: { customerId: id } });
}

async function varyAssets(ask: Ask, now: string): Promise<void> {
  const [code, path] = ['POINT', { assetCode: 'POINT' }];
  await ask('createAsset', { body: { code, name: 'Points', label: 'points', symbol: '★' } });
  await ask('createAsset', { body: { code, name: 'Other points' } });
  await ask('listAssets');
  const day = (count: number) => `${now.slice(0, 8)}${count}T00:00:00Z`;
  const rates = [
    { rate: 2, valid_from: day(10) },
    { rate: 3, valid_from: day(20), valid_to: day(25) },
    { rate: 4 },
  ];
  for (const rate of rates) await ask('setAssetRate', { path, body: { source: 'USD', ...rate } });
  await ask('getAsset', { path });
  await ask('quoteAsset', { path, body: { source: 'USD', amount: 12 } });
}

async function varyWallet(ask: Ask, customerId: string, now: string): Promise<void> {
  const path = { customerId };
  const [account_name, asset] = ['default', 'USD'];
  const adjust = (count: number, amount: number, more: object = {}) => {
    const gift = { transaction_id: uuid(11, count), account_name, asset, amount, reason: 'gift' };
    return ask('adjustWallet', { path, body: { ...gift, ...more } });
  };
  await adjust(1, 50);
  await adjust(1, 50);
  await adjust(2, -3, { reason: 'other' });
  await adjust(3, 7, { expires_at: `${now.slice(0, 8)}18T00:00:00Z` });
  await adjust(4, 2, { effective_at: `${now.slice(0, 8)}19T00:00:00Z` });
  await adjust(5, 1, { effective_at: `${now.slice(0, 8)}11T00:00:00Z` });
  const charge = { transaction_id: uuid(12, 1), account_name, asset, amount: 4 };
  for (const _ of [1, 2]) await ask('chargeWallet', { path, body: charge });
  await ask('getWalletAccount', { path: { ...path, accountId: 'default:USD' } });
  await ask('getWalletTransaction', { path: { ...path, transactionId: uuid(12, 9) } });
  const destination = { account_name: 'bonus', asset: 'POINT' };
  const order = { customer_id: customerId, amount: 9, currency: 'USD', destination, ...URLS };
  const { id: topUpId } = await ask('createTopUp', { body: order });
  await ask('getTopUp', { path: { topUpId } });
  await ask('advanceClock', { body: { by: 'P4D' } });
  for (const exclude_expired of [true, false])
    await ask('listGrants', {
      path: { ...path, accountId: 'default:USD' },
      query: { exclude_expired },
    });
}

async function varyUsage(ask: Ask, customer_id: string, now: string): Promise<void> {
  const event = (count: number, event_type: string, subject: string, more: object = {}) => ({
    ...{ id: uuid(13, count), event_type, subject, occurred_at: now },
    ...{ data: { tokens: 250_000 * count }, ...more },
  });
  const cost = { id: uuid(14, 1), amount: 0.5, vendor_external_id: 'host', category: 'chips' };
  const first = event(1, 'llm.completion', 'job/1', { costs: [cost] });
  await ask('submitEvents', { body: { customer_id, events: [first, first] } });
  await ask('submitEvents', { body: { customer_id, events: [first, event(2, 'free', 'job/1')] } });
  for (const count of [1, 2]) await ask('getEvent', { path: { eventId: uuid(13, count) } });
  for (const query of [{ subject: 'job/1' }, { event_id: uuid(13, 2) }, { customer_id }])
    await ask('listEvents', { query });
  await ask('getTask', { path: { taskId: `${customer_id}:job/1` } });
  const day = now.slice(0, 10);
  await ask('listTasks', { query: { sort: 'created_at', created_from: day, created_to: day } });
  await ask('createVendor', { body: { name: 'Again', external_id: 'host' } });
  const { items } = await ask('listVendors');
  for (const { id } of items) await ask('getVendorStats', { path: { vendorId: id } });
}

async function varyWebhooks(ask: Ask): Promise<void> {
  await ask('listWebhookEvents', { query: { status: 'Failed' } });
  await ask('listWebhookEvents', { query: { next: 'nothing' } });
  const path = { webhookId: 'dst_nobody', topic: 'subscription.activated' };
  await ask('testWebhook', { path, body: {} });
}
