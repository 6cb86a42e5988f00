import {
  ADDRESSES,
  aFreshCustomer,
  aFreshProduct,
  api,
  aSubscriber,
  aUnitPrice,
  call,
  check,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
  unique,
  unknownId,
} from '../kit/index.ts';
import { addVersion } from './shared/products.ts';
import { moveTo, type Subscription, subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

/** A published product with a second version that costs 1.5 USD per event. */
async function twoVersions(): Promise<OwnProduct> {
  const product = await aFreshProduct();
  await addVersion(product, { prices: [aUnitPrice(product.eventType, 1.5)], publish: true });
  return product;
}

const subscribersOf = async ({ id }: OwnProduct) =>
  (await api('listSubscribers', { path: { productId: id } }, 200)).items;

check(
  'PRD-09',
  { requirement: ['R-PRD-33', 'R-PRD-51'], level: 'MUST', effect: 'E3' },
  'subscribers page lists the subscribed customer',
  async () => {
    const { customer, product } = await aSubscriber();
    const path = { productId: product.id };
    const { items } = await api('listSubscribers', { path, query: { limit: 1000 } }, 200);

    expect(items).toContainEqual(expect.objectContaining({ customer_id: customer.id }));
    const past = await api('listSubscribers', { path, query: { offset: 100_000 } }, 200);
    const none = await api('listSubscribers', { path: { productId: unknownId('prp') } }, 200);
    expect(past.items).toEqual([]);
    expect(none.items).toEqual([]);
  },
);

check(
  'PRD-40',
  { requirement: ['R-PRD-33', 'R-PRD-51'], level: 'ASSUMED', effect: 'E3', assumes: 'A-504' },
  'subscribers with and without an e-mail, an external id and a renewal, on two versions, one with two subscriptions, one that ended and one that starts later → one complete item for each active one, newest first',
  async () => {
    const product = await twoVersions();
    const bare = await aFreshCustomer({ external_id: null, name: 'Contract bare' });
    const email = `${unique('mail')}@example.com`;
    const whole = await aFreshCustomer({ email, name: 'Contract whole' });
    const twice = await aFreshCustomer({ name: 'Contract twice' });
    const [ended, coming] = [await aFreshCustomer(), await aFreshCustomer()];
    const first = await subscribe(bare, to(product));
    const renews_at = now(DAY_MS);
    const second = await subscribe(whole, {
      ...to(product, { version: 2 }),
      ...ADDRESSES,
      renews_at,
    });
    await subscribe(twice, { ...to(product, { version: 2 }), starts_at: now(-DAY_MS) });
    const third = await subscribe(twice, to(product, { version: 1 }));
    await update(ended, (await subscribe(ended, to(product))).id, { status: 'inactive' });
    await subscribe(coming, { ...to(product), starts_at: now(DAY_MS) });
    const row = (customer: OwnObject, subscription: Subscription, more: object) => ({
      customer_id: customer.id,
      customer_name: customer.name,
      subscription_id: subscription.id,
      subscription_status: 'active',
      started_at: subscription.started_at,
      product_rate_plan_id: product.id,
      ...more,
    });

    const { total_count } = await api('listSubscribers', { path: { productId: product.id } }, 200);
    expect(total_count).toBe(3);
    expect(await subscribersOf(product)).toEqual([
      row(twice, third, { external_id: twice.external_id, version: 1 }),
      row(whole, second, { external_id: whole.external_id, email, renews_at, version: 2 }),
      row(bare, first, { version: 1 }),
    ]);
    const path = { customerId: bare.id };
    await call('updateCustomer', { path, body: { name: 'Contract new', email } }, [204]);
    await moveTo(bare, first.id, product, 2);
    expect((await subscribersOf(product)).at(-1)).toEqual({
      ...row(bare, first, { version: 2 }),
      customer_name: 'Contract new',
      email,
    });
  },
);
