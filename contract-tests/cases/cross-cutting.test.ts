import {
  aConnectedAccount,
  aCustomer,
  aDraftProduct,
  aFreshAccount,
  aFreshCustomer,
  allOperations,
  anAdjustment,
  anyOf,
  aProduct,
  api,
  aSubscriber,
  assuming,
  aVendor,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  expect,
  isOurs,
  type OperationId,
  operationOf,
  refused,
  send,
  specifiedStatuses,
  unique,
  unknownId,
  useUp,
  uuid,
  wrongKey,
} from '../kit/index.ts';

const operations = allOperations();
const reads = operations.filter(({ method }) => method === 'GET');
const writes = operations.filter(({ method }) => method !== 'GET');
const idOf = ({ id }: { readonly id: string }) => id as OperationId;

/** A path to nothing: every parameter an id that nobody has. */
function nowhere(operation: OperationId): Record<string, string> {
  const names = [...operationOf(operation).path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name) => [name as string, unknownId('none')]));
}

/** The lists that page by offset. */
const LISTS = [
  'listConnectedAccounts',
  'listAssets',
  'listCustomers',
  'listEvents',
  'listProducts',
  'listProductVersions',
  'listTasks',
  'listVendors',
  'listCustomerStats',
] as const;

type List = (typeof LISTS)[number];

async function page(list: List, query: object = {}): Promise<PageOf> {
  const { body } = await call(list, { query: query as never }, [200]);
  return body as PageOf;
}

interface PageOf {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total_count: number;
  readonly limit: number;
  readonly offset: number;
}

/** Reads whose 404 can be had: an unknown id where one is listed. */
const MISSING: readonly (readonly [OperationId, Record<string, string>?])[] = reads
  .filter((read) => specifiedStatuses(read).includes(404))
  .map(idOf)
  .filter((id) => id !== 'getAccountContext' && id !== 'listCustomers')
  .map((id) => [id]);

/** Every timestamp in a body, by its name. */
function timestamps(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(timestamps);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /_at$|^valid_|^time$/.test(name) && typeof inner === 'string' ? [inner] : timestamps(inner),
  );
}

describe('the key', () => {
  check(['X-01', 'X-03'], { effect: 'E0', title: 'reads without a key' }, async () => {
    for (const read of reads) {
      const { text } = await call(idOf(read), { path: nowhere(idOf(read)), key: null }, [401]);
      expect(text).toBe('');
    }
  });

  check('X-01', { effect: 'E1', title: 'writes without a key' }, async () => {
    for (const write of writes) {
      const parts = { path: nowhere(idOf(write)), body: { nothing: true }, key: null };
      const { text } = await call(idOf(write), parts, [401]);
      expect(text).toBe('');
    }
  });

  check('X-02', { effect: 'E0', title: 'reads with a wrong key' }, async () => {
    for (const read of reads)
      await call(idOf(read), { path: nowhere(idOf(read)), key: wrongKey() }, [401]);
  });

  check('X-02', { effect: 'E1', title: 'writes with a wrong key' }, async () => {
    for (const write of writes) {
      const parts = { path: nowhere(idOf(write)), body: { nothing: true }, key: wrongKey() };
      await call(idOf(write), parts, [401]);
    }
  });

  check('X-20', async (t) => {
    const bearer = await send('getAccountContext');
    t.observe('bearer token', bearer.status);

    expect(bearer.status).toBe(200);
  });

  check('X-21', async () => {
    const account = await aConnectedAccount();
    const customer = await aCustomer();
    const vendor = await aVendor();
    const actingFor = account.id;
    await call('getCustomer', { path: { customerId: customer.id }, actingFor }, [404]);
    await call('getVendor', { path: { vendorId: vendor.id }, actingFor }, [404]);
    const { body } = await call(
      'listVendors',
      { query: { external_id: vendor.external_id }, actingFor },
      [200],
    );

    expect(body.items).toEqual([]);
  });
});

describe('what is not there', () => {
  check('X-04', async () => {
    expect(MISSING.length).toBeGreaterThanOrEqual(15);
    for (const [operation] of MISSING) {
      const { text } = await call(operation, { path: nowhere(operation) }, [404]);
      expect(text).toBe('');
    }
    const { text } = await call(
      'listCustomers',
      { query: { external_id: unique('nobody') } },
      [404],
    );
    expect(text).toBe('');
  });

  check('X-16', async () => {
    expect(await api('getAccountContext', {}, 200)).toHaveProperty('environment');
    expect(await api('listCustomerStats', { query: { limit: 1 } }, 200)).toHaveProperty('summary');
    expect(await api('listProductVersions', { query: { limit: 1 } }, 200)).toHaveProperty('items');
    expect(await api('listWebhookEvents', { query: { limit: 1 } }, 200)).toHaveProperty(
      'pagination',
    );
  });

  check('X-17', async () => {
    // Read as /webhooks/test/{topic}/{account}: the account is unknown. Read the other way, a destination
    // named "test" is unknown. Either way nothing is dispatched.
    const path = { topic: 'test', connectedAccountId: 'subscription.activated' };
    await call('testConnectedWebhooks', { path, body: { status: 'x' } }, [404]);
  });
});

describe('bodies that cannot be read or accepted', () => {
  const withBody = writes.filter(({ body }) => body);

  check('X-05', async () => {
    for (const write of withBody) {
      if (!specifiedStatuses(write).includes(400)) continue;
      const { body } = await call(
        idOf(write),
        { path: nowhere(idOf(write)), raw: '{"broken": ' },
        [400],
      );
      expect(body).toMatchObject({
        type: expect.any(String),
        title: expect.any(String),
        status: 400,
      });
    }
  });

  check('X-06', async () => {
    await call('createCustomer', { body: { name: 42 } }, [422]);
    await call('createAsset', { body: { code: 'lower', name: 'Contract' } }, [422]);
    await call('createWebhook', { body: { url: 'nowhere' } }, [422]);
    await call('createTopUp', { body: { amount: 'ten' } }, [422]);
  });

  check('X-07', async () => {
    const seen = new Map<string, string>();
    for (const operation of ['createCustomer', 'createVendor', 'createAsset'] as const) {
      const { body } = await call(operation, { raw: '{"broken": ' }, [400]);
      expect(seen.get(body.type) ?? body.title).toBe(body.title);
      seen.set(body.type, body.title);
    }
  });

  check('X-19', async () => {
    const { id: customerId } = await aCustomer();
    const { id: productId } = await aProduct();
    const paths: readonly (readonly [OperationId, Record<string, string>])[] = [
      ['updateCustomer', { customerId }],
      ['createProductVersion', { productId }],
      ['updateProductVersion', { productId, version: '1' }],
    ];
    for (const [operation, path] of paths) await refused(operation, { path }, [400, 409, 422]);
    const { subscription } = await aSubscriber();
    const path = { customerId, subscriptionId: subscription.id, productId };
    await refused('updateSubscription', { path });
    await refused('updateSubscriptionProduct', { path });
  });

  check('X-23', async () => {
    const broken = await call('createCustomer', { raw: '{"broken": ' }, [400]);
    const twice = await call('createCustomer', { body: { email: 'nobody' } }, [422]);

    expect(broken.body.detail).toMatch(/\S/);
    expect(twice.body.detail).toMatch(/\S/);
    expect(String(twice.headers['content-type'])).toMatch(/json/);
    expect(Object.keys(twice.body.errors).sort()).toEqual(['email', 'name']);
    for (const messages of Object.values(twice.body.errors))
      expect(messages).toEqual([expect.any(String)]);
  });

  check('X-24', async (t) => {
    const body = { url: blackHole(), unheard_of: 1 };
    const { status, body: answer } = await call('createWebhook', { body }, [422, 400, 201]);
    const path = { webhookId: answer.id };
    if (status === 201) t.afterwards(() => call('deleteWebhook', { path }, [204]));
    t.observeSetting('unknown_fields', status === 201 ? 'ignore' : 'reject');

    expect(status).toBe(422);
    expect(Object.keys(answer.errors)).toEqual(['unheard_of']);
  });

  check('X-29', { effect: 'E1', title: 'refuses what is too long' }, async () => {
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v']));
    await refused('createVendor', { body: { name: 'x'.repeat(257) } });
    await refused('createCustomer', { body: { name: 'Contract', metadata } });
    await refused('createCustomer', {
      body: { name: 'Contract', metadata: { k: 'v'.repeat(513) } },
    });
  });

  check('X-29', { effect: 'E3', title: 'accepts 256 code points' }, async () => {
    const name = '😀'.repeat(256);
    const { id } = await aFreshCustomer({ name });

    expect(await api('getCustomer', { path: { customerId: id } }, 200)).toMatchObject({ name });
  });

  check('X-30', async () => {
    const { id: customerId } = await aCustomer();
    const adjust = (amount: string) =>
      refused('adjustWallet', {
        path: { customerId },
        raw: `{"transaction_id": "${uuid()}", "asset": "USD", "reason": "gift", "amount": ${amount}}`,
        contentType: 'application/json',
      });
    for (const amount of ['1234567890.123456', '0.12345678901', '1000000000000000', '1e308'])
      await adjust(amount);
  });

  check('X-33', async () => {
    for (const value of [1, { deep: 'er' }])
      await refused('createCustomer', { body: { name: 'Contract', metadata: { k: value } } });
  });
});

describe('answers', () => {
  check('X-08', async (t) => {
    const success = await call('listVendors', {}, [200]);
    const failure = await call('listVendors', { query: { limit: 'x' } }, [400, 422, 200]);
    t.observe('content type of problems', failure.headers['content-type']);

    expect(String(success.headers['content-type'])).toMatch(/^application\/json/);
  });

  check('X-09', async () => {
    const seen: string[] = [];
    for (const list of [
      'listConnectedAccounts',
      'listEvents',
      'listProducts',
      'listTasks',
    ] as const)
      seen.push(...timestamps((await call(list, { query: { limit: 20 } }, [200])).body));
    seen.push(...timestamps((await call('getAsset', { path: { assetCode: 'USD' } }, [200])).body));

    expect(seen.length).toBeGreaterThan(0);
    for (const text of seen) {
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/);
      expect(Date.parse(text)).not.toBeNaN();
    }
  });

  check('X-10', async (t) => {
    const webhook = await aWebhook(t);
    const product = await aDraftProduct(t);
    const version = await api(
      'getProductVersion',
      { path: { productId: product.id, version: '1' } },
      200,
    );

    expect(webhook.id).toMatch(/^(dst|whd)_/);
    expect(product.id).toMatch(/^prp_/);
    expect(version.prices[0]?.id).toMatch(/^prc_/);
  });

  check('X-18', async () => {
    const metadata = { plain: 'text', 'with space': 'ünï ✨', empty: '' };
    const { id } = await aFreshAccount({ metadata });
    const bare = await aFreshAccount({ metadata: null });
    const read = async (accountId: string) =>
      (await api('getConnectedAccount', { path: { accountId } }, 200)).metadata;

    expect(await read(id)).toEqual(metadata);
    expect((await read(bare.id)) ?? null).toBeNull();
  });

  check('X-27', async () => {
    const body = { name: 'Contract nulls', external_id: null, email: null, metadata: null };
    const made = await useUp('customer', () => api('createCustomer', { body } as never, 201));
    const shown = await api('getCustomer', { path: { customerId: made.id } }, 200);

    expect([shown.external_id ?? null, shown.email ?? null, shown.metadata ?? null]).toEqual([
      null,
      null,
      null,
    ]);
  });

  check('X-28', async () => {
    const made = await useUp('customer', () =>
      api('createCustomer', { body: { name: 'Contract bare' } }, 201),
    );
    const shown = await api('getCustomer', { path: { customerId: made.id } }, 200);
    const vendor = await useUp('vendor', () =>
      api('createVendor', { body: { name: 'Contract bare' } }, 201),
    );
    const read = await api('getVendor', { path: { vendorId: vendor.id } }, 200);

    expect(shown).toMatchObject({ metadata: null, subscriptions: [], external_accounts: [] });
    expect(read).toMatchObject({ external_id: null });
  });

  check('X-22', async () => {
    for (const kind of ['customer', 'asset', 'product', 'vendor'] as const) {
      const id = await anyOf(kind);
      const read = {
        customer: 'getCustomer',
        asset: 'getAsset',
        product: 'getProduct',
        vendor: 'getVendor',
      };
      const path = { customerId: id, assetCode: id, productId: id, vendorId: id };
      await call(read[kind] as OperationId, { path }, [200]);
    }
  });
});

describe('pages', () => {
  check('X-11', async () => {
    for (const list of LISTS) {
      const { items, total_count, limit, offset } = await page(list, { limit: 3 });
      expect(items.length).toBeLessThanOrEqual(3);
      expect(total_count).toBeGreaterThanOrEqual(items.length);
      expect([limit, offset]).toEqual([3, 0]);
    }
  });

  check('X-12', async () => {
    for (const list of LISTS) expect(await page(list)).toMatchObject({ limit: 100, offset: 0 });
  });

  check('X-13', async () => {
    for (let count = 0; isOurs() && count < 3; count += 1) await aVendor();
    await anyOf('product');
    for (const list of ['listAssets', 'listProducts', 'listVendors'] as const) {
      const whole = await page(list, { limit: 20 });
      const walked: unknown[] = [];
      for (let offset = 0; offset < whole.items.length; offset += 1) {
        const one = await page(list, { limit: 1, offset });
        expect(one.total_count).toBe(whole.total_count);
        expect(one.items).toHaveLength(1);
        walked.push(...one.items);
      }
      expect(walked).toEqual(whole.items);
    }
  });

  check('X-14', async () => {
    for (const list of LISTS) {
      const { total_count } = await page(list, { limit: 1 });
      const past = await page(list, { limit: 1, offset: total_count + 1000 });
      expect(past.items).toEqual([]);
      expect(past.total_count).toBe(total_count);
    }
  });

  check('X-15', async (t) => {
    for (const limit of [0, -1, 'text', 10_000]) {
      const { status } = await call('listVendors', { query: { limit } }, [200, 400, 422]);
      t.observe(`limit ${limit}`, status);
      await assuming('A-305', t, async () => expect(status).toBe(400));
    }
  });

  check('X-31', async () => {
    await anyOf('vendor');
    for (const list of ['listConnectedAccounts', 'listProducts', 'listVendors'] as const) {
      const moments = (await page(list, { limit: 50 })).items.map((item) =>
        String(item['created_at']),
      );
      expect(moments).toEqual([...moments].sort().reverse());
    }
  });
});

describe('queries that are wrong', () => {
  check('X-25', async (t) => {
    const { status, body } = await call('listVendors', { query: { unheard_of: 1 } }, [400, 200]);
    t.observe('unknown query parameter', status);

    expect(status).toBe(400);
    expect(body.detail).toContain('unheard_of');
  });

  check('X-26', async (t) => {
    const { status } = await call(
      'getVendor',
      { path: { vendorId: '' }, isPlainPath: true },
      [404, 200],
    );
    t.observe('path with an empty segment', status);

    expect(status).toBe(404);
  });

  check('X-34', async () => {
    const removals = ['deleteProduct', 'archiveProductVersion', 'deleteWebhook'] as const;
    const path = { productId: '%zz', version: '%zz', webhookId: '%zz' };
    for (const operation of removals) {
      const { body } = await call(operation, { path, isRawPath: true }, [400]);
      expect(body.status).toBe(400);
    }
  });

  check('X-32', async () => {
    const wrong: readonly (readonly [OperationId, object])[] = [
      ['listEvents', { period_from: 'yesterday' }],
      ['listEvents', { has_fees: 'maybe' }],
      ['listEvents', { event_id: 'not-a-uuid' }],
      ['listTasks', { created_from: '2026-13-01' }],
      ['listTasks', { sort: 'name' }],
      ['listCustomers', { status: 'paused' }],
      ['listCustomerStats', { period_to: '2026-02-30' }],
      ['listProductVersions', { status: 'ready' }],
      ['listWebhooks', { enabled: 'perhaps' }],
      ['listWebhookEvents', { time_gte: 'noon' }],
      ['listWebhookEvents', { status: 'Pending' }],
    ];
    for (const [operation, query] of wrong)
      await call(operation, { query: query as Record<string, unknown> }, [400]);
    const customer = await aCustomer();
    await anAdjustment(customer);
    const path = { customerId: customer.id, accountId: 'default:USD' };
    await call('listGrants', { path, query: { effective_from: 'noon' } }, [400]);
  });
});
