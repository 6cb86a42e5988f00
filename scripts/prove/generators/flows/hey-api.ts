import {
  createCustomer,
  createProduct,
  getEvent,
  getWallet,
  type ProductCreate,
  submitEvents,
  type UsageEventInput,
} from './generated';
import { client } from './generated/client.gen';

client.setConfig({ baseUrl: process.env.BILLING_URL, auth: () => process.env.BILLING_KEY });

const product: ProductCreate = {
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
const made = await createProduct({ body: product, throwOnError: true });
const customer = await createCustomer({
  body: { name: 'Acme', subscriptions: [{ products: [{ code: made.data.code, version: 1 }] }] },
  throwOnError: true,
});
const customerId = customer.data.id;
const balance = async () => {
  const { data } = await getWallet({ path: { customerId }, throwOnError: true });
  return data.accounts.find(({ asset }) => asset === 'USD')?.available ?? 0;
};
const before = await balance();
const ids = [crypto.randomUUID(), crypto.randomUUID()];
const events: UsageEventInput[] = ids.map((id) => ({
  id,
  event_type: 'call',
  occurred_at: new Date().toISOString(),
  data: { model: 'large', tokens: 1200, cached: true },
}));
await submitEvents({ body: { customer_id: customerId, events }, throwOnError: true });
const event = await getEvent({ path: { eventId: ids[0] as string }, throwOnError: true });
const fee: number | undefined = event.data.fees[0]?.amount;
console.log(before, fee, event.data.data?.tokens, await balance());
