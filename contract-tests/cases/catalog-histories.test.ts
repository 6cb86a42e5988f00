import fc from 'fast-check';
import { anOwnWorld, aUnitPrice, check, expect, type WorldCall } from '../kit/index.ts';
import { chosen } from '../model/arbitrary/chosen-histories.ts';
import {
  afterMove,
  amountIn,
  type VersionedProduct,
  type VersionMove,
  versionMove,
} from './shared/version-moves.ts';

/** Compares the product, with all its versions and the content of the default. */
async function expectProduct(call: WorldCall, productId: string, product: VersionedProduct) {
  const { versions, standard } = product;
  const byDefault = versions.find(({ version }) => version === standard);
  const detail = await call('getProduct', { path: { productId } });
  expect(detail).toMatchObject({
    ...{ id: productId, code: 'plan', name: (byDefault ?? versions.at(-1))?.name },
    versions: versions.map(({ version, status }) => ({ version, status })).toReversed(),
  });
  const shown = detail.default_version;
  expect([shown?.version, shown && amountIn(shown)]).toEqual([standard, byDefault?.amount]);
  expect(shown?.entitlements ?? []).toMatchObject(byDefault?.entitlements ?? []);
  return detail;
}

/** Compares the product and each of its versions, in lists and details. */
async function expectShown(call: WorldCall, productId: string, product: VersionedProduct) {
  const { versions, standard } = product;
  const { name } = await expectProduct(call, productId, product);
  const summary = { id: productId, code: 'plan', name };
  expect((await call('listProducts', { query: { code: 'plan' } })).items).toEqual([summary]);
  const shown = versions.map((each) => ({
    ...{ ...summary, name: each.name, version: each.version, status: each.status },
    is_default: each.version === standard,
  }));
  expect((await call('listProductVersions', {})).items).toEqual(shown.toReversed());
  for (const [index, { version, amount, entitlements }] of versions.entries()) {
    const path = { productId, version: String(version) };
    const one = await call('getProductVersion', { path });
    expect(one).toMatchObject(shown[index] as object);
    expect(amountIn(one), `price of version ${version}`).toBe(amount);
    expect(one.entitlements, `entitlements of version ${version}`).toMatchObject(entitlements);
  }
  const byDefault = { path: { productId, version: 'default' } };
  const found = await call('getProductVersion', byDefault, [standard === undefined ? 404 : 200]);
  expect(found?.version).toBe(standard);
}

const OPERATIONS = {
  add: 'createProductVersion',
  update: 'updateProductVersion',
  archive: 'archiveProductVersion',
} as const;

/** Makes a product, and moves its versions; after each move the product, and in the end everything, is as worked out. */
async function playMoves(call: WorldCall, publish: boolean, moves: readonly VersionMove[]) {
  const body = { name: 'Basic', code: 'plan', prices: [aUnitPrice('call', 9)], publish };
  const { id, status, is_default } = await call('createProduct', { body });
  let product = newProduct(publish);
  const [first] = product.versions;
  expect([status, is_default], 'of the first version').toEqual([first?.status, true]);
  for (const each of moves) {
    const next = afterMove(product, each);
    const { kind, pick } = each;
    const version = String((pick % product.versions.length) + 1);
    const path = { productId: id, ...(kind !== 'add' && { version }) };
    const parts = { path, ...(kind !== 'archive' && { body: each.body }) };
    const isRejected = typeof next === 'number';
    await call(OPERATIONS[kind], parts, isRejected ? [next] : [201, 204]);
    if (!isRejected) product = next;
    await expectProduct(call, id, product);
  }
  await expectShown(call, id, product);
}

const newProduct = (publish: boolean): VersionedProduct => ({
  versions: [
    {
      ...{ version: 1, name: 'Basic', amount: 9, entitlements: [] },
      status: publish ? 'published' : 'draft',
    },
  ],
  standard: 1,
});

const MOVES = fc.array(versionMove, { minLength: 9, maxLength: 9 });

/** What moves meet: each with the status of its version and of the default. */
function metBy(publish: boolean, moves: readonly VersionMove[]): string[] {
  let product = newProduct(publish);
  return moves.map((move) => {
    const { versions, standard } = product;
    const { kind, pick, body } = move;
    const target = kind === 'add' ? undefined : versions[pick % versions.length];
    const byDefault = versions.find(({ version }) => version === standard);
    const next = afterMove(product, move);
    if (typeof next !== 'number') product = next;
    return JSON.stringify([
      ...[kind, target?.status, target === byDefault, byDefault?.status],
      ...[body.publish, body.make_default, typeof next],
    ]);
  });
}

function historyOfVersions(id: string, of: string, publish: boolean): void {
  check(
    id,
    {
      requirement:
        'R-PRD-31 R-PRD-36 R-PRD-45 R-PRD-46 R-PRD-47 R-PRD-48 R-PRD-50 R-VER-02 R-VER-05',
      effect: 'E3',
      assumes: 'A-501 A-502 A-504',
      needs: 'clock.movable',
    },
    `random histories of ${of}, whose versions are added, updated, published, made the default and archived → names, statuses, prices, entitlements and the default in each list and detail as worked out from the documents; a rejected request changes nothing`,
    async (t) => {
      const histories = fc.sample(MOVES, { seed: Number(publish), numRuns: 60 });
      for (const moves of chosen(histories, (each) => metBy(publish, each), 2))
        await playMoves(anOwnWorld(t), publish, moves);
    },
  );
}

historyOfVersions('PRD-71', 'a published product', true);
historyOfVersions('PRD-72', 'a draft', false);
