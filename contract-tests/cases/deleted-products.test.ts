import {
  ADDRESSES,
  aDraftProduct,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  assuming,
  aUnitPrice,
  call,
  check,
  describe,
  expect,
  now,
  type OwnProduct,
  refused,
} from '../kit/index.ts';
import { addVersion, versionOf } from './shared/products.ts';
import { subscribe, to, update } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

describe('deleteProduct', () => {
  check(
    'PRD-07',
    { requirement: ['R-PRD-22', 'R-PRD-29', 'R-PRD-30'], level: 'MUST', effect: 'E2' },
    'delete unused product → 204 then GET 404',
    async (t) => {
      const { id } = await aDraftProduct(t);
      const { text } = await call('deleteProduct', { path: { productId: id } }, [204]);

      expect(text).toBe('');
      await api('getProduct', { path: { productId: id } }, 404);
    },
  );

  check(
    'PRD-08',
    { requirement: ['R-PRD-23', 'R-PRD-30', 'R-PRD-49'], level: 'MUST', effect: 'E3' },
    'delete used product → 204, still readable as archived, and its code stays taken',
    async () => {
      const product = await aFreshProduct();
      const customer = await aFreshCustomer();
      const body = { products: [{ id: product.id }] };
      await api('createSubscription', { path: { customerId: customer.id }, body }, 201);
      await api('deleteProduct', { path: { productId: product.id } }, 204);

      expect(await api('getProduct', { path: { productId: product.id } }, 200)).toMatchObject({
        id: product.id,
        versions: [{ status: 'archived' }],
      });
      expect((await versionOf(product, 1)).status).toBe('archived');
      await assuming('A-503', async () => {
        const { code } = product;
        const again = { name: 'Contract', code, prices: [aUnitPrice(product.eventType)] } as never;
        await refused('createProduct', { body: again });
      });
    },
  );

  check(
    'PRD-24',
    { requirement: 'R-PRD-49', level: 'ASSUMED', effect: 'E2', assumes: 'A-503' },
    'delete of an archived product again → 204; code of a deleted unused one can be used again',
    async (t) => {
      const { id, code } = await aDraftProduct(t);
      await api('deleteProduct', { path: { productId: id } }, 204);
      const again = await aDraftProduct(t, { code });

      expect(again.id).not.toBe(id);
    },
  );

  check(
    'PRD-55',
    { requirement: ['R-PRD-22', 'R-PRD-29', 'R-PRD-49'], level: 'MUST', effect: 'E3' },
    'unused product with published, archived and draft versions deleted → 204, then gone by id, by version and from the lists, its code free for another',
    async (t) => {
      for (const archived of [[], [1], [1, 2, 3]]) {
        const { id, code } = await aProductOfVersions(archived);
        const path = { productId: id };
        await api('deleteProduct', { path }, 204);
        await api('getProduct', { path }, 404);
        for (const version of ['default', '1', '2', '3'])
          await api('getProductVersion', { path: { ...path, version } }, 404);
        const { items } = await api('listProductVersions', { query: { limit: 1000 } }, 200);
        const found = async () => (await api('listProducts', { query: { code } }, 200)).items;

        expect(items.filter((one) => one.id === id)).toEqual([]);
        expect(await found()).toEqual([]);
        await assuming('A-503', async () => {
          const again = await aDraftProduct(t, { code });
          expect((await found()).map((one) => one.id)).toEqual([again.id]);
          await api('getProductVersion', { path: { productId: again.id, version: '2' } }, 404);
        });
      }
    },
  );

  check(
    'PRD-56',
    { requirement: 'R-PRD-23', level: 'ASSUMED', effect: 'E3', assumes: 'A-503' },
    'deletion of a product whose subscription has ended, awaits payment or its start, or has another version than the default, even an archived one → archived, with all its versions',
    async () => {
      const prices = [aFixedPrice()];
      for (const { version = 2, archived = [], ends = false, sold = {}, terms = {} } of [
        { ends: true },
        { sold: { prices }, terms: ADDRESSES },
        { terms: { starts_at: now(DAY_MS) } },
        { version: 1 },
        { version: 1, ends: true, archived: [1] },
      ]) {
        const product = await aProductOfVersions([], sold);
        const path = { productId: product.id };
        const customer = await aFreshCustomer();
        const { id } = await subscribe(customer, { ...to(product, { version }), ...terms });
        if (ends) await update(customer, id, { status: 'inactive' });
        await archive(product, archived);
        await api('deleteProduct', { path }, 204);
        const { versions } = await api('getProduct', { path }, 200);

        expect(versions.map(({ status }) => status)).toEqual(['archived', 'archived', 'archived']);
      }
    },
  );
});

async function archive({ id }: Pick<OwnProduct, 'id'>, versions: readonly number[]): Promise<void> {
  for (const version of versions.map(String))
    await api('archiveProductVersion', { path: { productId: id, version } }, 204);
}

/** A product with three versions: a published one, the default and a draft. */
async function aProductOfVersions(archived: readonly number[], body: object = {}) {
  const product = await aFreshProduct(body);
  await addVersion(product, { publish: true, make_default: true });
  await addVersion(product, {});
  await archive(product, archived);
  return product;
}
