import {
  aCustomer,
  aProduct,
  api,
  aUnitPrice,
  call,
  check,
  expect,
  refused,
  table,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { addVersion, archiveVersion, patchVersion, versionOf } from './shared/products.ts';
import { to } from './shared/subscriptions.ts';

check(
  'PRD-04',
  {
    requirement:
      'R-CONV-07 R-PRD-03 R-PRD-15 R-PRD-17 R-PRD-20 R-PRD-21 R-PRD-31 R-PRD-36 R-PRD-38 R-PRD-45 R-PRD-46 R-VER-02 R-VER-05 R-VER-06',
    effect: 'E3',
    partly: 'A-501 A-502',
  },
  'a product created with publish true → 201, version 1 published and the default; a new version → 201, the earlier one unchanged; the unpublished one updated → 204, and GET shows the change; updated by publish true → published; archived → 204, and later subscriptions to it are rejected',
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
  'an update of a published version → 409 without a body',
  async () => {
    const product = await aProduct();
    const { text } = await patchVersion(product, product.version, { name: 'Contract' }, 409);

    expect(text).toBe('');
  },
);

table(
  'PRD-13',
  { requirement: 'R-PRD-42', effect: 'E1' },
  'a version that is neither a number of 16 bits nor `default` → 404, 400 or 422, never 200',
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
