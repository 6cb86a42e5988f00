import {
  aDraftProduct,
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aVendor,
  blackHole,
  check,
  describe,
  expect,
  now,
  unique,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { price } from './shared/events.ts';
import { METADATA, payers, TEXTS, text } from './shared/field-values.ts';
import { expectKept, type Fields } from './shared/fields.ts';
import {
  ACCOUNT,
  ASSET,
  adjustmentOf,
  CUSTOMER,
  chargeOf,
  costBy,
  destination,
  eventOf,
  VENDOR,
} from './shared/kinds.ts';
import { versionOf } from './shared/products.ts';
import { HOUR_MS } from './shared/times.ts';
import { request } from './shared/top-ups.ts';
import { TOPIC } from './shared/webhooks.ts';

/** Rows with each of the metadata, and with other fields made from a text. */
const withMetadata = (others: (text: string) => Fields) => () =>
  METADATA.map((metadata, index) => ({ ...others(text(index)), metadata }));

const identified = (end: string) => ({
  name: `Contract ${end}`,
  external_id: `${unique('text')} ${end}`,
});

describe('fields of create requests', () => {
  check(
    'ACC-09',
    {
      requirement: ['R-ACC-03', 'R-ACC-06', 'R-ACC-07', 'R-ACC-08', 'R-CONV-18'],
      level: 'MUST',
      effect: 'E3',
    },
    'name, external_id and metadata of an account with unusual texts and empty values, each alone, none, null → shown as sent, or null, by id and in the list',
    () => expectKept(ACCOUNT, withMetadata(identified)),
  );

  check(
    'CUS-26',
    {
      requirement: [
        'R-CONV-18',
        'R-CUS-04',
        'R-CUS-06',
        'R-CUS-15',
        'R-CUS-17',
        'R-CUS-19',
        'R-CUS-21',
      ],
      level: 'MUST',
      effect: 'E3',
    },
    'name, external_id, email, metadata and external accounts of a customer with unusual texts and empty values, each alone, none, null → shown as sent, or empty, by id and in the list',
    () =>
      expectKept(
        CUSTOMER,
        withMetadata((end) => ({
          ...identified(end),
          email: `${unique('mail')}@example.com`,
          external_accounts: payers(end),
        })),
      ),
  );

  check(
    'X-42',
    { requirement: ['R-CONV-18', 'R-VND-03'], level: 'MUST', effect: 'E3' },
    'name and external_id of a vendor, name, precision, label and symbol of an asset with unusual texts, each alone, none, null → shown as sent, or preset, by id and in the list',
    async () => {
      await expectKept(VENDOR, () => TEXTS.map(identified));
      await expectKept(ASSET, () =>
        ['◆', '🇪🇺', 'é', '"', '%'].map((symbol, precision) => ({
          name: `Contract ${text(precision)}`,
          ...{ precision: precision + 1, label: `Label ${text(precision)}`, symbol },
        })),
      );
    },
  );

  check(
    'WHK-45',
    { requirement: ['R-WHK-14', 'R-WHK-15'], level: 'MUST', effect: 'E2' },
    'topics and connect of a destination, each alone, both, none, null → shown as sent, or * and false',
    (t) =>
      expectKept(destination(t), () => [
        { url: blackHole(), topics: [TOPIC, 'contract.unheard_of'], connect: true },
        { topics: ['contract.b', 'contract.a', '*'], connect: false },
      ]),
  );

  check(
    'WAL-38',
    {
      requirement: ['R-CONV-18', 'R-WAL-10', 'R-WAL-11', 'R-WAL-50'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-709',
    },
    'description, metadata, account and expiry of an adjustment, with unusual texts and empty values, each alone, none, null → shown by its transaction and its grant',
    async () =>
      expectKept(
        adjustmentOf(await aFreshCustomer()),
        withMetadata((description) => ({
          ...{ description, account_name: 'contract', expires_at: now(HOUR_MS) },
        })),
      ),
  );

  check(
    'X-69',
    { requirement: ['R-CONV-18', 'R-EVT-36'], level: 'MUST', effect: 'E4', assumes: 'A-709' },
    'description and metadata of charges and costs with unusual texts and empty values, each alone, none, null → shown as sent',
    async () => {
      const customer = await aFreshCustomer();
      const rows = (more: object) => () =>
        ['', ...TEXTS].map((description, index) => ({
          ...{ description, metadata: METADATA[index + 1], ...more },
        }));
      await expectKept(chargeOf(customer), rows({ account_name: 'contract' }));
      const { id: vendor } = await aVendor();
      await expectKept(costBy(customer, vendor), rows({ category: 'storage' }));
    },
  );

  check(
    'EVT-106',
    { requirement: ['R-EVT-09', 'R-EVT-10'], level: 'MUST', effect: 'E3' },
    'description, subject and data of an event with unusual texts and empty values, each alone, none, null → shown as sent, by id, in the list and in its task',
    async () =>
      expectKept(eventOf(await aFreshCustomer()), () =>
        ['', ...TEXTS].map((description) => ({
          description,
          ...{ subject: `${unique()} ${description}`, data: { [description]: description } },
        })),
      ),
  );

  check(
    'TOP-41',
    {
      requirement: 'R-TOP-03',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-709',
      needs: 'clock.movable',
    },
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

  check(
    'PRD-35',
    {
      requirement: ['R-PRD-04', 'R-PRD-06', 'R-PRD-07', 'R-PRD-08', 'R-PRD-09'],
      level: 'MUST',
      effect: 'E3',
    },
    'prices of each usage type and fixed prices, values with names, two dimensions, two assets and amounts of 0 → every field sent is shown in its place, and no other',
    async (t) => {
      const { code } = await aFreshAsset({ precision: 2 });
      const values = [
        { name: 'Both', dimensions: { region: 'eu', tier: 'gold' }, unit_price: 0.1 },
        { dimensions: { region: 'eu', tier: '*' }, unit_price: 0.2 },
        { unit_price: 0.3 },
      ];
      const volumes = [{ name: 'Any', volume_rate: 0.5, package_size: 1000 }];
      const more = { billable_dimensions: ['region', 'tier'] };
      const entries = [
        { asset: code, values },
        { asset: 'USD', values: [{ unit_price: 1 }] },
      ];
      const prices = [
        aFixedPrice(20),
        { ...aFixedPrice(3), name: 'Second' },
        { ...price('contract.a', 'unit', [], more), pricing: entries },
        price('contract.b', 'volume', volumes),
        price('contract.c', 'unit_and_volume', [{ unit_price: 1, ...volumes[0] }]),
        aFixedPrice(0),
        price('contract.d', 'unit', [{ unit_price: 0 }]),
        price('contract.e', 'volume', [{ volume_rate: 0, package_size: 10 }]),
        price('contract.f', 'unit_and_volume', [
          { unit_price: 0, volume_rate: 0, package_size: 10 },
        ]),
      ];
      const product = await aDraftProduct(t, { prices });
      const shown = (await versionOf(product, 1)).prices as object[];

      expect(shown).toHaveLength(prices.length);
      for (const [index, sent] of prices.entries()) {
        expect(shown[index]).toMatchObject(sent);
        expect((shown[index] as Fields)['pricing']).toEqual((sent as Fields)['pricing']);
      }
    },
  );
});
