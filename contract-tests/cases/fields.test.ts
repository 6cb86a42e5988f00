import {
  assuming,
  call,
  check,
  expect,
  misshapen,
  type OperationId,
  operationOf,
  table,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import {
  expectKept,
  expectNamed,
  expectRejected,
  expectRows,
  type Fields,
  OWN_OBJECTS,
  type Resource,
  SHARED_OBJECTS,
} from './shared/fields.ts';
import { oneOfEach, seen, WRITES } from './shared/one-of-each.ts';
import * as assets from './shared/rows/assets.ts';
import { destinations } from './shared/rows/destinations.ts';
import * as money from './shared/rows/money.ts';
import * as people from './shared/rows/people.ts';
import * as products from './shared/rows/products.ts';
import * as usage from './shared/rows/usage.ts';
import { decimals, METADATA } from './shared/values.ts';
import { request } from './shared/wallets.ts';

/** A check that each of these kinds of objects keeps its fields. */
const keeps = (
  id: string,
  of: string,
  options: Parameters<typeof check>[1],
  ...resources: readonly Resource[]
): void =>
  check(
    id,
    options,
    `fields of ${of}, unusual, empty and at each limit, each alone, none, null → shown as sent to the last digit, or else preset, wherever they are shown`,
    async (t) => {
      for (const resource of resources) await expectKept(await resource(OWN_OBJECTS, t));
    },
  );

keeps(
  'ACC-09',
  'an account',
  {
    requirement:
      'R-ACC-01 R-ACC-03 R-ACC-05 R-ACC-06 R-ACC-07 R-ACC-08 R-ACC-11 R-CONV-12 R-CONV-18',
    effect: 'E3',
    partly: 'A-306',
  },
  people.accounts,
);

keeps(
  'CUS-26',
  'a customer',
  {
    requirement:
      'R-CONV-05 R-CONV-18 R-CUS-04 R-CUS-06 R-CUS-12 R-CUS-13 R-CUS-14 R-CUS-15 R-CUS-16 R-CUS-17 R-CUS-18 R-CUS-19 R-CUS-21 R-CUS-31',
    effect: 'E3',
    partly: 'A-306',
  },
  people.customers,
);

keeps(
  'X-33',
  'an update of a customer',
  { requirement: 'R-CUS-33', effect: 'E3', assumes: 'A-306' },
  people.customerUpdates,
);

keeps(
  'X-44',
  'a vendor',
  {
    requirement: 'R-CONV-11 R-VND-01 R-VND-02 R-VND-03 R-VND-04 R-VND-05 R-VND-12',
    effect: 'E3',
    partly: 'A-306',
  },
  people.vendors,
);

keeps(
  'X-42',
  'an asset',
  {
    requirement:
      'R-AST-03 R-AST-04 R-AST-05 R-AST-06 R-AST-07 R-AST-08 R-AST-09 R-AST-10 R-AST-11 R-AST-12 R-AST-17 R-AST-19 R-AST-35 R-CONV-27 R-LIM-06',
    effect: 'E3',
    partly: 'A-303 A-306',
  },
  assets.assets,
);

keeps(
  'X-95',
  'quotes and rates',
  { requirement: 'R-CONV-27', effect: 'E3', assumes: 'A-303' },
  assets.quotes,
  assets.assetRates,
);

keeps(
  'WHK-45',
  'a destination',
  {
    requirement:
      'R-CONV-13 R-SIG-09 R-SIG-10 R-WHK-01 R-WHK-03 R-WHK-04 R-WHK-12 R-WHK-14 R-WHK-15 R-WHK-16 R-WHK-17 R-WHK-19',
    effect: 'E2',
  },
  destinations,
);

keeps(
  'WAL-38',
  'adjustments, credit and debits',
  {
    requirement: 'R-CONV-18 R-CONV-27 R-WAL-10 R-WAL-11',
    effect: 'E3',
    assumes: 'A-303 A-306 A-709',
  },
  money.adjustments,
);

keeps(
  'X-69',
  'charges',
  { requirement: 'R-CONV-18 R-CONV-27 R-WAL-50', effect: 'E4', partly: 'A-303 A-306 A-709' },
  money.charges,
);

keeps(
  'TOP-43',
  'top-ups',
  { requirement: 'R-CONV-27', effect: 'E4', assumes: 'A-303 A-306' },
  money.topUps,
);

keeps(
  'EVT-106',
  'events',
  { requirement: 'R-CONV-27 R-EVT-09 R-EVT-10', effect: 'E3', partly: 'A-303 A-306' },
  usage.events,
);

keeps(
  'EVT-90',
  'costs',
  { requirement: 'R-CONV-27 R-EVT-36', effect: 'E3', assumes: 'A-303 A-306' },
  usage.costs,
);

keeps(
  'PRD-63',
  'a product, its prices, their values and its entitlements',
  { requirement: 'R-CONV-27', effect: 'E2', assumes: 'A-303 A-306 A-501 A-505 A-506 A-511' },
  ...Object.values(products),
);

/** Resources that refer to no other object, and all, by name. */
const { customerUpdates, ...newPeople } = people;
const ALONE: Readonly<Record<string, Resource>> = {
  ...{ ...newPeople, assets: assets.assets, ...products, destinations },
};
const { assets: _, ...rates } = assets;
const REFERRING: Readonly<Record<string, Resource>> = {
  ...{ customerUpdates, ...rates, ...money, ...usage },
};

table(
  'X-06',
  {
    requirement:
      'R-ACC-02 R-AST-01 R-AST-03 R-AST-04 R-AST-05 R-AST-09 R-CONV-19 R-CUS-01 R-CUS-03 R-CUS-07 R-ERR-02 R-ERR-22 R-LIM-05 R-LIM-06 R-LIM-07 R-WHK-13 R-WHK-36',
    effect: 'E1',
    partly: 'A-204',
  },
  'objects of their own: well-formed JSON with a field that is missing, invalid, of another type or no Unicode → 422 that names it alone, and nothing changes',
  ALONE,
  async (resource, t) => {
    const rules = await resource(SHARED_OBJECTS, t);
    await expectRejected(rules, rules.wrong ?? []);
  },
);

table(
  'X-104',
  {
    requirement:
      'R-ACC-04 R-AST-02 R-AST-22 R-AST-26 R-AST-27 R-AST-31 R-CONV-15 R-CONV-16 R-CONV-17 R-CUS-02 R-EVT-03 R-EVT-04 R-EVT-05 R-EVT-06 R-EVT-11 R-EVT-12 R-EVT-33 R-TOP-01 R-TOP-02 R-WAL-12 R-ERR-02 R-CONV-19 R-PRD-43 R-VND-14',
    effect: 'E1',
    partly: 'A-204 A-501 A-904',
  },
  'what refers to other objects: a field that is missing, invalid, of another type, or a key that another object has → 422 that names it alone, beside another error both, and nothing changes',
  { ...ALONE, ...REFERRING },
  async (resource, t) => {
    const rules = await resource(SHARED_OBJECTS, t);
    if (Object.values(REFERRING).includes(resource)) await expectRejected(rules, rules.wrong ?? []);
    const [make, assumption] = rules.taken ?? [];
    if (!make) return;
    const expectTaken = async () => expectRejected(rules, [await make()]);
    await (assumption === undefined ? expectTaken() : assuming(assumption, expectTaken));
    const { besides } = rules;
    if (!besides) return;
    await assuming('A-204', async () => {
      const both = { ...(await make()), ...besides };
      const { body } = await call(rules.operation, await rules.request(both), [422]);
      const named = Object.keys(body.errors).map((place) => place.split(/[.[]/)[0]);
      expect(new Set(named), rules.operation).toEqual(new Set(Object.keys(both)));
    });
  },
);

for (const [id, of, resources, own] of [
  ['X-102', 'objects of their own', ALONE, 'R-PRD-56 R-PRD-60'],
  [
    'X-105',
    'what refers to other objects',
    REFERRING,
    'R-EVT-50 R-EVT-51 R-LIM-17 R-TOP-17 R-WAL-60',
  ],
] as const)
  table(
    id,
    {
      requirement: `R-CONV-22 R-CONV-23 ${own}`,
      effect: 'E1',
      partly:
        'A-204 A-303 A-306 A-404 A-501 A-505 A-506 A-511 A-702 A-704 A-801 A-804 A-1101 A-1201',
    },
    `${of}: texts, metadata, lists and numbers beyond each assumed limit in length, size, digits, decimals or magnitude, and references that do not fit → 422 that names it alone, and nothing changes`,
    resources,
    async (resource, t) => {
      const rules = await resource(SHARED_OBJECTS, t);
      for (const [assumption, rows] of Object.entries(rules.beyond ?? {}))
        await assuming(assumption, () => expectRejected(rules, rows));
    },
  );

/** A write below an object of the caller, with a right body. */
const writeBelow =
  (operation: OperationId): Resource =>
  async () => {
    const own = await oneOfEach({});
    const right = { path: own.ids, body: WRITES[operation]?.(own) };
    const state = () => seen(own);
    return { operation, state, request: async () => right, shown: async () => [], kept: [] };
  };

const BELOW = (Object.keys(WRITES) as OperationId[])
  .filter((operation) => operationOf(operation).body && operation !== 'testWebhook')
  .map((operation): [string, Resource] => [operation, writeBelow(operation)]);

for (const [id, of, resources, own] of [
  ['X-103', 'objects of their own', ALONE, 'R-PRD-01 R-PRD-58 R-VND-11'],
  [
    'X-106',
    'what refers to other objects',
    { ...REFERRING, ...Object.fromEntries(BELOW) },
    'R-EVT-62 R-WAL-38 R-WAL-40',
  ],
] as const)
  table(
    id,
    {
      requirement: `R-ERR-02 R-ERR-17 R-ERR-22 R-ERR-23 ${own}`,
      effect: 'E1',
      assumes: 'A-202 A-203 A-204',
    },
    `${of}: each body that is right but for one field or item, at any depth, with a value of another JSON type, a listed text that is no Unicode, left out although it is required, or unknown → 422 that names it alone, and nothing changes; all fields at once → 422 that names them all`,
    resources,
    async (resource, t) => {
      const rules = await resource(SHARED_OBJECTS, t);
      const { path, body } = await rules.request(rules.kept[0] ?? {});
      const of = path && { path };
      const wrong = misshapen(rules.operation, body as object);
      await expectNamed(
        rules,
        wrong.map((one) => ({ ...one, ...of })),
      );
      // The fields of the body itself, all wrong at once.
      const all = wrong.filter(({ place }) => /^\w+$/.test(place));
      const fields = all.map(({ place, body: one }) => [place, (one as Fields)[place]] as const);
      const whole = { ...(body as object), ...Object.fromEntries(fields) };
      const { errors } = (await call(rules.operation, { ...of, body: whole }, [422])).body;
      const places = [...new Set(all.map(({ place }) => place))];
      expect(Object.keys(errors), rules.operation).toEqual(expect.arrayContaining(places));
    },
  );

check(
  'X-96',
  { requirement: 'R-CONV-27', effect: 'E4', assumes: 'A-303' },
  'parts of charges at each limit of size, digits and decimals → accepted, and the amount shown to the last digit',
  async (t) => {
    const charges = await money.charges(OWN_OBJECTS, t);
    const zero = { amount: 0, unit_price: 0, input_volume: 0, volume_rate: 0 };
    await expectRows(
      charges,
      decimals.flatMap((amount) => [
        { ...zero, amount, unit_price: amount, input_units: 1, package_size: amount },
        { ...zero, amount, unit_price: 1, input_units: amount },
        { ...zero, unit_price: amount, input_units: 0 },
        { ...zero, volume_rate: amount },
      ]),
    );
    const volumes = decimals.flatMap((amount) => [
      { amount, input_volume: amount, volume_rate: 1 },
      { amount, input_volume: 1, volume_rate: amount },
    ]);
    await assuming('A-307', () => expectRows(charges, volumes, true));
  },
);

check(
  'TOP-41',
  { requirement: 'R-TOP-03', effect: 'E4', assumes: 'A-709', needs: 'clock.movable' },
  'metadata with empty and blank values, and an empty description, of a paid top-up → the transaction of its credit has every key, as sent',
  async (t) => {
    const { call: ask, path } = await aCustomerWorld(t);
    for (const metadata of METADATA) {
      const texts = { description: '', metadata };
      const body = request({ id: path.customerId } as never, texts);
      const { id } = await ask('createTopUp', { body });
      await ask('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
      const { items } = await ask('listLedgerTransactions', { query: { source: 'top_up' } });
      const of = { path: { ...path, transactionId: items[0].id } };
      expect(await ask('getWalletTransaction', of)).toMatchObject(texts);
    }
  },
);
