import {
  ADDRESSES,
  allOperations,
  aUnitPrice,
  blackHole,
  building,
  call,
  type LooseParts,
  type OperationId,
  operationOf,
  unique,
  uniqueAssetCode,
  uniqueSubject,
  unknownId,
  usageEvent,
  uuid,
} from '../../kit/index.ts';
import { ENTITLEMENT } from './products.ts';
import { TOPIC } from './webhooks.ts';

/** The sender of requests: the run's own account, another key, or a connected account. */
export type Caller = Pick<LooseParts, 'key' | 'actingFor'>;

/** One record of each kind that a caller can own. */
export type OneOfEach = Awaited<ReturnType<typeof makeOneOfEach>>;

/** Makes one record of each kind for a caller. */
export const oneOfEach = (caller: Caller): Promise<OneOfEach> =>
  building('one of each kind', () => makeOneOfEach(caller));

async function makeOneOfEach(caller: Caller) {
  const make = async (operation: OperationId, parts: LooseParts, status = 201) =>
    (await call(operation, { ...parts, ...caller }, [status])).body;
  const [external_id, code, assetCode] = [unique('owned'), unique('owned'), uniqueAssetCode()];
  const [subject, eventType] = [uniqueSubject(), `contract.${code}`];
  const named = { name: external_id, external_id };
  const email = `${external_id}@example.com`;
  const { id: vendorId } = await make('createVendor', { body: named });
  await make('createAsset', { body: { code: assetCode, name: 'Contract owned' } });
  const prices = [aUnitPrice(eventType)];
  const sold = { name: 'Contract owned', code, publish: true, prices };
  const { id: productId } = await make('createProduct', { body: sold });
  const { id: customerId } = await make('createCustomer', { body: { ...named, email } });
  const path = { customerId };
  const products = [{ id: productId }];
  const { id: subscriptionId } = await make('createSubscription', { path, body: { products } });
  const costs = [{ id: uuid(), amount: 0.5, vendor_id: vendorId }];
  const event = usageEvent(eventType, { subject, costs });
  await make('submitEvents', { body: { customer_id: customerId, events: [event] } }, 204);
  const transaction_id = uuid();
  const adjusted = { transaction_id, asset: 'USD', amount: 10, reason: 'external_topup' };
  await make('adjustWallet', { path, body: adjusted });
  const { id: webhookId } = await make('createWebhook', { body: { url: blackHole() } });
  const ids: Readonly<Record<string, string>> = {
    customerId,
    subscriptionId,
    productId,
    vendorId,
    assetCode,
    webhookId,
    version: '1',
    transactionId: transaction_id,
    eventId: event.id,
    taskId: `${customerId}:${subject}`,
    accountId: 'default:USD',
    topic: TOPIC,
  };
  return { caller, external_id, email, code, eventType, webhookId: String(webhookId), ids };
}

/** Another caller, with a product and a customer. */
export type Stranger = Pick<OneOfEach, 'caller' | 'eventType' | 'ids'>;

/** Makes a product and a customer of a caller. */
export const aStranger = (caller: Caller): Promise<Stranger> =>
  building('a stranger', async () => {
    const make = async (operation: OperationId, body: object): Promise<string> =>
      (await call(operation, { body, ...caller }, [201])).body.id;
    const code = unique('stranger');
    const eventType = `contract.${code}`;
    const sold = {
      name: 'Contract stranger',
      code,
      publish: true,
      prices: [aUnitPrice(eventType)],
    };
    const productId = await make('createProduct', sold);
    const customerId = await make('createCustomer', { name: 'Contract stranger' });
    return { caller, eventType, ids: { productId, customerId, version: '1' } };
  });

/** A valid body for each operation that writes below an id, made from objects of another caller. */
export const WRITES: Readonly<Partial<Record<OperationId, (stranger: Stranger) => object>>> = {
  updateCustomer: () => ({ name: 'Contract taken' }),
  createSubscription: ({ ids }) => ({ products: [{ id: ids['productId'] }] }),
  updateSubscription: () => ({ status: 'inactive' }),
  updateSubscriptionProduct: () => ({ version: 1 }),
  adjustWallet: () => ({ transaction_id: uuid(), asset: 'USD', amount: 7, reason: 'gift' }),
  chargeWallet: () => ({ transaction_id: uuid(), asset: 'USD', amount: 7 }),
  setAssetRate: () => ({ source: 'USD', rate: 7 }),
  quoteAsset: () => ({ source: 'USD', amount: 7 }),
  createProductVersion: () => ({ prices: [aUnitPrice('contract.taken')] }),
  updateProductVersion: () => ({ make_default: true }),
  simulateUsage: ({ eventType }) => ({ events: [usageEvent(eventType)] }),
  updateWebhook: () => ({ enabled: false }),
  testWebhook: () => ({ status: 'taken' }),
  deleteProduct: () => ({}),
  archiveProductVersion: () => ({}),
  deleteWebhook: () => ({}),
};

/** What the writes could change. */
const WRITTEN = [
  ...(['getCustomer', 'getWallet', 'getAsset', 'getProductVersion', 'getWebhook'] as const),
];

/** All objects of an owner that the writes could change, as text, as the owner reads them. */
export const seen = ({ ids, caller }: OneOfEach): Promise<string[]> =>
  Promise.all(
    WRITTEN.map(async (read) => (await call(read, { path: ids, ...caller }, [200])).text),
  );

/** Requests of another caller that refer to an owner's objects in the body. */
export function references(owner: OneOfEach, stranger: Stranger): [OperationId, LooseParts][] {
  const { ids: his, external_id, code } = owner;
  const own = stranger.ids as Readonly<Record<string, string>>;
  const path = own;
  const products = (reference: object) => ({ products: [reference] });
  const event = (changes: object = {}) => usageEvent(stranger.eventType, changes);
  const cost = (vendor: object) => [{ id: uuid(), amount: 1, ...vendor }];
  const events = (costs: object) => ({
    customer_id: own['customerId'],
    events: [event({ costs })],
  });
  const moved = { transaction_id: uuid(), asset: his['assetCode'], amount: 1 };
  const sold = { name: 'Contract', code: unique('refused') };
  const price = aUnitPrice('contract.refused');
  const entitlements = [{ ...ENTITLEMENT, asset: his['assetCode'] }];
  const pricing = [{ asset: his['assetCode'], values: [{ unit_price: 1 }] }];
  const bodies: [OperationId, object][] = [
    ['submitEvents', { customer_id: his['customerId'], events: [event()] }],
    ['submitEvents', { customer_external_id: external_id, events: [event()] }],
    ['submitEvents', events(cost({ vendor_id: his['vendorId'] }))],
    ['submitEvents', events(cost({ vendor_external_id: external_id }))],
    ['createSubscription', products({ id: his['productId'] })],
    ['createSubscription', products({ code })],
    ['createCustomer', { name: 'Contract', subscriptions: [products({ id: his['productId'] })] }],
    ['adjustWallet', { ...moved, reason: 'gift' }],
    ['chargeWallet', moved],
    ['simulateUsage', { customer_id: his['customerId'], events: [event()] }],
    ['createProduct', { ...sold, prices: [{ ...price, pricing }] }],
    ['createProduct', { ...sold, prices: [price], entitlements }],
    ['createPortalSession', { customer_id: his['customerId'], ...ADDRESSES }],
    ['createTopUp', { customer_id: his['customerId'], amount: 1, currency: 'USD', ...ADDRESSES }],
  ];
  return bodies.map(([operation, body]) => [operation, { path, body, ...stranger.caller }]);
}

export const operations = allOperations();

export const writes = operations.filter(({ method }) => method !== 'GET');

export const idOf = ({ id }: { readonly id: string }) => id as OperationId;

/** Path parameters of an operation, all with unknown ids. */
export function nowhere(operation: OperationId): Record<string, string> {
  const names = [...operationOf(operation).path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name) => [name as string, unknownId('none')]));
}
