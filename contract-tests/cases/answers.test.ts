import {
  ADDRESSES,
  aConnectedAccount,
  aCustomer,
  anAdjustment,
  anAsset,
  aProduct,
  api,
  aSubscriber,
  aUnitPrice,
  aUsageEvent,
  aVendor,
  blackHole,
  building,
  call,
  check,
  expect,
  fillPath,
  type LooseParts,
  misshapenQuery,
  now,
  type OperationId,
  operationOf,
  refused,
  reversedPeriods,
  specifiedStatuses,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { idOf, nowhere, oneOfEach, operations, writes } from './shared/one-of-each.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { detailOf } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { dispatch } from './shared/webhooks.ts';

const reads = operations.filter(({ method }) => method === 'GET').map(idOf);

/** Every timestamp in a body: the fields whose name is that of a timestamp. */
function timestamps(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(timestamps);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /_at$|^valid_|^time$/.test(name) && typeof inner === 'string' ? [inner] : timestamps(inner),
  );
}

/** The fields that objects have. */
const SHAPES =
  'R-ACC-05 R-ACC-15 R-CONV-04 R-CUS-09 R-CUS-13 R-ERR-11 R-EVT-16 R-EVT-20 R-EVT-24 R-PRD-50 R-PRF-04 R-PRF-10 R-SUB-01 R-SUB-02 R-TSK-11 R-TSK-17 R-TSK-18 R-VND-12 R-WAL-03 R-WAL-42 R-WAL-45 R-WAL-50 R-WHK-01 R-WHK-02 R-WHK-05 R-WHK-06 R-WHK-08';

check(
  'X-28',
  { requirement: 'R-CONV-25', effect: 'E3', assumes: 'A-308' },
  'nullable fields and a required external_id without a value → present and null; an optional external_id → absent; lists without entries → present and empty',
  async () => {
    const made = await api('createCustomer', { body: { name: 'Contract bare' } }, 201);
    const shown = await detailOf(made);
    const vendor = await api('createVendor', { body: { name: 'Contract bare' } }, 201);
    const read = await api('getVendor', { path: { vendorId: vendor.id } }, 200);
    await aUsageEvent(made, 'contract.bare');
    const { items } = await api('listEvents', { query: { customer_id: made.id } }, 200);

    expect(shown).toMatchObject({ metadata: null, subscriptions: [], external_accounts: [] });
    expect(items).toMatchObject([{ external_id: null }]);
    expect(read).not.toHaveProperty('external_id');
  },
);

const DETAILS = [
  ['listCustomers', 'getCustomer', 'customerId', aCustomer],
  ['listAssets', 'getAsset', 'assetCode', anAsset],
  ['listProducts', 'getProduct', 'productId', aProduct],
  ['listVendors', 'getVendor', 'vendorId', aVendor],
] as const;

/** The id or code of any object of a list, for reading only: of the first that the account has, otherwise of a new one. */
const anyOf = (
  list: OperationId,
  make: () => Promise<{ readonly id?: string; readonly code?: string }>,
): Promise<string> =>
  building(list, async () => {
    const { items } = (await call(list, { query: { limit: 1 } }, [200])).body;
    const { id, code } = items[0] ?? (await make());
    return id ?? code;
  });

check(
  'X-80',
  { requirement: `${SHAPES} R-CONV-02 R-ERR-12`, effect: 'E0' },
  'every list, and what the account has → conforms to the OpenAPI document: declared status, required fields, types, closed enumerations; all timestamps are ISO 8601 in UTC; /accounts/self, /customers/stats, /products/versions and /webhooks/events are not read as ids',
  async () => {
    const seen: string[] = [];
    for (const list of reads.filter((id) => !operationOf(id).path.includes('{')))
      seen.push(...timestamps((await call(list, {}, [200])).body));
    for (const [list, read, name, make] of DETAILS) {
      const path = { [name]: await anyOf(list, make) };
      seen.push(...timestamps((await call(read, { path }, [200])).body));
    }
    expect(seen.length).toBeGreaterThan(0);
    for (const text of seen) {
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/);
      expect(Date.parse(text)).not.toBeNaN();
    }
  },
);

check(
  'X-81',
  { requirement: SHAPES, effect: 'E3' },
  'every read of what the suite made → conforms to the OpenAPI document: declared status, required fields, types, closed enumerations',
  async () => {
    const { ids, webhookId } = await oneOfEach({});
    const { id: account } = await aConnectedAccount();
    await dispatch({ id: webhookId } as never);
    for (const read of reads.filter((id) => id !== 'getTopUp')) {
      const path = { ...ids, ...(read === 'getConnectedAccount' && { accountId: account }) };
      const { body } = await call(read, { path }, [200]);
      if (body.items) expect(body.items.length, read).toBeGreaterThan(0);
    }
  },
);

const withBody = writes.filter(({ body }) => body);

check(
  'X-05',
  { requirement: 'R-CUS-35 R-ERR-01 R-ERR-07 R-ERR-08 R-ERR-22', effect: 'E1' },
  'syntactically broken JSON on each body operation → 400 problem with `type`, `title`, integer `status` = 400; one title for a type',
  async () => {
    const titles = new Map<string, string>();
    for (const write of withBody) {
      if (!specifiedStatuses(write).includes(400)) continue;
      const parts = { path: nowhere(idOf(write)), raw: '{"broken": ' };
      const { type, title, status } = (await call(idOf(write), parts, [400])).body;
      const about = `${write.id}: problem`;
      expect({ type, title, status }, about).toEqual({
        type: expect.any(String),
        title: titles.get(type) ?? expect.any(String),
        status: 400,
      });
      titles.set(type, title);
    }
  },
);

check(
  'X-19',
  { requirement: 'R-CUS-36 R-ERR-14 R-PRD-32 R-PRD-37 R-SUB-29 R-SUB-32', effect: 'E1' },
  'updates that require a body, sent without one → 400 or 422, never 204',
  async () => {
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
  },
);

check(
  'X-23',
  { requirement: 'R-ERR-15 R-ERR-16 R-ERR-23', effect: 'E1', assumes: 'A-204' },
  'bodies of 400 and 422 → JSON with detail, and as instance the path of the request without its query; 422 names all mistakes by field path and index, and nothing else',
  async () => {
    const { customer, product, subscription } = await aSubscriber();
    const [customerId, id, subscriptionId] = [customer.id, product.id, subscription.id];
    const { code: assetCode } = await anAsset();
    const before = now(-DAY_MS);
    const moved = { transaction_id: uuid(), asset: assetCode, amount: 0.001 };
    const topUp = { customer_id: customerId, amount: 0.001, currency: 'USD', ...ADDRESSES };
    const unknown = () => ({ products: [{ id: unknownId('prp') }] });
    const old = () => usageEvent('contract.old', { occurred_at: now(-500 * DAY_MS) });
    const events = [old(), usageEvent('contract.recent'), old()];
    const subscribed = (...subscriptions: object[]) => ({ name: 'Contract', subscriptions });
    const place = (index: number) => `subscriptions[${index}].products[0].id`;
    const cases: readonly (readonly [OperationId, LooseParts, string[]?])[] = [
      ['listCustomers', { query: { limit: 'x' } }],
      ['createCustomer', { raw: '{"broken": ' }],
      ['createCustomer', { body: { email: 'nobody' } }, ['email', 'name']],
      ['createCustomer', { body: subscribed(unknown(), unknown()) }, [place(0), place(1)]],
      [
        'submitEvents',
        { body: { customer_id: customerId, events } },
        ['events[0].occurred_at', 'events[2].occurred_at'],
      ],
      [
        'chargeWallet',
        { path: { customerId }, body: { transaction_id: uuid(), amount: 1 } },
        ['asset'],
      ],
      // Several rules, each of which could hide the others.
      [
        'chargeWallet',
        { path: { customerId }, body: { ...moved, package_size: 2 } },
        ['amount', 'input_volume'],
      ],
      [
        'adjustWallet',
        { path: { customerId }, body: { ...moved, reason: 'gift', expires_at: before } },
        ['amount', 'expires_at'],
      ],
      [
        'createTopUp',
        { body: { ...topUp, credit_expires_at: before, destination: { asset: 'CTNOWHERE' } } },
        ['amount', 'credit_expires_at', 'destination.asset'],
      ],
      [
        'setAssetRate',
        { path: { assetCode }, body: { source: 'ZZZ', rate: 1, valid_to: before } },
        ['source', 'valid_to'],
      ],
      [
        'updateSubscription',
        { path: { customerId, subscriptionId }, body: { renews_at: before } },
        ['failure_url', 'renews_at', 'return_url'],
      ],
      [
        'createProductVersion',
        {
          path: { productId: id },
          body: {
            prices: [aUnitPrice('contract.refused')],
            make_default: true,
            entitlements: [{ ...ENTITLEMENT, asset: 'CTNOWHERE' }],
          },
        },
        ['entitlements[0].asset', 'make_default'],
      ],
    ];
    for (const [operation, parts, places] of cases) {
      const { body, headers } = await call(operation, parts, places ? [422] : [400]);
      const asked = fillPath(operationOf(operation), parts);
      const about = `${operation} ${JSON.stringify(parts)}`;
      expect(body.detail, `${about}: detail`).toMatch(/\S/);
      expect(String(headers['content-type']), `${about}: content type`).toMatch(/json/);
      // What comes before is that of the base URL.
      expect(String(body.instance).slice(-asked.length), `${about}: instance`).toBe(asked);
      if (!places) continue;
      expect(Object.keys(body.errors).sort(), `${about}: errors`).toEqual(places);
      for (const messages of Object.values(body.errors))
        expect(messages, `${about}: messages`).toEqual([expect.any(String)]);
    }
  },
);

check(
  'X-24',
  { requirement: 'R-ERR-17', effect: 'E2', assumes: 'A-203' },
  'unknown field in a create body → 422 or 400 that names it, or accepted; unknown parameter of each write → 400',
  async (t) => {
    const body = { url: blackHole(), unheard_of: 1 };
    const { status, body: answer } = await call('createWebhook', { body }, [422, 400, 201]);
    const path = { webhookId: answer.id };
    if (status === 201) t.afterwards(() => call('deleteWebhook', { path }, [204]));
    t.observe('unknown_fields', status === 201 ? 'ignore' : 'reject');

    expect(status).toBe(422);
    expect(Object.keys(answer.errors)).toEqual(['unheard_of']);
    const query = { unheard_of: '1' };
    for (const write of writes.map(idOf))
      await call(write, { path: nowhere(write), body: query, query }, [400]);
  },
);

/** How many queries a read gets that are wrong in all their parameters. */
const TURNS = 6;

/** Queries of a read, each with its wrong parameters: all at once with their texts in turn, and each period by itself. */
function wrongQueries(
  read: OperationId,
): readonly (readonly [names: readonly string[], query: object])[] {
  const texts = [...misshapenQuery(read)];
  const most = Math.min(TURNS, Math.max(1, ...texts.map(([, values]) => values.length)));
  const combined = Array.from({ length: most }, (_, turn) => ({
    ...Object.fromEntries(texts.map(([name, values]) => [name, values[turn % values.length]])),
    unheard_of: '1',
  }));
  return [
    ...combined.map((query) => [Object.keys(query), query] as const),
    ...reversedPeriods(read).map(([name, query]) => [[name], query] as const),
  ];
}

/** Reads with periods, instants or words in their queries, and one more. */
const SELECTIVE: readonly OperationId[] = [
  ...([
    'listAssets',
    'listCustomerStats',
    'listGrants',
    'listEvents',
    'listTasks',
    'getVendorStats',
  ] as const),
  ...(['listWebhooks', 'listWebhookEvents'] as const),
];

for (const [id, of, these] of [
  ['X-32', 'other objects', reads.filter((read) => !SELECTIVE.includes(read))],
  ['X-121', 'assets, stats, grants, usage and webhooks', SELECTIVE],
] as const)
  check(
    id,
    {
      requirement: 'R-CONV-03 R-CUS-29 R-ERR-18 R-ERR-20',
      effect: 'E0',
      assumes: 'A-202 A-203 A-903',
    },
    `each read of ${of} with the parameters of its query malformed, out of range, almost a value that they take or a day before their period begins, and with an unknown one → 400 that names them all, none is ignored`,
    async () => {
      const [customer, product, vendor] = [await aCustomer(), await aProduct(), await aVendor()];
      await anAdjustment(customer);
      const ids = { customerId: customer.id, productId: product.id, vendorId: vendor.id };
      for (const read of these) {
        const path = { ...nowhere(read), ...ids, accountId: 'default:USD' };
        for (const [names, query] of wrongQueries(read)) {
          const { detail } = (await call(read, { path, query: { ...query } }, [400])).body;
          const unnamed = names.filter((name) => !detail.includes(name));
          expect(unnamed, `${read} with ${JSON.stringify(query)}: not in detail`).toEqual([]);
        }
      }
    },
  );
