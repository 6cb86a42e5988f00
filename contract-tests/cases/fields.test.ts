import {
  aFreshAsset,
  aFreshCustomer,
  assuming,
  blackHole,
  check,
  expect,
  now,
  refused,
  unique,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import {
  DECIMALS,
  expectKept,
  expectRejected,
  expectRows,
  type Fields,
  long,
  METADATA,
  NO_DECIMALS,
  NO_METADATA,
  NO_TEXTS,
  payers,
  TINY,
  text,
} from './shared/fields.ts';
import {
  ACCOUNT,
  ASSET,
  adjustmentOf,
  assetRate,
  CUSTOMER,
  chargeOf,
  destination,
  quote,
  topUpBy,
  updatedCustomer,
  VENDOR,
} from './shared/kinds.ts';
import { HOUR_MS } from './shared/times.ts';
import { request } from './shared/wallets.ts';
import { TOPIC } from './shared/webhooks.ts';

const decimals = DECIMALS.map(Number);

/** A row for each of the metadata, with other fields made from a text. */
const withMetadata = (others: (text: string, index: number) => Fields): readonly Fields[] =>
  METADATA.map((metadata, index) => ({ ...others(text(index), index), metadata }));

/** Names and external ids with a text, in two rows with as many characters as they may have. */
const identified = (end: string, index: number) => ({
  name: index < 5 ? `Contract ${end}` : index === 5 ? 'x' : long(256),
  external_id: index < 5 ? `${unique('text')} ${end}` : unique().padEnd(256, 'x'),
});
const NO_NAMES = { name: [long(257), null, ...NO_TEXTS], external_id: ['x'.repeat(257), '', 7] };

const mailOf = (length: number) => `m@${'a.'.repeat(100)}${'b'.repeat(length - 206)}.com`;

const payer = (provider: string, provider_id: string) => [{ provider, provider_id }];

/** All fields of a customer. */
const person = (end: string, index: number) => ({
  ...identified(end, index),
  email: index === 5 ? mailOf(254) : `${unique('mail')}@example.com`,
  external_accounts: index === 5 ? payer('p'.repeat(64), 'x') : payers(end),
});
const NO_PERSON = {
  email: [mailOf(255), 'nobody'],
  external_accounts: [payer('p'.repeat(65), 'x'), payer('p', '')],
};

check(
  'ACC-09',
  {
    requirement: 'R-ACC-03 R-ACC-06 R-ACC-07 R-ACC-08 R-CONV-18 R-CONV-19',
    effect: 'E3',
    partly: 'A-306',
  },
  'fields of an account, unusual, empty and at each limit, each alone, none, null → shown as sent, or null, by id and in the list; one beyond a limit or of another type → rejected',
  async () => {
    await expectKept(ACCOUNT, withMetadata(identified));
    await expectRejected(ACCOUNT, { ...NO_NAMES, metadata: NO_METADATA });
  },
);

check(
  'CUS-26',
  {
    requirement: 'R-CONV-18 R-CONV-23 R-CUS-04 R-CUS-06 R-CUS-15 R-CUS-17 R-CUS-19 R-CUS-21',
    effect: 'E3',
    partly: 'A-306',
  },
  'fields of a customer, unusual, empty and at each limit, each alone, none, null → shown as sent, or empty, by id and in the list; one beyond a limit or of another type → rejected',
  async () => {
    await expectKept(CUSTOMER, withMetadata(person));
    const beyond = { ...NO_PERSON, name: [long(257)], external_id: ['x'.repeat(257)] };
    await expectRejected(CUSTOMER, { ...beyond, metadata: NO_METADATA });
  },
);

check(
  'X-33',
  { requirement: 'R-CONV-19 R-CONV-23', effect: 'E3', assumes: 'A-306' },
  'fields of a customer, unusual, empty and at each limit, by update → shown as sent; one beyond a limit or of another type → rejected',
  async () => {
    const kind = updatedCustomer(await aFreshCustomer());
    await expectRows(kind, withMetadata(person));
    await expectRejected(kind, { ...NO_PERSON, ...NO_NAMES, metadata: NO_METADATA });
  },
);

check(
  'X-44',
  { requirement: 'R-CONV-18 R-VND-03', effect: 'E3', partly: 'A-306' },
  'fields of a vendor, unusual and at each limit, each alone, none, null → shown as sent, or null, by id and in the list; one beyond a limit or of another type → rejected',
  async () => {
    await expectKept(
      VENDOR,
      METADATA.map((_, index) => identified(text(index), index)),
    );
    await expectRejected(VENDOR, NO_NAMES);
  },
);

/** No amounts of which something is paid. */
const NO_PRICES = [...NO_DECIMALS, 0];

check(
  'X-42',
  {
    requirement: 'R-AST-05 R-CONV-18 R-CONV-22 R-CONV-23 R-CONV-27',
    effect: 'E3',
    partly: 'A-303 A-306',
  },
  'fields of an asset, unusual and at each limit of size, digits and decimals, each alone, none, null → shown as sent to the last digit, or preset, by id and in the list; one beyond → rejected',
  async () => {
    // An inverse rate can be smaller than a rate.
    const inverse = [999999999999999, 99999.9999999999, TINY, 1e-14];
    const rows = ['◆', '🇪🇺', 'é', '"', '%'].map((symbol, index) => ({
      name: index === 1 ? long(256) : `Contract ${text(index)}`,
      ...{ precision: [1, 2, 3, 10, 0][index], label: `Label ${text(index)}`, symbol },
      rates: [
        { source: 'USD', rate: decimals[index] ?? 3 },
        { source: 'EUR', inverse_rate: inverse[index] ?? 4 },
      ],
    }));
    await expectKept(ASSET, rows);
    await expectRejected(ASSET, {
      ...{ name: ['', long(257)], precision: [-1, 11] },
      rates: [
        ...NO_PRICES.map((rate) => [{ source: 'USD', rate }]),
        ...NO_PRICES.filter((each) => each !== 0.00000000001).map((inverse_rate) => [
          { source: 'USD', inverse_rate },
        ]),
      ],
    });
  },
);

check(
  'X-95',
  { requirement: 'R-CONV-22 R-CONV-27', effect: 'E3', assumes: 'A-303 A-306' },
  'amounts of quotes and rates set at each limit of size, digits and decimals → shown to the last digit; one beyond → rejected',
  async () => {
    const { code } = await aFreshAsset({ precision: 10, rates: [{ source: 'USD', rate: 1 }] });
    await expectRows(
      quote(code),
      decimals.map((amount) => ({ amount })),
    );
    await expectRejected(quote(code), { amount: NO_PRICES });
    await expectKept(
      assetRate(code),
      decimals.map((rate) => ({ rate })),
    );
    await expectRejected(assetRate(code), { rate: NO_PRICES });
  },
);

check(
  'WHK-45',
  { requirement: 'R-WHK-14 R-WHK-15', effect: 'E2' },
  'topics and connect of a destination, each alone, both, none, null → shown as sent, or * and false',
  (t) =>
    expectKept(destination(t), [
      { url: blackHole(), topics: [TOPIC, 'contract.unheard_of'], connect: true },
      { topics: ['contract.b', 'contract.a', '*'], connect: false },
    ]),
);

/** What the fields of movements of money reject. */
const NO_MOVEMENT = { description: [long(1025)], metadata: NO_METADATA };

/** A text for each row, the last with as many characters as it may have. */
const described = (text: string, index: number) => (index === 6 ? long(1024) : text);

check(
  'WAL-38',
  {
    requirement: 'R-CONV-18 R-CONV-19 R-CONV-22 R-CONV-27 R-WAL-10 R-WAL-11',
    effect: 'E3',
    assumes: 'A-303 A-306 A-709',
  },
  'fields of adjustments, unusual, empty and at each limit, credit and debits, each alone, none, null → shown by its transaction and its grant to the last digit; one beyond → rejected',
  async () => {
    const kind = adjustmentOf(await aFreshCustomer());
    const expires_at = now(HOUR_MS);
    const rows = withMetadata((each, index) => ({
      ...{ description: described(each, index), account_name: 'contract' },
      ...(index < 4
        ? { amount: decimals[index], expires_at }
        : { amount: -Number(decimals[index - 4]) }),
    }));
    await expectKept(kind, [...rows, { amount: -TINY }]);
    const amount = [...NO_DECIMALS.slice(0, 4), -1e15];
    await expectRejected(kind, { ...NO_MOVEMENT, amount });
  },
);

check(
  'X-69',
  {
    requirement: 'R-CONV-18 R-CONV-19 R-CONV-22 R-CONV-27 R-WAL-50',
    effect: 'E4',
    partly: 'A-303 A-306 A-709',
  },
  'fields of charges, unusual, empty and at each limit, each alone, none, null → shown as sent to the last digit; one beyond → rejected',
  async () => {
    const kind = chargeOf(await aFreshCustomer());
    const rows = withMetadata((each, index) => ({
      ...{ description: described(each, index), account_name: 'contract' },
      ...{ amount: decimals[index] ?? 0, subject: long(256) },
    }));
    await expectKept(kind, rows);
    const amount = [...NO_DECIMALS, -0.01];
    await expectRejected(kind, { ...NO_MOVEMENT, subject: [long(257)], amount });
  },
);

check(
  'X-96',
  { requirement: 'R-CONV-22 R-CONV-27', effect: 'E4', assumes: 'A-303' },
  'parts of charges at each limit → accepted, and the amount shown to the last digit; one beyond in magnitude, digits or decimals, and below 0 → rejected',
  async () => {
    const charges = chargeOf(await aFreshCustomer());
    const zero = { amount: 0, unit_price: 0, input_volume: 0, volume_rate: 0 };
    await expectRows(
      charges,
      decimals.flatMap((amount) => [
        { ...zero, amount, unit_price: amount, input_units: 1, package_size: amount },
        { ...zero, amount, unit_price: 1, input_units: amount },
      ]),
    );
    const volumes = decimals.flatMap((amount) => [
      { amount, input_volume: amount, volume_rate: 1 },
      { amount, input_volume: 1, volume_rate: amount },
    ]);
    await assuming('A-307', () => expectRows(charges, volumes, true));
    // Parts that make 0, so that only the value itself can be wrong.
    for (const [name, others] of Object.entries({
      ...{ input_units: zero, input_volume: zero, volume_rate: zero, package_size: zero },
      unit_price: { ...zero, input_units: 0 },
    }))
      for (const value of [1e15, 999999999999999.5, 100000.0000000001, TINY / 10, -1])
        await refused('chargeWallet', await charges.request({ ...others, [name]: value }));
    await refused('chargeWallet', await charges.request({ ...zero, package_size: 0 }));
  },
);

check(
  'TOP-43',
  { requirement: 'R-CONV-19 R-CONV-22 R-CONV-23 R-CONV-27', effect: 'E4', assumes: 'A-303 A-306' },
  'fields of top-ups at each limit, none, null → accepted and shown to the last digit; one beyond in magnitude, digits, decimals of the currency or length → rejected',
  async () => {
    const topUps = topUpBy(await aFreshCustomer());
    const { code: asset } = await aFreshAsset({ precision: 10 });
    await expectKept(topUps, [
      ...decimals.toReversed().map((exchange_rate, index) => ({
        // At the largest rate, a smaller amount would buy nothing.
        amount: exchange_rate < 1 ? 12.5 : 999999999999999,
        ...{ destination: { asset, exchange_rate }, description: long(1024) },
        metadata: METADATA[index + 3],
      })),
      ...[9999999999999.99, 0.01].map((amount) => ({ amount })),
      ...[999999999999999, 1].map((amount) => ({ amount, currency: 'JPY' })),
    ]);
    await expectRejected(topUps, {
      ...NO_MOVEMENT,
      amount: [1e15, 99999999999999.98, 999999999999999.5, 0.001, 0, -1],
      destination: NO_PRICES.map((exchange_rate) => ({ asset, exchange_rate })),
    });
    for (const amount of [1e15, 0.5, 0])
      await refused('createTopUp', await topUps.request({ amount, currency: 'JPY' }));
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
