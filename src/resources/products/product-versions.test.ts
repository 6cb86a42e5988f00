import { describe, expect, it } from 'vitest';
import { GIFT, openStudio } from '../../testing/before-each.ts';
import { DEARER, fixedPrice, IMAGE_PRICE } from '../../testing/catalog.ts';
import type { AnyBody } from '../../testing/client.ts';

const studio = openStudio();
const { create, add, close, show, recordOf, standing } = studio;

describe('createProductVersion', () => {
  it('copies absent fields from the newest version, except its prices', async () => {
    await create({ description: 'Pictures', entitlements: [GIFT], publish: true });

    const created = await add({ prices: [DEARER] });

    expect(created).toEqual({
      id: studio.productId,
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
    const { items } = await studio.client.control('listWarnings', {}, 200);
    expect(items.map(({ level, field }: AnyBody) => `${level} ${field}`).sort()).toEqual([
      'info code',
      'info id',
      'info is_default',
      'info prices[].id',
      'info status',
      'info version',
    ]);
  });

  it('copies from the newest version even if that is archived', async () => {
    await create({ publish: true });
    await add({ name: 'Second', entitlements: [GIFT] });
    await close(2);
    await add({});

    const third = await show(3);

    expect(third.name).toBe('Second');
    expect(third.entitlements).toHaveLength(1);
  });

  it('stores the given fields and does not change earlier versions', async () => {
    await create({ publish: true });
    await add({ name: 'Second', description: 'New', prices: [DEARER], entitlements: [GIFT] });

    expect((await show(1)).prices[0].pricing[0].values[0].unit_price).toBe(0.5);
    expect(await show(2)).toMatchObject({ name: 'Second' });
    expect(recordOf(2)?.description).toBe('New');
    expect((await show(2)).entitlements).toHaveLength(1);
  });

  it('moves a published default only with make_default', async () => {
    await create({ publish: true });

    expect(await add({ publish: true })).toMatchObject({ status: 'published', is_default: false });
    expect(await add({ publish: true, make_default: true })).toMatchObject({ is_default: true });
    expect(await standing()).toEqual(['published published published', 3]);
    expect((await show('default')).version).toBe(3);
  });

  it('moves the default to a published version if the default is a draft', async () => {
    await create({});

    expect(await add({ publish: true })).toMatchObject({ version: 2, is_default: true });
    expect(await standing()).toEqual(['draft published', 2]);
  });

  it('rejects make_default for a draft', async () => {
    await create({ publish: true });

    const { errors } = await add({ make_default: true }, 422);

    expect(errors).toEqual({ make_default: ['Only a published version can be used.'] });
    expect(await standing()).toEqual(['published', 1]);
  });

  it('rejects a version without prices, and invalid prices', async () => {
    await create({});
    const broken = { ...IMAGE_PRICE, usage_calculation: null };

    for (const prices of [[], null, undefined])
      expect(Object.keys((await add({ prices }, 422)).errors)).toEqual(['prices']);
    expect((await add({ prices: [broken] }, 422)).errors).toHaveProperty([
      'prices[0].usage_calculation',
    ]);
  });

  it('rejects an unknown product', async () => {
    studio.productId = 'prp_none';

    expect((await add({}, 422)).errors).toEqual({ productId: ['No such product.'] });
  });
});

describe('getProductVersion', () => {
  it('returns 404 for an unknown version or product', async () => {
    await create({});

    for (const version of ['2', '0', '01', 'Default', '1.0', 'one', '99999'])
      await show(version, 404);
    await close(1);
    await show('default', 404);
    studio.productId = 'prp_none';
    await show(1, 404);
  });
});

describe('listProductVersions', () => {
  it('returns versions of all products newest first, without prices and entitlements', async () => {
    await create({ publish: true });
    await add({});
    await create({ code: 'other' });

    const page = await studio.client.api('listProductVersions', { query: { limit: 2 } }, 200);

    expect(page).toMatchObject({ total_count: 3, limit: 2 });
    expect(page.items).toEqual([
      {
        id: studio.productId,
        code: 'other',
        name: 'Studio',
        version: 1,
        status: 'draft',
        is_default: true,
      },
      expect.objectContaining({ code: 'studio', version: 2, is_default: false }),
    ]);
  });

  it('filters by status', async () => {
    await create({ publish: true });
    await add({});

    const listed = async (status: string) =>
      (await studio.client.api('listProductVersions', { query: { status } }, 200)).items.map(
        ({ version }: { version: number }) => version,
      );

    expect([await listed('published'), await listed('draft'), await listed('archived')]).toEqual([
      [1],
      [2],
      [],
    ]);
    await studio.client.api('listProductVersions', { query: { status: 'gone' } }, 400);
  });
});
