import {
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  aUsageEvent,
  call,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
} from '../kit/index.ts';
import { DAY_MS, stored } from './shared/events.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { ADDRESSES, type Subscription, subscribe, to } from './shared/subscriptions.ts';
import { balance } from './shared/wallets.ts';

/** What is paid once, by its name. */
const once = (name: string) => ({
  name,
  type: 'fixed',
  billing_model: { type: 'one_time' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 20 }] }],
});

async function shown(customer: OwnObject, id: string): Promise<Subscription> {
  const { subscriptions } = await api('getCustomer', { path: { customerId: customer.id } }, 200);
  return subscriptions?.find((one) => one.id === id) as Subscription;
}

/** Pays what a subscription asks for, and waits until it is active. */
async function paid(customer: OwnObject, { id, required_actions }: Subscription): Promise<void> {
  await completePaymentPage(required_actions?.[0]?.redirect_url ?? '', 'paid');
  await eventually(
    () => shown(customer, id),
    ({ status }) => status === 'active',
  );
}

/** A new customer who subscribes to a product, with addresses to come back to. */
async function aMember(product: OwnProduct, changes: object = {}) {
  const customer = await aFreshCustomer();
  const body = { ...to(product), ...ADDRESSES, ...changes };
  const subscription = await subscribe(customer, body);
  const path = { customerId: customer.id, subscriptionId: subscription.id };
  /** Publishes another version of the product, and moves the subscription to it. */
  const move = async (version: number, content: object) => {
    const body = { ...content, publish: true } as never;
    await api('createProductVersion', { path: { productId: product.id }, body }, 201);
    const place = { ...path, productId: product.id };
    await api('updateSubscriptionProduct', { path: place, body: { version } }, 204);
  };
  return { customer, subscription, path, move };
}

describe('another version in a paid period', () => {
  // SUB-46: a version that costs what was collected gives what it adds at once, one that costs more does not
  check('SUB-46', async () => {
    const product = await aFreshProduct({ prices: [aFixedPrice(10)] });
    const { customer, subscription, move } = await aMember(product);
    await paid(customer, subscription);
    const [kept, added] = [
      { ...ENTITLEMENT, name: 'Kept', amount: 5 },
      { ...ENTITLEMENT, name: 'Added', amount: 7 },
    ];
    await move(2, { prices: [aFixedPrice(10)], entitlements: [kept] });

    expect(String(await balance(customer))).toBe('5');
    await move(3, { prices: [aFixedPrice(11)], entitlements: [kept, added] });
    expect(String(await balance(customer))).toBe('5');
    await move(4, { prices: [aFixedPrice(9)], entitlements: [kept, added] });
    expect(String(await balance(customer))).toBe('12');
  });

  // SUB-47: a free subscription that gets a version with a fee → what it adds waits for the payment
  check('SUB-47', async () => {
    const product = await aFreshProduct();
    const { customer, move } = await aMember(product);
    const prices = [aUnitPrice(product.eventType), aFixedPrice(10)];
    await move(2, { prices, entitlements: [ENTITLEMENT] });

    expect(String(await balance(customer))).toBe('0');
  });
});

describe('another version of one of several products', () => {
  // SUB-51: of two products of a subscription one gets another version → the other keeps its own
  check('SUB-51', async () => {
    const products = [await aFreshProduct(), await aFreshProduct()] as const;
    const [kept, moved] = products;
    const customer = await aFreshCustomer();
    const both = { products: products.map(({ id }) => ({ id })) };
    const { id: subscriptionId } = await subscribe(customer, both);
    const path = { customerId: customer.id, subscriptionId, productId: moved.id };
    const body = { prices: [aUnitPrice(moved.eventType, 1.5)], publish: true } as never;
    await api('createProductVersion', { path: { productId: moved.id }, body }, 201);
    await api('updateSubscriptionProduct', { path, body: { version: 2 } }, 204);
    const held = (await shown(customer, subscriptionId)).products;
    const fees = async ({ eventType }: OwnProduct) => {
      const { id } = await aUsageEvent(customer, eventType);
      return (await stored(id)).fees.map((fee) => [fee.amount, fee.product_id]);
    };

    expect(held.map(({ id, version }) => [id, version])).toEqual([
      [kept.id, 1],
      [moved.id, 2],
    ]);
    expect(await fees(kept)).toEqual([[0.25, kept.id]]);
    expect(await fees(moved)).toEqual([[1.5, moved.id]]);
  });
});

describe('what is paid once', () => {
  // SUB-48: a one-time price asks for a payment at activation, not again in another version
  check('SUB-48', async () => {
    const product = await aFreshProduct({ prices: [once('Set-up')] });
    const { customer, subscription, move } = await aMember(product);
    const links = async () => {
      const { status, required_actions } = await shown(customer, subscription.id);
      return [status, required_actions?.length ?? 0];
    };

    expect(await links()).toEqual(['action_required', 1]);
    await paid(customer, subscription);
    const usage = aUnitPrice(product.eventType);
    await move(2, { prices: [usage, once('Set-up')] });
    expect(await links()).toEqual(['active', 0]);
    const { gross_revenue } = await api(
      'getCustomerStats',
      { path: { customerId: customer.id } },
      200,
    );
    expect(gross_revenue).toBe(20);
  });
});

describe('addresses of payments', () => {
  // SUB-49: the address of a subscription that has nothing to collect can be changed alone and taken away
  check('SUB-49', async () => {
    const product = await aFreshProduct();
    const customer = await aFreshCustomer();
    const { id } = await subscribe(customer, to(product));
    const path = { customerId: customer.id, subscriptionId: id };
    const return_url = 'https://contract.invalid/again';

    await call('updateSubscription', { path, body: { return_url } }, [204]);
    await call('updateSubscription', { path, body: { return_url: null } as never }, [204]);
    expect((await shown(customer, id)).status).toBe('active');
  });
});

describe('paid ahead of its start', () => {
  // SUB-50: what is paid ahead of its start opens its accounts at once, without the credit of its start
  check('SUB-50', async () => {
    const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 0.5 }] });
    const entitlements = [{ ...ENTITLEMENT, asset: code, amount: 5 }];
    const product = await aFreshProduct({ prices: [aFixedPrice(10)], entitlements });
    const { customer, subscription } = await aMember(product, { starts_at: now(DAY_MS) });
    await paid(customer, subscription);
    const path = { customerId: customer.id };
    const { accounts } = await api('getWallet', { path }, 200);

    expect(accounts.find(({ asset }) => asset === code)?.available).toBe(0);
  });
});
