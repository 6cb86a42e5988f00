import {
  ADDRESSES,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUnitPrice,
  call,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
  useUp,
} from '../kit/index.ts';
import { addVersion, ENTITLEMENT, versionOf } from './shared/products.ts';
import {
  detailOf,
  moveTo,
  type Subscription,
  subscribe,
  to,
  update,
} from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

type Product = Pick<OwnProduct, 'id'>;

const patched = ({ id }: Product, version: number | string, body: object, status: number) =>
  call('updateProductVersion', { path: { productId: id, version: String(version) }, body }, [
    status,
  ]);

const archive = ({ id }: Product, version: number) =>
  api('archiveProductVersion', { path: { productId: id, version: String(version) } }, 204);

/** Everything that shows a product and its versions. */
async function shownOf(product: Product) {
  const shown = await api('getProduct', { path: { productId: product.id } }, 200);
  const versions = [];
  for (const { version } of shown.versions) versions.push(await versionOf(product, version));
  const { items } = await api('listProductVersions', { query: { limit: 1000 } }, 200);
  return { shown, versions, items: items.filter(({ id }) => id === product.id) };
}

/** The default version, as each operation shows it. */
async function defaultsOf(product: Product) {
  const { shown, versions, items } = await shownOf(product);
  const flagged = [...versions, ...items].filter(({ is_default }) => is_default);
  const own = [shown.default_version?.version, (await versionOf(product)).version];
  return [...own, ...flagged.map(({ version }) => version)];
}

const five = (version: number) => [version, version, version, version];

describe('moving the default version', () => {
  check(
    'PRD-66',
    { requirement: ['R-ERR-28', 'R-PRD-47'], level: 'ASSUMED', effect: 'E3', assumes: 'A-502' },
    'of two published versions, a draft and an archived one, each updated by each field, alone and with make_default → 409 for all of the archived one, and for all but make_default and publishing again of the published ones; make_default of a draft that is not published with it → 422; nothing of it changes anything',
    async () => {
      const product = await aFreshProduct();
      const priced = (amount: number) => ({ prices: [aUnitPrice(product.eventType, amount)] });
      await addVersion(product, { ...priced(1), publish: true });
      await addVersion(product, priced(2));
      await addVersion(product, { ...priced(3), publish: true });
      await archive(product, 4);
      const before = await shownOf(product);
      const changes = [
        { name: 'Contract other' },
        { description: 'Contract other' },
        { description: null },
        priced(7),
        { entitlements: [ENTITLEMENT] },
        { entitlements: [] },
        { publish: false },
        { publish: true, name: 'Contract other' },
      ];
      for (const body of changes)
        for (const more of [{}, { make_default: true }, { make_default: false }])
          for (const version of [1, 2, 4, 'default'])
            expect((await patched(product, version, { ...body, ...more }, 409)).text).toBe('');
      for (const body of [{ make_default: true }, { make_default: false }, {}]) {
        await patched(product, 4, body, 409);
        if (!body.make_default)
          for (const version of [1, 2, 3]) await patched(product, version, body, 204);
      }
      for (const more of [{}, { publish: false }, { name: 'Contract other' }]) {
        const body = { make_default: true, ...more };
        await patched(product, 3, body, 422);
        const path = { productId: product.id };
        const added = { ...priced(2), ...body };
        await call('createProductVersion', { path, body: added as never }, [422]);
      }

      expect(await shownOf(product)).toEqual(before);
    },
  );

  check(
    'PRD-67',
    { requirement: 'R-PRD-47', level: 'ASSUMED', effect: 'E3', assumes: 'A-502' },
    'make_default of an earlier and a later published version, of a draft published with it, at creation, and of the default itself → the default, for every reader and new subscriptions; all else leaves it where it is, also each field of a draft before and after the default, with make_default false or left out, and in other products',
    async () => {
      const product = await aFreshProduct();
      for (const publish of [true, false, false]) await addVersion(product, { publish });
      const steps: readonly (readonly [() => Promise<unknown>, number])[] = [
        [() => patched(product, 3, { name: 'Contract edited' }, 204), 1],
        [() => patched(product, 3, { publish: true }, 204), 1],
        [() => patched(product, 3, { publish: true }, 204), 1],
        [() => patched(product, 2, { make_default: true }, 204), 2],
        [() => patched(product, 2, { make_default: true }, 204), 2],
        [() => patched(product, 3, { make_default: false }, 204), 2],
        [() => patched(product, 1, { publish: true, make_default: true }, 204), 1],
        [() => patched(product, 4, { publish: true, make_default: true }, 204), 4],
        [() => archive(product, 1), 4],
        [() => addVersion(product, { publish: true }), 4],
        [() => addVersion(product, { publish: true, make_default: false }), 4],
        [() => addVersion(product, { publish: true, make_default: true }), 7],
        [() => addVersion(product, {}), 7],
        [() => patched(product, 8, { publish: true, make_default: false }, 204), 7],
      ];
      const customer = await aFreshCustomer();
      for (const [index, [step, wanted]] of steps.entries()) {
        await step();
        expect(await defaultsOf(product), `step ${index}`).toEqual(five(wanted));
        expect((await subscribe(customer, to(product))).products[0]?.version).toBe(wanted);
      }

      const other = await aFreshProduct();
      const stays = [{}, { make_default: false }];
      const edits = [{}, { name: 'Contract edited' }, { entitlements: [] }, { publish: false }];
      const bodies = [...edits, { publish: true }].flatMap((body) => [
        body,
        { ...body, ...stays[1] },
      ]);
      for (const _ of bodies) await addVersion(other, {});
      const { version: middle } = await addVersion(other, { publish: true, make_default: true });
      for (const [index, body] of bodies.entries()) {
        await addVersion(other, {});
        for (const version of [2 + index, middle + 1 + 2 * index]) {
          await patched(other, version, body, 204);
          expect(await defaultsOf(other), JSON.stringify(body)).toEqual(five(middle));
        }
        await addVersion(other, body);
        for (const version of [1, middle - 1, middle, 'default'])
          for (const stay of stays) await patched(other, version, stay, 204);
        expect(await defaultsOf(other), JSON.stringify(body)).toEqual(five(middle));
      }
      expect(await defaultsOf(product)).toEqual(five(7));
    },
  );
});

describe('the version that a subscription shows', () => {
  const versionsOf = async (customer: Pick<OwnObject, 'id'>) =>
    (await detailOf(customer)).subscriptions?.map(({ products }) =>
      products.map(({ version }) => version),
    );

  check(
    'SUB-70',
    { requirement: 'R-SUB-44', level: 'ASSUMED', effect: 'E4', assumes: 'A-609' },
    'subscriptions by id and code with the version left out, null, default and a number, to two products, active, awaiting payment and scheduled, added and created with the customer → the number, then and after the default has moved, its version was archived, and the subscription has ended; a change to default → the number at that time',
    async () => {
      const product = await aFreshProduct();
      const fixed = await aFreshProduct({ prices: [aFixedPrice()] });
      const { id, code } = product;
      for (const each of [product, fixed]) {
        await addVersion(each, { publish: true, make_default: true });
        await addVersion(each, { publish: true });
      }
      const ahead = { starts_at: now(DAY_MS) };
      const bodies = [
        { products: [{ id }] },
        { products: [{ code, version: null }] },
        { products: [{ id, code, version: 'default' }] },
        { products: [{ code, version: 3 }] },
        { products: [{ code, version: 'default' }], ...ahead },
        { products: [{ id: fixed.id }], ...ADDRESSES },
        { products: [{ id: fixed.id, version: 'default' }, { code }], ...ADDRESSES, ...ahead },
      ];
      const wanted = [[2], [2], [2], [3], [2], [2], [2, 2]];
      const customer = await aFreshCustomer();
      const added: Subscription[] = [];
      for (const body of bodies) added.push(await subscribe(customer, body));
      const whole = { name: 'Contract alike', subscriptions: bodies } as never;
      const inline = await useUp('customer', () => api('createCustomer', { body: whole }, 201));
      const versions = (list: readonly Subscription[]) =>
        list.map(({ products }) => products.map(({ version }) => version));
      expect(versions(added)).toEqual(wanted);
      expect(versions(inline.subscriptions)).toEqual(wanted);
      const expectShown = async () => {
        for (const each of [customer, inline])
          expect([...((await versionsOf(each)) ?? [])].sort()).toEqual([...wanted].sort());
      };
      await expectShown();
      for (const each of [product, fixed]) await patched(each, 3, { make_default: true }, 204);
      await expectShown();
      for (const each of [product, fixed]) await archive(each, 2);
      await expectShown();

      const [first, second] = added.map((each) => each.id) as [string, string];
      await moveTo(customer, first, product, 'default');
      await update(customer, second, { status: 'inactive' });
      await addVersion(product, { publish: true, make_default: true });
      const { subscriptions = [] } = await detailOf(customer);
      const shown = (id: string) => subscriptions.find((each) => each.id === id)?.products;
      expect(shown(first)).toEqual([{ id, code, version: 3 }]);
      expect(shown(second)).toEqual([{ id, code, version: 2 }]);
    },
  );
});
