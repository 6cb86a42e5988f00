import {
  createCustomer,
  createProduct,
  getEvent,
  getWallet,
  type ProductCreate,
  submitEvents,
  type UsageEventInput,
} from './generated';

const options = { headers: { Authorization: `Bearer ${process.env.BILLING_KEY}` } };

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
const made = await createProduct(product, options);
if (made.status !== 201) throw new Error(String(made.status));
const customer = await createCustomer(
  { name: 'Acme', subscriptions: [{ products: [{ code: made.data.code, version: 1 }] }] },
  options,
);
if (customer.status !== 201) throw new Error(String(customer.status));
const { id } = customer.data;
const balance = async () => {
  const wallet = await getWallet(id, options);
  if (wallet.status !== 200) throw new Error(String(wallet.status));
  return wallet.data.accounts.find(({ asset }) => asset === 'USD')?.available ?? 0;
};
const before = await balance();
const ids = [crypto.randomUUID(), crypto.randomUUID()];
const events: UsageEventInput[] = ids.map((each) => ({
  id: each,
  event_type: 'call',
  occurred_at: new Date().toISOString(),
  data: { model: 'large', tokens: 1200, cached: true },
}));
await submitEvents({ customer_id: id, events }, options);
const event = await getEvent(ids[0] as string, options);
if (event.status !== 200) throw new Error(String(event.status));
const fee: number | undefined = event.data.fees[0]?.amount;
console.log(before, fee, event.data.data?.tokens, await balance());
