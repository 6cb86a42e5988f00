import {
  aCustomer,
  aFreshProduct,
  aProduct,
  api,
  aUnitPrice,
  call,
  check,
  expect,
  type OwnProduct,
  refused,
  table,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { pageOf } from './shared/lists.ts';
import {
  addVersion,
  archiveVersion,
  ENTITLEMENT,
  patchVersion,
  versionOf,
  versionPath,
} from './shared/products.ts';
import { to } from './shared/subscriptions.ts';

check(
  'PRD-04',
  {
    requirement:
      'R-CONV-07 R-PRD-03 R-PRD-15 R-PRD-17 R-PRD-20 R-PRD-21 R-PRD-31 R-PRD-36 R-PRD-38 R-PRD-45 R-PRD-46 R-VER-02 R-VER-05 R-VER-06',
    effect: 'E3',
    partly: 'A-501 A-502',
  },
  'create with publish true → 201, version 1 published and the default; new version → 201, the earlier one unchanged; PATCH of the unpublished one → 204 and GET shows the change; publish true → published; archived → 204, and later subscriptions to it are rejected',
  async () => {
    const body = { name: 'Contract', code: unique('product'), prices: [aUnitPrice('c')] };
    const made = await api('createProduct', { body: { ...body, publish: true } as never }, 201);
    const published = { version: 1, status: 'published', is_default: true };
    expect(made).toMatchObject({
      code: body.code,
      ...published,
      id: expect.stringMatching(/^prp_/),
    });
    const product = { ...made, eventType: 'c' };
    const first = await versionOf(product, 1);
    await addVersion(product, { prices: [aUnitPrice(product.eventType, 9)] });
    const seen = async () => {
      const { name, status } = await versionOf(product, 2);
      return [name, status];
    };
    await patchVersion(product, 2, { name: 'Contract edited' }, 204);
    expect(await seen()).toEqual(['Contract edited', 'draft']);
    await patchVersion(product, 2, { publish: true }, 204);
    expect(await seen()).toEqual(['Contract edited', 'published']);
    await archiveVersion(product, 2);
    expect(await seen()).toEqual(['Contract edited', 'archived']);
    const path = { customerId: (await aCustomer()).id };
    await refused('createSubscription', { path, body: to(product, { version: 2 }) });
    expect(await versionOf(product, 1)).toEqual(first);
  },
);

check(
  'PRD-05',
  { requirement: 'R-ERR-05 R-PRD-19 R-VER-05', effect: 'E1' },
  'PATCH published version → 409, no body (the specification only calls it possible)',
  async () => {
    const product = await aProduct();
    const { text } = await patchVersion(product, product.version, { name: 'Contract' }, 409);

    expect(text).toBe('');
  },
);

table(
  'PRD-13',
  { requirement: 'R-PRD-42', effect: 'E1' },
  'invalid version → 404, 400 or 422, never 200 (int16 or default)',
  { word: 'abc', 'number beyond int16': '40000', negative: '-1', fraction: '1.5' },
  async (version) => {
    const path = { productId: (await aProduct()).id, version };
    const statuses = [404, 400, 422];
    await call('getProductVersion', { path }, statuses);
    await refused('updateProductVersion', { path, body: { name: 'Contract' } }, statuses);
    await refused('archiveProductVersion', { path }, statuses);
    await refused('simulateUsage', { path, body: { events: [usageEvent('c')] } }, statuses);
  },
);

/** Everything that shows a product and its versions. */
async function shownOf(product: Pick<OwnProduct, 'id'>) {
  const shown = await api('getProduct', { path: { productId: product.id } }, 200);
  const versions = [];
  for (const { version } of shown.versions) versions.push(await versionOf(product, version));
  const { items } = await pageOf({ list: 'listProductVersions' }, { limit: 1000 });
  return { shown, versions, items: items.filter(({ id }) => id === product.id) };
}

check(
  'PRD-66',
  { requirement: 'R-ERR-28 R-PRD-47', effect: 'E3', assumes: 'A-502' },
  'of two published versions, a draft and an archived one, each updated by each field, alone and with make_default → 409 for all of the archived one, and for all but make_default and publishing again of the published ones; make_default of a draft that is not published with it → 422; nothing of it changes anything',
  async () => {
    const product = await aFreshProduct();
    const priced = (amount: number) => ({ prices: [aUnitPrice(product.eventType, amount)] });
    for (const publish of [true, false, true]) await addVersion(product, { ...priced(1), publish });
    await archiveVersion(product, 4);
    const before = await shownOf(product);
    for (const body of [
      { name: 'Contract other' },
      { description: 'Contract other' },
      { description: null },
      priced(7),
      { entitlements: [ENTITLEMENT] },
      { entitlements: [] },
      { publish: false },
      { publish: true, name: 'Contract other' },
    ])
      for (const [version, more] of [
        [1, {}],
        [2, { make_default: true }],
        [4, { make_default: false }],
      ] as const)
        expect((await patchVersion(product, version, { ...body, ...more }, 409)).text).toBe('');
    await patchVersion(product, 'default', { name: 'Contract other' }, 409);
    for (const body of [{ make_default: true }, { make_default: false }, {}])
      await patchVersion(product, 4, body, 409);
    for (const body of [{ make_default: false }, {}])
      for (const version of [1, 2, 3]) await patchVersion(product, version, body, 204);
    for (const more of [{}, { publish: false }, { name: 'Contract other' }]) {
      const body = { ...priced(2), make_default: true, ...more };
      await patchVersion(product, 3, body, 422);
      await call('createProductVersion', { path: versionPath(product, 3), body }, [422]);
    }

    expect(await shownOf(product)).toEqual(before);
  },
);
