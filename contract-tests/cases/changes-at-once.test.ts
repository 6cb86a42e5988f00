import {
  aDraftProduct,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  assuming,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  expect,
  type OwnProduct,
} from '../kit/index.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';
import { race } from './shared/races.ts';
import { shown, to } from './shared/subscriptions.ts';

describe('updates of different fields at the same time', () => {
  check(
    'WHK-77',
    { requirement: 'R-WHK-22', level: 'MUST', effect: 'E2' },
    'url, topics and enabled of a destination changed together, one per request → all are changed, and the secret stays',
    (t) =>
      race({
        subject: async () => ({ hook: await aWebhook(t), url: blackHole() }),
        together: ({ hook: { id }, url }) =>
          [{ url }, { topics: ['subscription.activated'] }, { enabled: false }].map((body) =>
            api('updateWebhook', { path: { webhookId: id }, body }, 200),
          ),
        async holds({ hook: { id, secret }, url }) {
          const found = await api('getWebhook', { path: { webhookId: id } }, 200);
          const all = { url, topics: ['subscription.activated'], enabled: false, secret };
          expect(found).toMatchObject(all);
        },
      }),
  );

  check(
    'CUS-63',
    { requirement: 'R-CUS-37', level: 'ASSUMED', effect: 'E3', assumes: 'A-601' },
    'name, email and metadata of a customer changed together, one per request → all are changed',
    () => {
      const changes = [
        { name: 'Contract changed' },
        { email: 'changed@example.com' },
        { metadata: { changed: 'yes' } },
      ];
      return race({
        subject: () => aFreshCustomer(),
        together: ({ id }) =>
          changes.map((body) => api('updateCustomer', { path: { customerId: id }, body }, 204)),
        async holds({ id, external_id }) {
          const found = await api('getCustomer', { path: { customerId: id } }, 200);
          expect(found).toMatchObject(Object.assign({ external_id }, ...changes));
        },
      });
    },
  );

  check(
    'PRD-59',
    { requirement: 'R-PRD-45', level: 'ASSUMED', effect: 'E2', assumes: 'A-501' },
    'name and entitlements of an unpublished version changed together → both are changed, the prices stay',
    (t) =>
      race({
        subject: async () => {
          const product = await aDraftProduct(t);
          return { product, before: await versionOf(product, 1) };
        },
        together: ({ product: { id } }) =>
          [{ name: 'Contract changed' }, { entitlements: [ENTITLEMENT] }].map((body) =>
            api('updateProductVersion', { path: { productId: id, version: '1' }, body }, 204),
          ),
        async holds({ product, before }) {
          const { name, entitlements, prices } = await versionOf(product, 1);
          expect(name).toBe('Contract changed');
          expect(entitlements).toMatchObject([ENTITLEMENT]);
          expect(prices).toEqual(before.prices);
        },
      }),
  );
});

/** Deletes an unused product and subscribes a customer to it together. */
async function deleteAndSubscribe(isDeletedFirst: boolean): Promise<void> {
  await race({
    subject: async () => ({ product: await aFreshProduct(), customer: await aFreshCustomer() }),
    usesUp: 'subscription',
    together({ product, customer }) {
      const path = { customerId: customer.id, productId: product.id };
      const remove = () => call('deleteProduct', { path: { productId: product.id } }, [204]);
      const subscribe = () =>
        call('createSubscription', { path, body: to(product) }, [201, 400, 422]);
      if (isDeletedFirst) return [remove(), subscribe()];
      const [subscribed, removed] = [subscribe(), remove()];
      return [removed, subscribed];
    },
    async holds({ product, customer }, [, subscribed]) {
      const path = { productId: product.id };
      if (subscribed?.status !== 201) {
        await api('getProduct', { path }, 404);
        return;
      }
      const { versions } = await api('getProduct', { path }, 200);
      expect(versions.map(({ status }) => status)).toEqual(['archived']);
      const { status, products } = await shown(customer, subscribed.body.id);
      expect([status, products[0]?.id]).toEqual(['active', product.id]);
    },
  });
}

describe('products at the same time', () => {
  check(
    'PRD-60',
    { requirement: ['R-PRD-22', 'R-PRD-23'], level: 'MUST', effect: 'E3' },
    'unused product deleted and subscribed to together → subscribed and archived, or rejected and gone',
    async () => {
      await deleteAndSubscribe(true);
      await deleteAndSubscribe(false);
    },
  );

  check(
    'PRD-61',
    { requirement: 'R-VER-02', level: 'MUST', effect: 'E3', assumes: 'A-501' },
    'three new versions of a product made together → numbers that differ, each readable with its own name, the first unchanged',
    async () => {
      const names = ['Contract one', 'Contract two', 'Contract three'];
      await race({
        subject: async () => {
          const product: OwnProduct = await aFreshProduct();
          return { product, first: await versionOf(product, 1) };
        },
        usesUp: 'product version',
        together: ({ product }) => names.map((name) => addVersion(product, { name })),
        async holds({ product, first }, made) {
          const numbers = made.map(({ version }) => version);
          expect(new Set([1, ...numbers]).size).toBe(4);
          expect(await versionOf(product, 1)).toEqual(first);
          for (const [place, version] of numbers.entries()) {
            const found = await versionOf(product, version);
            expect(found.version).toBe(version);
            await assuming('A-501', async () => expect(found.name).toBe(names[place]));
          }
        },
      });
    },
  );
});

describe('a rate and quotes at the same time', () => {
  check(
    'AST-47',
    { requirement: ['R-AST-28', 'R-AST-29'], level: 'MUST', effect: 'E3' },
    'quotes while a rate is added → each is that of the former or of the new rate, later ones of the new rate',
    () =>
      race({
        subject: async () => {
          const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 2 }] });
          const path = { assetCode: code };
          const quote = () => api('quoteAsset', { path, body: { source: 'USD', amount: 10 } }, 200);
          return { path, quote, former: await quote() };
        },
        together({ path, quote }) {
          const quotes = async () => {
            const seen = [];
            for (let count = 0; count < 5; count += 1) seen.push(await quote());
            return seen;
          };
          const set = async () => {
            await api('setAssetRate', { path, body: { source: 'USD', rate: 4 } }, 204);
            return [await quote()];
          };
          return [quotes(), set(), quotes(), quotes()];
        },
        async holds({ quote, former }, [, after, ...others]) {
          const latest = await quote();
          expect([former.rate, latest.rate]).toEqual([2, 4]);
          expect(after).toEqual([latest]);
          for (const seen of others.flat()) expect([former, latest]).toContainEqual(seen);
        },
      }),
  );
});
