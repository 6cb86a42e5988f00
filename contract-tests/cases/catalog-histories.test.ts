import fc from 'fast-check';
import { anOwnWorld, aUnitPrice, check, expect, type WorldCall } from '../kit/index.ts';
import {
  afterMove,
  amountIn,
  type VersionedProduct,
  versionMove,
} from '../model/product-versions.ts';

/** Compares everything that shows a product and its versions. */
async function expectShown(
  call: WorldCall,
  productId: string,
  { versions, standard }: VersionedProduct,
) {
  const spokesman = versions.find(({ version }) => version === standard) ?? versions.at(-1);
  const summary = { id: productId, code: 'plan', name: spokesman?.name };
  const shown = versions.map(({ version, name, status }) => ({
    ...{ ...summary, name, version, status, is_default: version === standard },
  }));
  const newestFirst = shown.toReversed();
  const path = { productId };
  const detail = await call('getProduct', { path });
  expect(detail).toMatchObject({
    ...summary,
    versions: newestFirst.map(({ version, status }) => ({ version, status })),
  });
  expect(detail.default_version?.version).toBe(standard);
  expect((await call('listProducts', { query: { code: 'plan' } })).items).toEqual([summary]);
  for (const [index, { version, amount, entitlements }] of versions.entries()) {
    const one = await call('getProductVersion', { path: { ...path, version: String(version) } });
    expect(one).toMatchObject(shown[index] as object);
    expect(amountIn(one), `price of version ${version}`).toBe(amount);
    expect(one.entitlements, `entitlements of version ${version}`).toMatchObject(entitlements);
  }
  const byDefault = { path: { ...path, version: 'default' } };
  const found = await call('getProductVersion', byDefault, [standard === undefined ? 404 : 200]);
  expect(found?.version).toBe(standard);
  for (const status of [undefined, 'draft', 'published', 'archived']) {
    const { items } = await call('listProductVersions', { query: { status } });
    const wanted = newestFirst.filter((each) => each.status === (status ?? each.status));
    expect(items, `versions that are ${status}`).toEqual(wanted);
  }
}

const HISTORIES = { seed: 20260131, numRuns: 12 };

check(
  'PRD-71',
  {
    requirement: 'R-PRD-31 R-PRD-36 R-PRD-45 R-PRD-46 R-PRD-50 R-VER-02 R-VER-05',
    effect: 'E3',
    assumes: 'A-501 A-502 A-504',
    needs: 'clock.movable',
  },
  'random histories of versions that are added, updated, published, made the default and archived → names, statuses, prices, entitlements and the default in each list and detail as worked out from the documents; a rejected request changes nothing',
  async (t) => {
    const histories = fc.record({
      publish: fc.boolean(),
      moves: fc.array(versionMove, { minLength: 8, maxLength: 8 }),
    });
    for (const { publish, moves } of fc.sample(histories, HISTORIES)) {
      const call = anOwnWorld(t);
      const body = { name: 'Basic', code: 'plan', prices: [aUnitPrice('call', 9)], publish };
      const { id } = await call('createProduct', { body });
      const status = publish ? 'published' : 'draft';
      let product: VersionedProduct = {
        versions: [{ version: 1, name: 'Basic', status, amount: 9, entitlements: [] }],
        standard: 1,
      };
      for (const each of moves) {
        const next = afterMove(product, each);
        const { kind, pick } = each;
        const version = String((pick % product.versions.length) + 1);
        const path = { productId: id, ...(kind !== 'add' && { version }) };
        const operation = {
          add: 'createProductVersion',
          update: 'updateProductVersion',
          archive: 'archiveProductVersion',
        } as const;
        const parts = { path, ...(kind !== 'archive' && { body: each.body }) };
        const isRejected = typeof next === 'number';
        await call(operation[kind], parts, isRejected ? [next] : [201, 204]);
        if (!isRejected) product = next;
        await expectShown(call, id, product);
      }
    }
  },
);
