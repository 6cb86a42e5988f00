import {
  ADDRESSES,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  aUsageEvent,
  type Body,
  call,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
  unique,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { addVersion, versionOf } from './shared/products.ts';
import {
  detailOf,
  moveTo,
  type Subscription,
  subscribe,
  to,
  update,
} from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

/** A published product with a second version that costs 1.5 USD per event. */
async function twoVersions(): Promise<OwnProduct> {
  const product = await aFreshProduct();
  await addVersion(product, { prices: [aUnitPrice(product.eventType, 1.5)], publish: true });
  return product;
}

const subscribersOf = async ({ id }: OwnProduct) =>
  (await api('listSubscribers', { path: { productId: id } }, 200)).items;

describe('listSubscribers', () => {
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
});

describe('getProduct', () => {
  check(
    'PRD-41',
    {
      requirement: ['R-PRD-48', 'R-PRD-50'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-504', 'A-502'],
    },
    "four versions, one archived, one a draft, the third the default → newest first with their statuses, in the product and in the list of versions; the default's own prices and entitlements; no default to read or to subscribe to once all published ones are archived",
    async () => {
      const product = await twoVersions();
      await addVersion(product, { publish: true, make_default: true });
      await addVersion(product, {});
      const archive = (version: number) =>
        api(
          'archiveProductVersion',
          { path: { productId: product.id, version: String(version) } },
          204,
        );
      const shown = () => api('getProduct', { path: { productId: product.id } }, 200);
      const states = ({ versions }: Body<'getProduct', 200>) =>
        versions.map(({ version, status }) => `${version} ${status}`);
      await archive(1);
      const before = await shown();
      const { version, prices, entitlements } = await versionOf(product);
      const moments = before.versions.map(({ created_at }) => created_at);

      expect(states(before)).toEqual(['4 draft', '3 published', '2 published', '1 archived']);
      expect(moments).toEqual([...moments].sort().reverse());
      const { items } = await api('listProductVersions', { query: { limit: 1000 } }, 200);
      expect(items.filter(({ id }) => id === product.id)).toEqual(
        before.versions.map((each) => ({
          id: product.id,
          code: product.code,
          name: 'Contract fresh',
          version: each.version,
          status: each.status,
          is_default: each.version === 3,
        })),
      );
      expect(version).toBe(3);
      expect(before.default_version).toEqual({ version, prices, entitlements });
      await archive(3);
      expect((await shown()).default_version?.version).toBe(2);
      await archive(2);
      const after = await shown();
      expect(states(after)).toEqual(['4 draft', '3 archived', '2 archived', '1 archived']);
      expect(after).not.toHaveProperty('default_version');
      await call(
        'getProductVersion',
        { path: { productId: product.id, version: 'default' } },
        [404],
      );
      const path = { customerId: (await aFreshCustomer()).id };
      await call('createSubscription', { path, body: to(product) }, [422]);
    },
  );
});

describe('fees after a change of version', () => {
  check(
    'EVT-61',
    {
      requirement: ['R-EVT-21', 'R-SUB-42', 'R-SUB-44', 'R-SUB-48'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-607', 'A-608'],
    },
    'usage from before a change of version, submitted after it, from after it, and from after a change to the default → each fee shows the version in force at that time and its price; subscription and subscriber list show the current version',
    async () => {
      const product = await twoVersions();
      const customer = await aFreshCustomer();
      const starts_at = now(-DAY_MS);
      const subscription = await subscribe(customer, { ...to(product), starts_at });
      const versionShown = async () => {
        const { subscriptions } = await detailOf(customer);
        return subscriptions?.[0]?.products;
      };
      const feeOf = async (changes: object = {}) => {
        const { fees } = await stored((await aUsageEvent(customer, product.eventType, changes)).id);
        return fees.map((fee) => [fee.product_version, fee.price_id, fee.amount]);
      };
      const expected = async (version: number, sum: number) => [
        [version, (await versionOf(product, version)).prices[0]?.id, sum],
      ];
      const { id, code } = product;
      await moveTo(customer, subscription.id, product, 2);

      expect(await feeOf({ occurred_at: now(-DAY_MS / 2) })).toEqual(await expected(1, 0.25));
      expect(await feeOf()).toEqual(await expected(2, 1.5));
      expect(await versionShown()).toEqual([{ id, code, version: 2 }]);
      expect((await subscribersOf(product)).map(({ version }) => version)).toEqual([2]);
      await moveTo(customer, subscription.id, product, 'default');
      expect(await feeOf()).toEqual(await expected(1, 0.25));
      expect(await versionShown()).toEqual([{ id, code, version: 1 }]);
    },
  );
});
