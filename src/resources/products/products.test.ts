import { beforeEach, describe, expect, it } from 'vitest';
import { key } from '../../store/schema.ts';
import { entitlement, fixedPrice, perImage } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, type TestClient, worldOf } from '../../testing/client.ts';

const IMAGE_PRICE = perImage(0.5, 'USD');
const DEARER = perImage(0.75, 'USD');
const GIFT = entitlement(5, { name: 'Gift', asset: 'USD' });

let client: TestClient;
/** A test can assign another id, such as one that does not exist. */
let productId: string;
beforeEach(() => {
  client = createTestClient();
});

/** Creates the product of the test with its first version. */
async function create(body: object): Promise<void> {
  const product = { name: 'Studio', code: 'studio', prices: [IMAGE_PRICE], ...body };
  productId = (await client.api('createProduct', { body: product }, 201)).id;
}

type Version = number | string;
const at = (version: Version) => ({ productId, version });
const add = (body: object) => {
  const sent = { prices: [IMAGE_PRICE], ...body };
  return client.api('createProductVersion', { path: { productId }, body: sent }, 201);
};
const change = (version: Version, body: object, status = 204) =>
  client.api('updateProductVersion', { path: at(version), body }, status);
const close = (version: Version, status = 204) =>
  client.api('archiveProductVersion', { path: at(version) }, status);
const show = (version: Version, status = 200) =>
  client.api('getProductVersion', { path: at(version) }, status);

/** The stored record of a version, which has more fields than responses. */
const recordOf = (version: number) =>
  worldOf(client.emulator).tables.versions.get(key(productId, String(version)));

describe('createProduct', () => {
  it('rejects a code that is taken, together with all other errors', async () => {
    await create({});
    const gold = { ...IMAGE_PRICE, pricing: [{ asset: 'GOLD', values: [{ unit_price: 1 }] }] };
    const entitlements = [entitlement(1, { asset: 'GOLD' })];
    const body = { name: 'Other', code: 'studio', prices: [gold], entitlements };
    const { errors } = await client.api('createProduct', { body }, 422);

    expect(errors).toEqual({
      code: ['Another product has this code already.'],
      'prices[0].pricing[0].asset': ['No asset or currency has this code.'],
      'entitlements[0].asset': ['No asset or currency has this code.'],
    });
  });
});

describe('createProductVersion', () => {
  it('copies absent fields from the newest version, except its prices', async () => {
    await create({ description: 'Pictures', entitlements: [GIFT], publish: true });

    const created = await add({ prices: [DEARER] });

    expect(created).toEqual({
      id: productId,
      code: 'studio',
      version: 2,
      status: 'draft',
      is_default: false,
    });
    const [first, second] = [await show(1), await show(2)];
    expect(second).toMatchObject({ name: 'Studio', status: 'draft' });
    expect(recordOf(2)?.description).toBe('Pictures');
    expect(second.entitlements).toEqual(first.entitlements);
    expect(second.prices).toMatchObject([{ ...DEARER, id: expect.stringMatching(/^prc_/) }]);
    expect(second.prices[0].id).not.toBe(first.prices[0].id);
  });

  it('accepts a version as it was read, with ids of its own, and notes the ignored fields', async () => {
    const usage_calculation = {
      ...IMAGE_PRICE.usage_calculation,
      billable_dimensions: ['size'],
      source_reference_field: 'job',
    };
    const values = [{ dimensions: { size: '*' }, values: [{ unit_price: 1.5 }] }];
    const prices = [
      { ...IMAGE_PRICE, usage_calculation, pricing: [{ asset: 'USD', values }] },
      fixedPrice(20),
    ];
    const lifecycle = { duration: 'week', duration_count: 2 };
    await create({ prices, entitlements: [{ ...GIFT, lifecycle }], publish: true });
    const first = await show(1);
    expect(first.entitlements[0].lifecycle).toEqual(lifecycle);
    expect(first.prices[0].usage_calculation).toEqual(usage_calculation);

    expect(await add(first)).toMatchObject({ version: 2, status: 'draft', is_default: false });

    const second = await show(2);
    const withoutIds = ({ prices: all, entitlements }: AnyBody) => ({
      prices: all.map(({ id: _own, ...price }: AnyBody) => price),
      entitlements,
    });
    expect(withoutIds(second)).toEqual(withoutIds(first));
    expect(second.prices[0].id).not.toBe(first.prices[0].id);
    const { items } = await client.api('listWarnings');
    expect(items.map(({ level, field }: AnyBody) => `${level} ${field}`).sort()).toEqual([
      'info code',
      'info id',
      'info is_default',
      'info prices[].id',
      'info status',
      'info version',
    ]);
  });
});

describe('getProductVersion', () => {
  it('returns 404 for an unknown version or product', async () => {
    await create({});

    for (const version of ['2', '0', '01', 'Default', '1.0', 'one', '99999'])
      await show(version, 404);
    await close(1);
    await show('default', 404);
    productId = 'prp_none';
    await show(1, 404);
  });
});

describe('updateProductVersion', () => {
  it('changes a draft, keeps absent fields and clears fields set to null', async () => {
    await create({ description: 'Pictures', entitlements: [GIFT] });
    const before = await show(1);

    await change(1, { name: 'Studio 1' });
    expect(await show(1)).toEqual({ ...before, name: 'Studio 1' });
    expect(recordOf(1)?.description).toBe('Pictures');

    await change(1, { description: null, entitlements: null, prices: [DEARER] });
    const after = await show(1);
    expect(recordOf(1)).not.toHaveProperty('description');
    expect(after.entitlements).toEqual([]);
    expect(after.prices[0].pricing[0].values[0].unit_price).toBe(0.75);
  });

  it('publishes a draft with the changes of the same request', async () => {
    await create({});

    await change('default', { name: 'Studio 1', publish: true });

    expect(await show(1)).toMatchObject({
      name: 'Studio 1',
      status: 'published',
      is_default: true,
    });
    expect(recordOf(1)?.published_at).toBe('2026-01-15T12:00:00.000Z');
  });

  it('reports an unknown product or version at its path parameter', async () => {
    await create({});

    expect((await change(2, {}, 422)).errors).toEqual({ version: ['No such version.'] });
    expect((await change('one', {}, 422)).errors).toEqual({ version: ['No such version.'] });
    await close(1);
    expect((await change('default', {}, 422)).errors).toEqual({
      version: ['The product has no default version.'],
    });
    productId = 'prp_none';
    expect((await change(1, {}, 422)).errors).toEqual({ productId: ['No such product.'] });
  });
});
