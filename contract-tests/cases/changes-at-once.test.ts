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
} from '../kit/index.ts';
import { quoteOf, setRate } from './shared/assets.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';
import { race } from './shared/races.ts';
import { detailOf, shown, to } from './shared/subscriptions.ts';

/** An object, updates of one field each that are sent together, and what reads its fields. */
interface Updated {
  readonly update: (body: object) => Promise<unknown>;
  readonly changes: readonly object[];
  readonly read: () => Promise<object>;
  /** Fields that stay as they were. */
  readonly kept: object;
}

describe('updates of different fields at the same time', () => {
  const expectAll = (make: () => Promise<Updated>) =>
    race({
      subject: make,
      rounds: 3,
      together: ({ update, changes }) => changes.map(update),
      async holds({ changes, read, kept }) {
        expect(await read()).toMatchObject(Object.assign({}, kept, ...changes));
      },
    });

  check(
    'CUS-63',
    {
      requirement: ['R-CUS-37', 'R-PRD-45', 'R-WHK-22'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-601', 'A-501'],
    },
    'fields of a destination, a customer and an unpublished version changed together, one per request → all are changed, the others stay',
    async (t) => {
      await expectAll(async () => {
        const { id, secret } = await aWebhook(t);
        const path = { webhookId: id };
        return {
          changes: [{ url: blackHole() }, { topics: ['contract.race'] }, { enabled: false }],
          update: (body) => api('updateWebhook', { path, body }, 200),
          read: () => api('getWebhook', { path }, 200),
          kept: { secret },
        };
      });
      await expectAll(async () => {
        const { id, external_id } = await aFreshCustomer();
        const name = 'Contract changed';
        return {
          changes: [{ name }, { email: 'changed@example.com' }, { metadata: { changed: 'yes' } }],
          update: (body) => api('updateCustomer', { path: { customerId: id }, body }, 204),
          read: () => detailOf({ id }),
          kept: { external_id },
        };
      });
      await expectAll(async () => {
        const product = await aDraftProduct(t);
        const path = { productId: product.id, version: '1' };
        const { prices } = await versionOf(product, 1);
        return {
          changes: [{ name: 'Contract changed' }, { entitlements: [ENTITLEMENT] }],
          update: (body) => api('updateProductVersion', { path, body }, 204),
          read: () => versionOf(product, 1),
          kept: { prices },
        };
      });
    },
  );
});

/** Deletes an unused product and subscribes a customer to it together. */
const deleteAndSubscribe = (isDeletedFirst: boolean) =>
  race({
    subject: async () => ({ product: await aFreshProduct(), customer: await aFreshCustomer() }),
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
      expect(
        versions.map(({ status }) => status),
        'versions',
      ).toEqual(['archived']);
      const { status, products } = await shown(customer, subscribed.body.id);
      expect([status, products[0]?.id], 'subscription').toEqual(['active', product.id]);
    },
  });

describe('the catalogue at the same time', () => {
  check(
    'PRD-60',
    {
      requirement: ['R-PRD-22', 'R-PRD-23', 'R-VER-02'],
      level: 'MUST',
      effect: 'E3',
      assumes: 'A-501',
    },
    'unused product deleted and subscribed to together → subscribed and archived, or rejected and gone; three new versions made together → numbers that differ, each with its own name',
    async () => {
      await deleteAndSubscribe(true);
      await deleteAndSubscribe(false);
      const names = ['Contract one', 'Contract two', 'Contract three'];
      await race({
        subject: () => aFreshProduct(),
        rounds: 1,
        together: (product) => names.map((name) => addVersion(product, { name })),
        async holds(product, made) {
          const numbers = made.map(({ version }) => version);
          expect(new Set([1, ...numbers]).size, 'different numbers').toBe(4);
          for (const [index, version] of numbers.entries()) {
            const { name } = await versionOf(product, version);
            await assuming('A-501', async () => expect(name).toBe(names[index]));
          }
        },
      });
    },
  );

  check(
    'AST-47',
    { requirement: ['R-AST-28', 'R-AST-29'], level: 'MUST', effect: 'E3' },
    'quotes while a rate is added → each is that of the former or of the new rate, later ones of the new rate',
    () =>
      race({
        subject: async () => {
          const rates = [{ source: 'USD', rate: 2 }];
          const { code } = await aFreshAsset({ precision: 2, rates });
          return { code, former: await quoteOf(code, 10) };
        },
        rounds: 2,
        together({ code }) {
          const quotes = async () => {
            const seen = [];
            for (let count = 0; count < 5; count += 1) seen.push(await quoteOf(code, 10));
            return seen;
          };
          const set = async () => {
            await setRate(code, { rate: 4 });
            return [await quoteOf(code, 10)];
          };
          return [quotes(), set(), quotes(), quotes()];
        },
        async holds({ code, former }, [, after, ...others]) {
          const latest = await quoteOf(code, 10);
          expect([former.rate, latest.rate], 'rates').toEqual([2, 4]);
          expect(after, 'quote after the rate was set').toEqual([latest]);
          for (const seen of others.flat()) expect([former, latest]).toContainEqual(seen);
        },
      }),
  );
});
