import {
  aFreshCustomer,
  assuming,
  check,
  expect,
  misshapen,
  type OperationId,
  operationOf,
  refused,
  table,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { expectKept, expectNamed, expectRejected, expectRows } from './shared/fields.ts';
import { chargeOf } from './shared/kinds.ts';
import { adjustments, batches, charges, costs, events, topUps } from './shared/money-resources.ts';
import { oneOfEach, WRITES } from './shared/one-of-each.ts';
import {
  entitlements,
  prices,
  products,
  quantities,
  tiers,
  usagePrices,
  values,
} from './shared/product-resources.ts';
import {
  accounts,
  assetRates,
  assets,
  customers,
  customerUpdates,
  decimals,
  destinations,
  OWN_OBJECTS,
  quotes,
  type Resource,
  SHARED_OBJECTS,
  vendors,
} from './shared/resources.ts';
import { METADATA, TINY } from './shared/values.ts';
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
      for (const resource of resources) {
        const { kind, kept } = await resource(OWN_OBJECTS, t);
        await expectKept(kind, kept);
      }
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
  accounts,
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
  customers,
);

keeps(
  'X-33',
  'an update of a customer',
  { requirement: 'R-CUS-33', effect: 'E3', assumes: 'A-306' },
  customerUpdates,
);

keeps(
  'X-44',
  'a vendor',
  {
    requirement: 'R-CONV-11 R-VND-01 R-VND-02 R-VND-03 R-VND-04 R-VND-05 R-VND-12',
    effect: 'E3',
    partly: 'A-306',
  },
  vendors,
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
  assets,
);

keeps(
  'X-95',
  'quotes and rates',
  { requirement: 'R-CONV-27', effect: 'E3', assumes: 'A-303' },
  quotes,
  assetRates,
);

keeps(
  'WHK-45',
  'a destination',
  {
    requirement:
      'R-SIG-09 R-SIG-10 R-WHK-01 R-WHK-03 R-WHK-04 R-WHK-12 R-WHK-14 R-WHK-15 R-WHK-16 R-WHK-17 R-WHK-19',
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
  adjustments,
);

keeps(
  'X-69',
  'charges',
  { requirement: 'R-CONV-18 R-CONV-27 R-WAL-50', effect: 'E4', partly: 'A-303 A-306 A-709' },
  charges,
);

keeps(
  'TOP-43',
  'top-ups',
  { requirement: 'R-CONV-27', effect: 'E4', assumes: 'A-303 A-306' },
  topUps,
);

keeps(
  'EVT-106',
  'events',
  { requirement: 'R-CONV-27 R-EVT-09 R-EVT-10', effect: 'E3', partly: 'A-303 A-306' },
  events,
);

keeps(
  'EVT-90',
  'costs',
  { requirement: 'R-CONV-27 R-EVT-36', effect: 'E3', assumes: 'A-303 A-306' },
  costs,
);

keeps(
  'PRD-63',
  'a product, its prices, their values and its entitlements',
  { requirement: 'R-CONV-27', effect: 'E2', assumes: 'A-303 A-306 A-501 A-505 A-506 A-511' },
  ...[products, prices, usagePrices, values, tiers, quantities, entitlements],
);

/** The resources whose fields are rejected, by name. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  ...{ accounts, customers, 'updates of customers': customerUpdates, vendors, destinations },
  ...{ assets, 'rates of assets': assetRates, quotes, adjustments, charges, 'top-ups': topUps },
  ...{
    'batches of events': batches,
    events,
    costs,
    products,
    prices,
    'prices of usage': usagePrices,
  },
  ...{ 'values of prices': values, tiers, 'quantities of prices': quantities, entitlements },
};

table(
  'X-06',
  {
    requirement:
      'R-ACC-02 R-AST-01 R-AST-03 R-AST-04 R-AST-05 R-AST-09 R-AST-22 R-AST-26 R-AST-27 R-AST-31 R-CONV-15 R-CONV-16 R-CONV-17 R-CONV-19 R-CUS-01 R-CUS-03 R-CUS-07 R-ERR-02 R-ERR-22 R-EVT-03 R-EVT-04 R-EVT-05 R-EVT-06 R-EVT-11 R-EVT-12 R-EVT-33 R-LIM-05 R-LIM-06 R-LIM-07 R-TOP-01 R-TOP-02 R-WAL-12 R-WHK-13 R-WHK-36',
    effect: 'E1',
    partly: 'A-204',
  },
  'well-formed JSON with a field that is missing, invalid, of another type or no Unicode → 422 that names it alone, and nothing changes',
  RESOURCES,
  async (resource, t) => {
    const { kind, wrong = [] } = await resource(SHARED_OBJECTS, t);
    await expectRejected(kind, wrong);
  },
);

table(
  'X-102',
  {
    requirement:
      'R-CONV-22 R-CONV-23 R-EVT-50 R-EVT-51 R-EVT-62 R-LIM-17 R-PRD-56 R-PRD-58 R-PRD-60 R-TOP-17 R-VND-11 R-WAL-38 R-WAL-40 R-WAL-60',
    effect: 'E1',
    partly:
      'A-204 A-303 A-306 A-309 A-404 A-501 A-505 A-506 A-511 A-702 A-704 A-707 A-708 A-801 A-804 A-1101 A-1201',
  },
  'texts, metadata, lists and numbers beyond each assumed limit in length, size, digits, decimals or magnitude, and fields that are assumed to be required, missing → 422 that names it alone, and nothing changes',
  RESOURCES,
  async (resource, t) => {
    const { kind, beyond = {} } = await resource(SHARED_OBJECTS, t);
    for (const [assumption, rows] of Object.entries(beyond))
      await assuming(assumption, () => expectRejected(kind, rows));
  },
);

/** A write below an object of the caller, with a right body. */
const writeBelow =
  (operation: OperationId): Resource =>
  async () => {
    const own = await oneOfEach({});
    const right = { path: own.ids, body: WRITES[operation]?.(own) };
    return { kind: { operation, request: async () => right, shown: async () => [] }, kept: [] };
  };

const BELOW = (Object.keys(WRITES) as OperationId[])
  .filter((operation) => operationOf(operation).body && operation !== 'testWebhook')
  .map((operation): [string, Resource] => [operation, writeBelow(operation)]);

table(
  'X-103',
  { requirement: 'R-ERR-02 R-ERR-17 R-ERR-22', effect: 'E3', assumes: 'A-202 A-203 A-204' },
  'each body that is right but for one field, at any depth, with a value of another JSON type, left out although it is required, or unknown → 422 that names it alone, and nothing changes',
  { ...RESOURCES, ...Object.fromEntries(BELOW) },
  async (resource, t) => {
    const { kind, kept } = await resource(OWN_OBJECTS, t);
    const { path, body } = await kind.request(kept[0] ?? {});
    const wrong = misshapen(kind.operation, body as object);
    await expectNamed(
      kind,
      wrong.map((one) => ({ ...one, ...(path && { path }) })),
    );
  },
);

check(
  'X-96',
  { requirement: 'R-CONV-22 R-CONV-27', effect: 'E4', assumes: 'A-303' },
  'parts of charges at each limit → accepted, and the amount shown to the last digit; one beyond in magnitude, digits or decimals, and below 0 → rejected',
  async () => {
    const kind = chargeOf(await aFreshCustomer());
    const zero = { amount: 0, unit_price: 0, input_volume: 0, volume_rate: 0 };
    await expectRows(
      kind,
      decimals.flatMap((amount) => [
        { ...zero, amount, unit_price: amount, input_units: 1, package_size: amount },
        { ...zero, amount, unit_price: 1, input_units: amount },
      ]),
    );
    const volumes = decimals.flatMap((amount) => [
      { amount, input_volume: amount, volume_rate: 1 },
      { amount, input_volume: 1, volume_rate: amount },
    ]);
    await assuming('A-307', () => expectRows(kind, volumes, true));
    // Parts that make 0, so that only the value itself can be wrong.
    for (const [name, others] of Object.entries({
      ...{ input_units: zero, input_volume: zero, volume_rate: zero, package_size: zero },
      unit_price: { ...zero, input_units: 0 },
    }))
      for (const value of [1e15, 999999999999999.5, 100000.0000000001, TINY / 10, -1])
        await refused('chargeWallet', await kind.request({ ...others, [name]: value }));
    await refused('chargeWallet', await kind.request({ ...zero, package_size: 0 }));
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
