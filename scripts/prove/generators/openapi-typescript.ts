import createClient from 'openapi-fetch';
import type { components, paths } from './generated';

const { GET, POST } = createClient<paths>({
  baseUrl: process.env.BILLING_URL as string,
  headers: { Authorization: `Bearer ${process.env.BILLING_KEY}` },
});

const product: components['schemas']['ProductCreate'] = {
  name: 'Calls',
  code: 'calls',
  publish: true,
  prices: [
    {
      name: 'Call',
      type: 'usage_based',
      billing_model: { type: 'real_time' },
      usage_calculation: { event_type: 'call', usage_type: 'unit' },
      pricing: [{ asset: 'USD', values: [{ unit_price: 0.25 }] }],
    },
  ],
};
const made = await POST('/products', { body: product });
const customer = await POST('/customers', {
  body: { name: 'Acme', subscriptions: [{ products: [{ code: made.data?.code, version: 1 }] }] },
});
const customerId = customer.data?.id as string;
const balance = async () => {
  const wallet = await GET('/customers/{customerId}/wallet', { params: { path: { customerId } } });
  return wallet.data?.accounts.find(({ asset }) => asset === 'USD')?.available ?? 0;
};
const before = await balance();
const ids = [crypto.randomUUID(), crypto.randomUUID()];
const events: components['schemas']['UsageEventInput'][] = ids.map((id) => ({
  id,
  event_type: 'call',
  occurred_at: new Date().toISOString(),
  data: { model: 'large', tokens: 1200, cached: true },
}));
await POST('/events', { body: { customer_id: customerId, events } });
const event = await GET('/events/{eventId}', { params: { path: { eventId: ids[0] as string } } });
const fee: number | undefined = event.data?.fees[0]?.amount;
console.log(before, fee, event.data?.data?.tokens, await balance());
