import {
  aCustomer,
  aDraftProduct,
  aFreshCustomer,
  aFreshProduct,
  aProduct,
  api,
  aUnitPrice,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  type OwnProduct,
  refused,
  unknownId,
  usageEvent,
} from '../kit/index.ts';
import { stored } from './shared/events.ts';
import { omit } from './shared/fields.ts';
import { addVersion, versionOf } from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';

describe('createProductVersion', () => {
  check(
    'PRD-04',
    { requirement: ['R-PRD-31', 'R-VER-02'], level: 'MUST', effect: 'E3' },
    'new version → 201, and the earlier one is still readable and unchanged',
    async () => {
      const product = await aFreshProduct();
      const first = await versionOf(product, 1);
      await addVersion(product, { prices: [aUnitPrice(product.eventType, 9)], publish: true });

      expect(await versionOf(product, 1)).toEqual(first);
      expect((await versionOf(product, 2)).version).toBe(2);
    },
  );

  check(
    'PRD-21',
    { requirement: 'R-PRD-44', level: 'ASSUMED', effect: 'E3', assumes: 'A-501' },
    'new version with another name and the same prices → prices with ids of their own, response as for create',
    async () => {
      const product = await aFreshProduct();
      const first = await versionOf(product, 1);
      const made = await addVersion(product, { name: 'Contract renamed' });
      const second = await versionOf(product, 2);

      expect(made).toMatchObject({
        id: product.id,
        code: product.code,
        version: 2,
        status: 'draft',
      });
      expect(made.is_default).toBe(false);
      expect(second.name).toBe('Contract renamed');
      expect(second.prices.map((price) => omit(price, 'id'))).toEqual(
        first.prices.map((price) => omit(price, 'id')),
      );
      expect(second.prices[0]?.id).not.toBe(first.prices[0]?.id);
    },
  );

  check(
    'PRD-22',
    { requirement: 'R-PRD-47', level: 'ASSUMED', effect: 'E3', assumes: 'A-502' },
    'publishing a second version → default stays; make_default moves it',
    async () => {
      const product = await aFreshProduct();
      await addVersion(product, { publish: true });
      const kept = await versionOf(product);
      await addVersion(product, { publish: true, make_default: true });
      const moved = await versionOf(product);

      expect([kept.version, moved.version]).toEqual([1, 3]);
    },
  );
});

describe('updateProductVersion', () => {
  check(
    'PRD-05',
    { requirement: ['R-ERR-05', 'R-PRD-19', 'R-VER-05'], level: 'MUST', effect: 'E1' },
    'PATCH published version → 409, no body (the specification only calls it possible)',
    async () => {
      const { id, version } = await aProduct();
      const path = { productId: id, version: String(version) };
      const { text } = await call(
        'updateProductVersion',
        { path, body: { name: 'Contract' } },
        [409],
      );

      expect(text).toBe('');
    },
  );

  check(
    'PRD-15',
    {
      requirement: ['R-PRD-03', 'R-PRD-36', 'R-PRD-45', 'R-PRD-46', 'R-VER-05'],
      level: 'MUST',
      effect: 'E3',
      assumes: ['A-501', 'A-502'],
    },
    'PATCH of an unpublished version → 204 and GET shows the change; publish true makes it published',
    async (t) => {
      const product = await aDraftProduct(t);
      const path = { productId: product.id, version: '1' };
      await api('updateProductVersion', { path, body: { name: 'Contract edited' } }, 204);
      const edited = await versionOf(product, 1);
      await api('updateProductVersion', { path, body: { publish: true } }, 204);
      const published = await versionOf(product, 1);

      expect([edited.name, edited.status]).toEqual(['Contract edited', 'draft']);
      expect(published.status).toBe('published');
    },
  );
});

describe('archiveProductVersion', () => {
  check(
    'PRD-06',
    { requirement: ['R-PRD-20', 'R-PRD-21', 'R-PRD-38', 'R-VER-06'], level: 'MUST', effect: 'E3' },
    'archive version → 204; later subscriptions to it are rejected',
    async () => {
      const product = await aFreshProduct();
      const customer = await aCustomer();
      const path = { productId: product.id, version: '1' };
      await api('archiveProductVersion', { path }, 204);
      const archived = await versionOf(product, 1);
      const body = { products: [{ id: product.id, version: 1 }] };
      await refused('createSubscription', { path: { customerId: customer.id }, body });

      expect(archived.status).toBe('archived');
    },
  );

  check(
    'PRD-23',
    { requirement: 'R-PRD-48', level: 'ASSUMED', effect: 'E3', assumes: 'A-502' },
    'archiving the default → the published version with the highest number becomes the default, even if another was published later',
    async () => {
      const product = await aFreshProduct();
      const path = { productId: product.id };
      await addVersion(product, {});
      await addVersion(product, { publish: true });
      await addVersion(product, {});
      const body = { publish: true };
      await api('updateProductVersion', { path: { ...path, version: '2' }, body }, 204);
      await api('archiveProductVersion', { path: { ...path, version: '1' } }, 204);

      expect((await versionOf(product)).version).toBe(3);
    },
  );
});

describe('writes to unknown products and versions', () => {
  check(
    'PRD-14',
    { requirement: 'R-ERR-21', level: 'ASSUMED', effect: 'E1', assumes: 'A-201' },
    'DELETE of an unknown product or version, write to an unknown product → 422, 404 or 400',
    async (t) => {
      const path = { productId: unknownId('prp'), version: '1' };
      const statuses = [422, 404, 400];
      const seen = [
        await call('deleteProduct', { path }, statuses),
        await call('archiveProductVersion', { path }, statuses),
        await call(
          'createProductVersion',
          { path, body: { prices: [aUnitPrice('c')] as never } },
          statuses,
        ),
        await call('updateProductVersion', { path, body: { name: 'Contract' } }, statuses),
        await call('simulateUsage', { path, body: { events: [usageEvent('c')] } }, statuses),
      ].map(({ status }) => status);
      t.observe('unknown product', seen.join(', '));

      expect(seen).toEqual([422, 422, 422, 422, 422]);
    },
  );

  check(
    'PRD-13',
    { requirement: 'R-PRD-42', level: 'MUST', effect: 'E1' },
    'invalid version (`abc`, 40000) → 404, 400 or 422, never 200 (int16 or default)',
    async () => {
      const { id } = await aProduct();
      for (const version of ['abc', '40000', '-1', '1.5']) {
        const path = { productId: id, version };
        await call('getProductVersion', { path }, [404, 400, 422]);
        await refused(
          'updateProductVersion',
          { path, body: { name: 'Contract' } },
          [404, 400, 422],
        );
        await refused('archiveProductVersion', { path }, [404, 400, 422]);
        const body = { events: [usageEvent('contract')] };
        await refused('simulateUsage', { path, body }, [404, 400, 422]);
      }
    },
  );
});

describe('the default version of a product that was a draft', () => {
  /** The default version, as each operation shows it. */
  async function defaultOf(product: OwnProduct) {
    const path = { productId: product.id };
    const { default_version, versions } = await api('getProduct', { path }, 200);
    const flagged = [];
    for (const { version } of versions)
      if ((await versionOf(product, version)).is_default) flagged.push(version);
    return [default_version?.version, (await versionOf(product)).version, ...flagged];
  }

  check(
    'PRD-57',
    { requirement: 'R-PRD-47', level: 'ASSUMED', effect: 'E3', assumes: 'A-502' },
    'version 1, a draft, published after version 2, and others published later → version 2 is the default from its publication until make_default moves it, for new subscriptions too',
    async () => {
      for (const isPatched of [false, true]) {
        const product = await aFreshProduct({ publish: false });
        const publish = (version: number, more: object = {}) => {
          const path = { productId: product.id, version: String(version) };
          return api('updateProductVersion', { path, body: { publish: true, ...more } }, 204);
        };
        const priced = { prices: [aUnitPrice(product.eventType, 1.5)] };
        await addVersion(product, { ...priced, publish: !isPatched });
        if (isPatched) await publish(2);
        expect(await defaultOf(product)).toEqual([2, 2, 2]);
        await publish(1);
        expect(await defaultOf(product)).toEqual([2, 2, 2]);
        expect((await addVersion(product, { publish: true })).is_default).toBe(false);
        await addVersion(product, {});
        await publish(4);
        expect(await defaultOf(product)).toEqual([2, 2, 2]);
        const customer = await aFreshCustomer();
        const { products } = await subscribe(customer, to(product));
        const { id } = await aUsageEvent(customer, product.eventType);
        expect(products[0]?.version).toBe(2);
        expect((await stored(id)).fees.map(({ amount }) => amount)).toEqual([1.5]);
        const path = { productId: product.id, version: '1' };
        await api('updateProductVersion', { path, body: { make_default: true } }, 204);
        expect(await defaultOf(product)).toEqual([1, 1, 1]);
      }
    },
  );

  check(
    'PRD-62',
    { requirement: 'R-PRD-47', level: 'ASSUMED', effect: 'E3', assumes: 'A-502' },
    'the only published version archived while older ones are drafts, then these published in any order → no default and no new subscriptions, then the first of them published, never an archived one nor a draft',
    async () => {
      const product = await aFreshProduct({ publish: false });
      const customer = await aFreshCustomer();
      const path = (version: number) => ({ productId: product.id, version: String(version) });
      const publish = (version: number) =>
        api('updateProductVersion', { path: path(version), body: { publish: true } }, 204);
      const archive = (version: number) =>
        api('archiveProductVersion', { path: path(version) }, 204);
      const expectDefault = async (version: number) => {
        expect(await defaultOf(product)).toEqual([version, version, version]);
        for (const body of [to(product), { products: [{ code: product.code }] }])
          expect((await subscribe(customer, body)).products[0]?.version).toBe(version);
      };
      const expectNone = async () => {
        const body = to(product);
        await refused('createSubscription', { path: { customerId: customer.id }, body });
      };
      await addVersion(product, {});
      await expectNone();
      await addVersion(product, { publish: true });
      await expectDefault(3);
      await archive(3);
      await expectNone();
      await publish(2);
      await expectDefault(2);
      await publish(1);
      await addVersion(product, {});
      await expectDefault(2);
      await archive(2);
      await expectDefault(1);
      await archive(1);
      await expectNone();
      await publish(4);
      await expectDefault(4);
    },
  );
});

describe('archiving the default version', () => {
  check(
    'PRD-48',
    { requirement: 'R-PRD-48', level: 'ASSUMED', effect: 'E3', assumes: 'A-502' },
    'of three published versions the default is archived → the newest becomes the default',
    async () => {
      const product = await aFreshProduct();
      const path = { productId: product.id };
      for (const cost of [1, 2]) {
        const body = { prices: [aUnitPrice(product.eventType, cost)], publish: true } as never;
        await api('createProductVersion', { path, body }, 201);
      }
      const isDefault = async () => (await versionOf(product)).version;

      expect(await isDefault()).toBe(1);
      await call('archiveProductVersion', { path: { ...path, version: '1' } }, [204]);
      expect(await isDefault()).toBe(3);
      await call('archiveProductVersion', { path: { ...path, version: '3' } }, [204]);
      expect(await isDefault()).toBe(2);
    },
  );
});
