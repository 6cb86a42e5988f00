import {
  Configuration,
  CustomersApi,
  EventsApi,
  type ProductCreate,
  ProductsApi,
  type UsageEventInput,
  WalletsApi,
} from './generated';

const configuration = new Configuration({
  basePath: process.env.BILLING_URL as string,
  accessToken: process.env.BILLING_KEY as string,
});

const productCreate: ProductCreate = {
  name: 'Calls',
  code: 'calls',
  publish: true,
  prices: [
    {
      name: 'Call',
      type: 'usage_based',
      billingModel: { type: 'real_time' },
      usageCalculation: { eventType: 'call', usageType: 'unit' },
      pricing: [{ asset: 'USD', values: [{ unitPrice: 0.25 }] }],
    },
  ],
};
const { code } = await new ProductsApi(configuration).createProduct({ productCreate });
const { id: customerId } = await new CustomersApi(configuration).createCustomer({
  customerCreate: { name: 'Acme', subscriptions: [{ products: [{ code, version: 1 }] }] },
});
const balance = async () => {
  const { accounts } = await new WalletsApi(configuration).getWallet({ customerId });
  return accounts.find(({ asset }) => asset === 'USD')?.available ?? 0;
};
const before = await balance();
const ids = [crypto.randomUUID(), crypto.randomUUID()];
const events: UsageEventInput[] = ids.map((id) => ({
  id,
  eventType: 'call',
  occurredAt: new Date(),
  data: { model: 'large', tokens: 1200, cached: true },
}));
const api = new EventsApi(configuration);
await api.submitEvents({ usageEventSubmission: { customerId, events } });
const event = await api.getEvent({ eventId: ids[0] as string });
const fee: number | undefined = event.fees[0]?.amount;
console.log(before, fee, event.data?.tokens, await balance());
