import { describe, expect, it } from 'vitest';
import { GIFT, openStudio } from '../../testing/before-each.ts';
import { DEARER, IMAGE_PRICE } from '../../testing/catalog.ts';

const studio = openStudio();
const { create, add, change, close, show, recordOf, standing } = studio;

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

  it('keeps a published default when another version is published', async () => {
    await create({ publish: true });
    await add({});

    await change(2, { publish: true });

    expect(await standing()).toEqual(['published published', 1]);
  });

  it('makes a published version the default if the default is a draft', async () => {
    await create({});
    await add({});

    await change(2, { publish: true });

    expect(await standing()).toEqual(['draft published', 2]);
  });

  it('makes a version the default on publication or later', async () => {
    await create({ publish: true });
    await add({});

    await change(2, { publish: true, make_default: true });
    expect(await standing()).toEqual(['published published', 2]);
    await change(1, { make_default: true });
    expect(await standing()).toEqual(['published published', 1]);
    await change(1, { make_default: false });
    await change(2, {});
    expect(await standing()).toEqual(['published published', 1]);
  });

  it('publishes a published version without effect, and makes it the default with make_default', async () => {
    await create({ publish: true });
    await add({ publish: true });

    await change(2, { publish: true });
    expect(await standing()).toEqual(['published published', 1]);
    await change(2, { publish: true, make_default: true });
    expect(await standing()).toEqual(['published published', 2]);
  });

  it('rejects make_default for a draft', async () => {
    await create({ publish: true });
    await add({});

    expect((await change(2, { make_default: true }, 422)).errors).toHaveProperty('make_default');
  });

  it('returns 409 for other changes of a published version and any of an archived one', async () => {
    await create({ publish: true });
    for (const body of [
      { name: 'Other' },
      { description: null },
      { publish: false },
      { publish: true, name: 'Studio' },
      { publish: true, prices: [DEARER] },
      { make_default: true, prices: [DEARER] },
    ])
      await change(1, body, 409);
    await close(1);

    await change(1, {}, 409);
    await change(1, { make_default: true }, 409);

    expect(await show(1)).toMatchObject({ name: 'Studio', status: 'archived' });
  });

  it('rejects a change that leaves a draft without prices, and reports invalid prices at their field', async () => {
    await create({});
    const broken = { ...IMAGE_PRICE, pricing: [{ asset: 'GOLD', values: [{ unit_price: 1 }] }] };

    for (const prices of [[], null])
      expect((await change(1, { prices }, 422)).errors).toHaveProperty('prices');
    expect((await change(1, { prices: [broken] }, 422)).errors).toHaveProperty([
      'prices[0].pricing[0].asset',
    ]);
    expect((await show(1)).prices).toHaveLength(1);
  });

  it('reports an unknown product or version at its path parameter', async () => {
    await create({});

    expect((await change(2, {}, 422)).errors).toEqual({ version: ['No such version.'] });
    expect((await change('one', {}, 422)).errors).toEqual({ version: ['No such version.'] });
    await close(1);
    expect((await change('default', {}, 422)).errors).toEqual({
      version: ['The product has no default version.'],
    });
    studio.productId = 'prp_none';
    expect((await change(1, {}, 422)).errors).toEqual({ productId: ['No such product.'] });
  });
});

describe('archiveProductVersion', () => {
  it('moves the default to the newest published version, then to none', async () => {
    await create({ publish: true });
    await add({ publish: true });
    await add({ publish: true, make_default: true });
    await add({});

    await close('default');
    expect(await standing()).toEqual(['published published archived draft', 2]);
    await close(1);
    expect(await standing()).toEqual(['archived published archived draft', 2]);
    await close(2);
    expect(await standing()).toEqual(['archived archived archived draft', undefined]);
  });

  it('can be repeated', async () => {
    await create({ publish: true });

    await close(1);
    await close(1);

    expect(recordOf(1)).toMatchObject({
      published_at: '2026-01-15T12:00:00.000Z',
      archived_at: '2026-01-15T12:00:00.000Z',
    });
  });

  it('makes the next published version the default', async () => {
    await create({ publish: true });
    await close(1);

    expect(await add({})).toMatchObject({ is_default: false });
    expect(await add({ publish: true })).toMatchObject({ version: 3, is_default: true });
  });

  it('closes the version to new subscriptions and keeps the existing ones', async () => {
    await create({ publish: true });
    const subscriptions = [{ products: [{ id: studio.productId }] }];
    await studio.client.api('createCustomer', { body: { name: 'Acme', subscriptions } }, 201);

    await close(1);

    const late = {
      name: 'Late',
      subscriptions: [{ products: [{ id: studio.productId, version: 1 }] }],
    };
    await studio.client.api('createCustomer', { body: late }, 422);
    const page = await studio.client.api(
      'listSubscribers',
      { path: { productId: studio.productId } },
      200,
    );
    expect(page.items).toMatchObject([{ subscription_status: 'active', version: 1 }]);
  });

  it('reports an unknown product or version at its path parameter', async () => {
    await create({});

    expect((await close('x', 422)).errors).toEqual({ version: ['No such version.'] });
    studio.productId = 'prp_none';
    expect((await close(1, 422)).errors).toEqual({ productId: ['No such product.'] });
  });
});
