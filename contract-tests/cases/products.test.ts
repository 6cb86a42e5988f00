import {
  aCustomer,
  aDraftProduct,
  aFixedPrice,
  aFreshCustomer,
  aFreshProduct,
  anAsset,
  aProduct,
  api,
  aSubscriber,
  aUnitPrice,
  type Body,
  call,
  check,
  describe,
  expect,
  type OwnProduct,
  refused,
  unique,
  unknownId,
  usageEvent,
  useUp,
} from '../kit/index.ts';

type Version = Body<'getProductVersion', 200>;

async function versionOf(
  { id }: Pick<OwnProduct, 'id'>,
  version: string | number = 'default',
): Promise<Version> {
  return api('getProductVersion', { path: { productId: id, version: String(version) } }, 200);
}

async function addVersion({ id }: Pick<OwnProduct, 'id'>, body: object) {
  return api('createProductVersion', { path: { productId: id }, body: body as never }, 201);
}

const ENTITLEMENT = { name: 'Included', asset: 'USD', amount: 5, purpose: 'bundled' } as const;

/** A product body with one price or entitlement changed. */
const withPrice = (changes: object) => ({
  name: 'Contract refused',
  code: unique('refused'),
  prices: [{ ...aUnitPrice('contract.call'), ...changes }],
});

const withEntitlement = (changes: object) => ({
  name: 'Contract refused',
  code: unique('refused'),
  entitlements: [{ ...ENTITLEMENT, ...changes }],
});

function refuse(body: object) {
  return refused('createProduct', { body });
}

function omit(whole: object, name: string): object {
  return Object.fromEntries(Object.entries(whole).filter(([field]) => field !== name));
}

describe('createProduct', () => {
  check('PRD-01', async () => {
    const code = unique('product');
    const prices = [aUnitPrice('contract.call')];
    const body = { name: 'Contract new', code, prices, publish: true } as never;
    const made = await useUp('product', () => api('createProduct', { body }, 201));

    expect(made).toMatchObject({ code, version: 1, status: 'published', is_default: true });
    expect(made.id).toMatch(/^prp_/);
  });

  check('PRD-16', async () => {
    const { code } = await aProduct();
    const whole = { name: 'Contract', code: unique('refused'), prices: [aUnitPrice('c')] };
    await refuse(omit(whole, 'name'));
    await refuse(omit(whole, 'code'));
    await refuse({ ...whole, code });
  });

  check('PRD-17', async (t) => {
    const volume = {
      name: 'Tokens',
      type: 'usage_based',
      billing_model: { type: 'real_time' },
      usage_calculation: {
        event_type: 'contract.call',
        usage_type: 'volume',
        volume_field: 'tokens',
        billable_dimensions: ['model'],
      },
      pricing: [
        {
          asset: 'USD',
          values: [
            { name: 'Large', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1000 },
            { name: 'Other', dimensions: { model: '*' }, volume_rate: 2, package_size: 1000 },
          ],
        },
      ],
    };
    const product = await aDraftProduct(t, { prices: [aFixedPrice(20), volume] });
    const { prices } = await versionOf(product, 1);

    expect(prices).toHaveLength(2);
    expect(prices[0]).toMatchObject(aFixedPrice(20));
    expect(prices[1]).toMatchObject(volume);
    for (const { id } of prices) expect(id).toMatch(/^prc_/);
  });

  check('PRD-18', async () => {
    const { code: custom } = await anAsset();
    const calculation = { event_type: 'c', usage_type: 'unit' };
    const fixed = (changes: object) => refuse(withPrice({ ...aFixedPrice(), ...changes }));
    const value = { unit_price: 1, dimensions: { a: 'b' } };
    await refuse({
      ...withPrice({}),
      prices: [{ ...aFixedPrice(), usage_calculation: calculation }],
    });
    await refuse({
      ...withPrice({}),
      prices: [{ ...aFixedPrice(), pricing: [{ asset: 'USD', values: [value] }] }],
    });
    await refuse({
      ...withPrice({}),
      prices: [{ ...aFixedPrice(), pricing: [{ asset: custom, values: [{ unit_price: 1 }] }] }],
    });
    await fixed({ type: 'metered' });
    await fixed({ billing_model: { type: 'recurring', recurring: { interval: 'decade' } } });
  });

  check('PRD-19', async () => {
    const volume = { event_type: 'c', usage_type: 'volume' };
    await refuse({ ...withPrice({}), prices: [omit(aUnitPrice('c'), 'usage_calculation')] });
    await refuse(withPrice({ usage_calculation: volume }));
    await refuse(withPrice({ pricing: [{ asset: 'USD', values: [{}] }] }));
  });

  check('PRD-20', async (t) => {
    const entitlement = {
      ...ENTITLEMENT,
      purpose: 'promotion',
      lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
      accounting: { revenue_basis: 0.5, cost_basis: 'auto' },
    };
    const product = await aDraftProduct(t, { entitlements: [entitlement] });
    const { entitlements } = await versionOf(product, 1);

    expect(entitlements).toEqual([expect.objectContaining(omit(entitlement, 'lifecycle'))]);
    expect(entitlements[0]?.lifecycle).toMatchObject(entitlement.lifecycle);
    await refuse(withEntitlement({ purpose: 'goodwill' }));
  });

  check('PRD-25', async (t) => {
    const nested = { name: 'Nested', values: [{ unit_price: 0.5 }] };
    const price = { ...aUnitPrice('c'), pricing: [{ asset: 'USD', values: [nested] }] };
    const product = await aDraftProduct(t, { prices: [price] });
    const { prices } = await versionOf(product, 1);

    expect(prices[0]?.pricing[0]?.values).toEqual([{ name: 'Nested', unit_price: 0.5 }]);
  });

  check('PRD-27', async () => {
    await refuse(withEntitlement({ asset: 'CTNOWHERE' }));
    await refuse(withEntitlement({ amount: 0 }));
    await refuse(withEntitlement({ lifecycle: { duration: 'decade' } }));
  });

  check('PRD-28', async () => {
    for (const field of ['name', 'type', 'billing_model', 'pricing'])
      await refuse({ ...withPrice({}), prices: [omit(aUnitPrice('c'), field)] });
    for (const field of ['name', 'asset', 'amount', 'purpose'])
      await refuse({ ...withEntitlement({}), entitlements: [omit(ENTITLEMENT, field)] });
    await refuse(withPrice({ id: 'prc_mine' }));
  });
});

describe('listProducts', () => {
  check('PRD-02', async () => {
    const { id, code } = await aProduct();
    const { items } = await api('listProducts', { query: { code } }, 200);
    const none = await api('listProducts', { query: { code: unique('nowhere') } }, 200);

    expect(items).toEqual([expect.objectContaining({ id, code })]);
    expect(none.items).toEqual([]);
  });
});

describe('listProductVersions', () => {
  check('PRD-10', async () => {
    await aProduct();
    const query = { status: 'published', limit: 1000 } as const;
    const { items } = await api('listProductVersions', { query }, 200);

    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['published']));
  });
});

describe('getProduct', () => {
  check('PRD-03', async () => {
    const { id, version } = await aProduct();
    const product = await api('getProduct', { path: { productId: id } }, 200);

    expect(product.versions.map((one) => one.version)).toContain(version);
    expect(await versionOf({ id }, version)).toEqual(await versionOf({ id }));
    await api('getProductVersion', { path: { productId: id, version: '31000' } }, 404);
    await api('getProduct', { path: { productId: unknownId('prp') } }, 404);
  });
});

describe('createProductVersion', () => {
  check('PRD-04', async () => {
    const product = await aFreshProduct();
    const first = await versionOf(product, 1);
    await addVersion(product, { prices: [aUnitPrice(product.eventType, 9)], publish: true });

    expect(await versionOf(product, 1)).toEqual(first);
    expect((await versionOf(product, 2)).version).toBe(2);
  });

  check('PRD-21', async () => {
    const product = await aFreshProduct();
    const first = await versionOf(product, 1);
    const made = await addVersion(product, { name: 'Contract renamed' });
    const second = await versionOf(product, 2);

    expect(made).toMatchObject({ id: product.id, code: product.code, version: 2, status: 'draft' });
    expect(made.is_default).toBe(false);
    expect(second.name).toBe('Contract renamed');
    expect(second.prices.map((price) => omit(price, 'id'))).toEqual(
      first.prices.map((price) => omit(price, 'id')),
    );
    expect(second.prices[0]?.id).not.toBe(first.prices[0]?.id);
  });

  check('PRD-22', async () => {
    const product = await aFreshProduct();
    await addVersion(product, { publish: true });
    const kept = await versionOf(product);
    await addVersion(product, { publish: true, make_default: true });
    const moved = await versionOf(product);

    expect([kept.version, moved.version]).toEqual([1, 3]);
  });
});

describe('updateProductVersion', () => {
  check('PRD-05', async () => {
    const { id, version } = await aProduct();
    const path = { productId: id, version: String(version) };
    const { text } = await call(
      'updateProductVersion',
      { path, body: { name: 'Contract' } },
      [409],
    );

    expect(text).toBe('');
  });

  check('PRD-15', async (t) => {
    const product = await aDraftProduct(t);
    const path = { productId: product.id, version: '1' };
    await api('updateProductVersion', { path, body: { name: 'Contract edited' } }, 204);
    const edited = await versionOf(product, 1);
    await api('updateProductVersion', { path, body: { publish: true } }, 204);
    const published = await versionOf(product, 1);

    expect([edited.name, edited.status]).toEqual(['Contract edited', 'draft']);
    expect(published.status).toBe('published');
    expect(Date.parse(published.published_at ?? '')).not.toBeNaN();
  });
});

describe('archiveProductVersion', () => {
  check('PRD-06', async () => {
    const product = await aFreshProduct();
    const customer = await aCustomer();
    const path = { productId: product.id, version: '1' };
    await api('archiveProductVersion', { path }, 204);
    const archived = await versionOf(product, 1);
    const body = { products: [{ id: product.id, version: 1 }] };
    await refused('createSubscription', { path: { customerId: customer.id }, body });

    expect(archived.status).toBe('archived');
  });

  check('PRD-23', async () => {
    const product = await aFreshProduct();
    await addVersion(product, { publish: true });
    await api('archiveProductVersion', { path: { productId: product.id, version: '1' } }, 204);

    expect((await versionOf(product)).version).toBe(2);
  });
});

describe('deleteProduct', () => {
  check('PRD-07', async (t) => {
    const { id } = await aDraftProduct(t);
    const { text } = await call('deleteProduct', { path: { productId: id } }, [204]);

    expect(text).toBe('');
    await api('getProduct', { path: { productId: id } }, 404);
  });

  check('PRD-08', async () => {
    const product = await aFreshProduct();
    const customer = await aFreshCustomer();
    const body = { products: [{ id: product.id }] };
    await api('createSubscription', { path: { customerId: customer.id }, body }, 201);
    await api('deleteProduct', { path: { productId: product.id } }, 204);

    expect(await api('getProduct', { path: { productId: product.id } }, 200)).toMatchObject({
      id: product.id,
      archived: true,
    });
    expect((await versionOf(product, 1)).status).toBe('archived');
  });

  check('PRD-24', async (t) => {
    const { id, code } = await aDraftProduct(t);
    await api('deleteProduct', { path: { productId: id } }, 204);
    const again = await aDraftProduct(t, { code });

    expect(again.id).not.toBe(id);
  });
});

describe('writes to what is not there', () => {
  check('PRD-14', async (t) => {
    const path = { productId: unknownId('prp'), version: '1' };
    const statuses = [422, 404, 400];
    const seen = [
      await call('deleteProduct', { path }, statuses),
      await call('archiveProductVersion', { path }, statuses),
      await call('createProductVersion', { path, body: { name: 'Contract' } }, statuses),
      await call('updateProductVersion', { path, body: { name: 'Contract' } }, statuses),
      await call('simulateUsage', { path, body: { events: [usageEvent('c')] } }, statuses),
    ].map(({ status }) => status);
    t.observe('unknown product', seen.join(', '));

    expect(seen).toEqual([422, 422, 422, 422, 422]);
  });

  check('PRD-13', async () => {
    const { id } = await aProduct();
    for (const version of ['abc', '40000', '-1', '1.5']) {
      const path = { productId: id, version };
      await call('getProductVersion', { path }, [404, 400, 422]);
      await refused('updateProductVersion', { path, body: { name: 'Contract' } }, [404, 400, 422]);
      await refused('archiveProductVersion', { path }, [404, 400, 422]);
      const body = { events: [usageEvent('contract')] };
      await refused('simulateUsage', { path, body }, [404, 400, 422]);
    }
  });
});

describe('listSubscribers', () => {
  check('PRD-09', async () => {
    const { customer, product } = await aSubscriber();
    const path = { productId: product.id };
    const { items } = await api('listSubscribers', { path, query: { limit: 1000 } }, 200);

    expect(items).toContainEqual(expect.objectContaining({ id: customer.id }));
    const past = await api('listSubscribers', { path, query: { offset: 100_000 } }, 200);
    const none = await api('listSubscribers', { path: { productId: unknownId('prp') } }, 200);
    expect(past.items).toEqual([]);
    expect(none.items).toEqual([]);
  });
});

describe('simulateUsage', () => {
  check('PRD-11', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const path = { productId: product.id, version: String(product.version) };
    const seen = async () => [
      await api('getWallet', { path: { customerId: customer.id } }, 200),
      await api('getCustomerStats', { path: { customerId: customer.id } }, 200),
    ];
    const before = await seen();
    const body = { customer_id: customer.id, events: [event] } as never;
    await api('simulateUsage', { path, body }, 200);

    expect(await seen()).toEqual(before);
    await api('getEvent', { path: { eventId: event.id } }, 404);
  });

  check('PRD-12', async () => {
    const { customer, product } = await aSubscriber();
    const event = usageEvent(product.eventType);
    const path = { productId: product.id, version: String(product.version) };
    const { events } = await api(
      'simulateUsage',
      { path, body: { events: [event] } as never },
      200,
    );
    const body = { customer_id: customer.id, events: [event] } as never;
    await call('submitEvents', { body }, [204]);
    const real = await api('getEvent', { path: { eventId: event.id } }, 200);

    expect(events[0]?.fees.map((fee) => omit(fee, 'id'))).toEqual(
      real.fees.map((fee) => omit(fee, 'id')),
    );
    expect(real.fees.map(({ amount }) => amount)).toEqual([0.25]);
  });
});

describe('entitlements', () => {
  check('PRD-26', async () => {
    const product = await aFreshProduct({
      entitlements: [
        { ...ENTITLEMENT, amount: 5 },
        { ...ENTITLEMENT, name: 'Welcome', amount: 2, purpose: 'promotion' },
      ],
    });
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    await api('createSubscription', { path, body: { products: [{ id: product.id }] } }, 201);
    const { items } = await api('listGrants', { path: { ...path, accountId: 'default:USD' } }, 200);

    expect(items.map(({ amount, purpose, source }) => [amount, purpose, source])).toEqual([
      [2, 'promotion', 'entitlement'],
      [5, 'bundled', 'entitlement'],
    ]);
  });
});
