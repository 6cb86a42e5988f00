import {
  ADDRESSES,
  aCustomer,
  aCustomerWorld,
  aDraftProduct,
  aFixedPrice,
  aFreshProduct,
  aProduct,
  assuming,
  aUnitPrice,
  check,
  expect,
  type LooseParts,
  misshapen,
  now,
  type OperationId,
  table,
  unknownId,
  type WorldCall,
} from '../kit/index.ts';
import {
  combined,
  each,
  expectNamed,
  expectPlaces,
  expectRejected,
  expectUnchanged,
  omit,
  type Resource,
  SHARED_OBJECTS,
  spoiled,
} from './shared/fields.ts';
import { oneOfEach, seen, WRITES } from './shared/one-of-each.ts';
import { ENTITLEMENT } from './shared/products.ts';
import * as assets from './shared/rows/assets.ts';
import * as money from './shared/rows/money.ts';
import * as products from './shared/rows/products.ts';
import * as roots from './shared/rows/roots.ts';
import * as usage from './shared/rows/usage.ts';
import { detailOf, ONE_TIME, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

type Resources = Readonly<Record<string, Resource>>;

const { customerUpdates, ...newRoots } = roots;
const { assets: newAssets, ...rates } = assets;
const ROOTS: Resources = { ...newRoots, assets: newAssets };
const CATALOG: Resources = products;
const { topUps, ...movements } = money;
const MONEY: Resources = money;
const USED: Resources = { customerUpdates, ...rates, ...usage };

const OF_ROOTS = 'accounts, customers, vendors, assets and destinations';
const OF_CATALOG = 'products, prices and entitlements';
const OF_MONEY = 'adjustments, charges and top-ups';
const OF_USED = 'updates of customers, rates, quotes, events and costs';

for (const [id, of, resources, requirement] of [
  [
    'X-06',
    `${OF_ROOTS}, ${OF_CATALOG}`,
    { ...ROOTS, ...CATALOG },
    'R-ACC-02 R-AST-01 R-AST-03 R-AST-04 R-AST-05 R-AST-09 R-CUS-01 R-CUS-03 R-CUS-07 R-LIM-05 R-LIM-06 R-LIM-07 R-WHK-13 R-WHK-36',
  ],
  ['X-104', OF_MONEY, MONEY, 'R-CONV-15 R-CONV-16 R-TOP-01 R-TOP-02 R-WAL-12'],
  [
    'X-115',
    OF_USED,
    USED,
    'R-AST-22 R-AST-26 R-AST-27 R-AST-31 R-CONV-17 R-EVT-03 R-EVT-04 R-EVT-05 R-EVT-06 R-EVT-11 R-EVT-12 R-EVT-33',
  ],
] as const)
  table(
    id,
    { requirement: `R-CONV-19 R-ERR-02 R-ERR-22 ${requirement}`, effect: 'E1', partly: 'A-204' },
    `${of}: well-formed JSON with fields that are missing, invalid, of another type or no Unicode → 422 that names these alone, and nothing changes`,
    resources,
    async (resource, t) => {
      const rules = await resource(SHARED_OBJECTS, t);
      await expectRejected(rules, rules.wrong ?? []);
    },
  );

table(
  'X-109',
  {
    requirement: 'R-ACC-04 R-AST-02 R-CUS-02 R-PRD-43 R-VND-14',
    effect: 'E1',
    partly: 'A-204 A-501 A-904',
  },
  'an object with a key that another one has, and beside another error → 422 that names the key alone, and both, and nothing changes',
  { ...ROOTS, products: products.products, customerUpdates },
  async (resource, t) => {
    const rules = await resource(SHARED_OBJECTS, t);
    const [make, assumption] = rules.taken ?? [];
    if (!make) return;
    const expectTaken = async () => expectRejected(rules, [await make()]);
    await (assumption === undefined ? expectTaken() : assuming(assumption, expectTaken));
    const { besides } = rules;
    if (!besides) return;
    await assuming('A-204', async () => {
      const both = { ...(await make()), ...besides };
      await expectPlaces(rules.operation, await rules.request(both), Object.keys(both));
    });
  },
);

for (const [id, of, resources, own] of [
  ['X-102', OF_ROOTS, ROOTS, ''],
  ['X-108', OF_CATALOG, CATALOG, ' R-PRD-56 R-PRD-60'],
  ['X-105', 'adjustments and charges', movements, ' R-WAL-60'],
  ['X-114', 'top-ups', { topUps }, ' R-TOP-17'],
  ['X-111', OF_USED, USED, ' R-EVT-50 R-EVT-51 R-LIM-17'],
] as const)
  table(
    id,
    {
      requirement: `R-CONV-22 R-CONV-23${own}`,
      effect: 'E1',
      partly:
        'A-204 A-303 A-304 A-306 A-404 A-501 A-505 A-506 A-511 A-702 A-704 A-801 A-804 A-1101 A-1201',
    },
    `${of}: texts, metadata, lists and numbers beyond each assumed limit in length, size, digits, decimals or magnitude, and references that do not fit → 422 that names these alone, and nothing changes`,
    resources,
    async (resource, t) => {
      const rules = await resource(SHARED_OBJECTS, t);
      await expectUnchanged(rules, async () => {
        for (const [assumption, rows] of Object.entries(rules.beyond ?? {}))
          await assuming(assumption, () => expectNamed(rules, rows));
      });
    },
  );

/** Expects that a right body, spoiled in each place, is rejected for these places. */
async function expectSpoiled(
  operation: OperationId,
  { path, body }: Pick<LooseParts, 'path' | 'body'>,
): Promise<void> {
  const right = body as object;
  for (const group of combined(misshapen(operation, right))) {
    const request = (mistakes: typeof group) => ({
      ...(path && { path }),
      body: spoiled(right, mistakes),
    });
    const places = group.map(({ place }) => place);
    const alone = async (index: number) => request(group.slice(index, index + 1));
    await expectPlaces(operation, request(group), places, alone);
  }
}

/** Resources of the catalog by the form of their bodies, which others share. */
const { fixedPrices, usagePrices, entitlements } = products;
const SHAPES = { products: products.products, fixedPrices, usagePrices, entitlements };

const MISSHAPEN =
  'each body that is right but for some fields or items, at any depth, with a value of another JSON type, a listed text that is no Unicode, left out although they are required, or unknown → 422 that names these alone, and nothing changes';

for (const [id, of, resources, own] of [
  ['X-103', OF_ROOTS, ROOTS, ' R-VND-11'],
  ['X-112', OF_CATALOG, SHAPES, ' R-PRD-01 R-PRD-58'],
  ['X-106', OF_MONEY, MONEY, ' R-WAL-38 R-WAL-40'],
  ['X-116', OF_USED, USED, ' R-EVT-62'],
] as const)
  table(
    id,
    {
      requirement: `R-ERR-02 R-ERR-17 R-ERR-22 R-ERR-23${own}`,
      effect: 'E1',
      assumes: 'A-202 A-203 A-204',
    },
    `${of}: ${MISSHAPEN}`,
    resources,
    async (resource, t) => {
      const rules = await resource(SHARED_OBJECTS, t);
      const request = await rules.request(rules.kept[0] ?? {});
      await expectUnchanged(rules, () => expectSpoiled(rules.operation, request));
    },
  );

/** Writes below an object of the caller that no resource above makes. */
const BELOW: readonly OperationId[] = [
  ...(['createSubscription', 'updateSubscription', 'updateSubscriptionProduct'] as const),
  ...(['createProductVersion', 'updateProductVersion', 'simulateUsage', 'updateWebhook'] as const),
];

check(
  'X-113',
  {
    requirement: 'R-ERR-02 R-ERR-17 R-ERR-22 R-ERR-23',
    effect: 'E1',
    assumes: 'A-202 A-203 A-204',
  },
  `subscriptions, versions, a simulation and an update of a destination: ${MISSHAPEN}`,
  async () => {
    const own = await oneOfEach({});
    const before = await seen(own);
    for (const operation of BELOW)
      await expectSpoiled(operation, { path: own.ids, body: WRITES[operation]?.(own) });
    expect(await seen(own)).toEqual(before);
  },
);

check(
  'SUB-03',
  {
    requirement:
      'R-LIM-08 R-SUB-07 R-SUB-10 R-SUB-11 R-SUB-12 R-SUB-13 R-SUB-14 R-SUB-15 R-SUB-16 R-SUB-33 R-SUB-37',
    effect: 'E1',
    partly: 'A-204 A-603',
  },
  'a missing or invalid field, product or version, also in the second subscription of a new customer → 422 that names it alone, and no subscription',
  async (t) => {
    const [{ id, code }, fixed] = [await aProduct('usage'), await aProduct('fixed')];
    const [draft, customer, at] = [await aDraftProduct(t), await aCustomer(), now(DAY_MS)];
    const urls = (terms: object) =>
      (['return_url', 'failure_url'] as const).flatMap((name) =>
        each(name, [undefined, 'x']).map((row) => ({ ...row, ...terms, ...omit(ADDRESSES, name) })),
      );
    const versions = ['latest', 0.5, 32_000].map((version) => [{ id, version }]);
    const free = await aFreshProduct({ prices: [aFixedPrice(0)] });
    const once = await aFreshProduct({ prices: [ONE_TIME] });
    const subscriptions = {
      operation: 'createSubscription',
      // What is right in one row is wrong in another.
      apart: ['products', 'return_url', 'failure_url', 'renews_at'],
      state: () => detailOf(customer),
      request: async (fields: object) => ({
        path: { customerId: customer.id },
        body: { products: [{ id }], ...fields },
      }),
    } as const;
    const wrong = [
      ...each('products', [[], undefined, [{ version: 1 }], ...versions]),
      ...each('products', [[{ id, code: fixed.code }], [{ id }, { code }]]),
      ...each('products', [[{ id: draft.id, version: draft.version }]]),
      ...each('redirect_to', ['home']),
      ...[to(fixed), to(free), to(once), { renews_at: at }].flatMap(urls),
      ...each('renews_at', [at]).map((row) => ({ ...row, ...ADDRESSES, starts_at: at })),
    ];
    await expectRejected(subscriptions, wrong);
    const inline = {
      operation: 'createCustomer',
      at: 'subscriptions[1]',
      apart: subscriptions.apart,
      async request(fields: object) {
        const both = [{ products: [{ id }] }, { products: [{ id }], ...fields }];
        return { body: { name: 'Contract refused', subscriptions: both } };
      },
    } as const;
    const everyOther = wrong.filter((_, index) => index % 2 === 0);
    await expectRejected(inline, everyOther);
    const nowhere = { id: unknownId('prp') };
    const several = { products: [nowhere, { id: draft.id, version: draft.version }, nowhere] };
    const places = ['products[0].id', 'products[1].version', 'products[2].id'];
    await expectPlaces('createSubscription', await subscriptions.request(several), places);
  },
);

const [url, renews_at, ODD] = ['https://127.0.0.1:9/a', '2026-05-01T00:00:00Z', { odd: 1 }];
const FREE = [aUnitPrice('call')];
const HOOK = { url: `${url}b`, topics: ['contract.unheard_of'] };
const TERMS = { return_url: url, failure_url: url, redirect_to: 'portal', renews_at };
const ADA = { name: 'Eve', external_id: 'eve', email: 'e@example.com', metadata: { a: 'b' } };
const DRAFT = { prices: [aFixedPrice()], entitlements: [ENTITLEMENT] };
const HOOKS = [{ url: 'no' }, { topics: ['*', 'A b'] }, ODD];
const PEOPLE = [{ external_id: 'bob' }, { email: 'no' }, { metadata: 1 }];
const TIMES = [{ renews_at: '2026-02-01T00:00:00Z' }, { return_url: 'no' }];

/** A write, what is right in its body, wrong parts beside that, and a read that shows what it must not change. */
interface Write {
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly right: object;
  readonly wrong: readonly object[];
  readonly read: () => Promise<unknown>;
}

/** Sends each wrong part beside all right ones, which must change nothing, and then the right ones alone, which must. */
async function expectNoChange(
  call: WorldCall,
  { operation, path = {}, right, wrong, read }: Write,
): Promise<void> {
  const before = await read();
  for (const part of wrong)
    await call(operation, { path, body: { ...right, ...part } }, [400, 409, 422]);
  expect(await read(), `${operation}: after ${wrong.length} rejected`).toEqual(before);
  await call(operation, { path, body: right });
  expect(await read(), `${operation}: after one accepted`).not.toEqual(before);
}

check(
  'X-79',
  {
    requirement: 'R-ERR-28',
    effect: 'E4',
    assumes: 'A-203 A-601 A-606 A-607',
    needs: 'clock.movable',
  },
  'a destination, a customer and subscriptions, each updated and added to an hour later, with one invalid field beside valid ones → rejected, every field as before, times too',
  async (t) => {
    const { call, until, path, product, version, subscribe } = await aCustomerWorld(t);
    const { id: webhookId } = await call('createWebhook', { body: { url } });
    const id = await product({ prices: FREE });
    await version(id, DRAFT);
    await call('createCustomer', { body: { name: 'Bob', external_id: 'bob' } });
    const add = async (version: number) => {
      const made = await subscribe([{ id, version }]);
      return { ...path, subscriptionId: made.id };
    };
    const [running, unpaid] = [await add(1), await add(2)];
    await until('2026-03-01T13:00:00.000Z');
    const webhooks = () => call('listWebhooks', {});
    const people = async () => [await call('listCustomers', {}), await customer()];
    const customer = () => call('getCustomer', { path });
    const used = { ...TERMS, products: [{ id, version: 1 }] };
    const hook = { ...HOOK, enabled: false };
    const writes: readonly Write[] = [
      {
        operation: 'updateWebhook',
        path: { webhookId },
        right: hook,
        wrong: [...HOOKS, { enabled: 1 }],
        read: webhooks,
      },
      { operation: 'updateCustomer', path, right: ADA, wrong: [...PEOPLE, ODD], read: people },
      {
        operation: 'updateSubscription',
        path: running,
        right: { ...TERMS, status: 'inactive' },
        wrong: [...TIMES, ODD],
        read: customer,
      },
      {
        operation: 'updateSubscription',
        path: unpaid,
        right: TERMS,
        wrong: [...TIMES, { status: 'active' }],
        read: customer,
      },
      {
        operation: 'createSubscription',
        path,
        right: used,
        wrong: [...TIMES, { products: [{ id, version: 3 }] }],
        read: customer,
      },
    ];
    for (const write of writes) await expectNoChange(call, write);
  },
);
