import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  amount,
  anAsset,
  api,
  assuming,
  call,
  check,
  expect,
  lexeme,
  refused,
  table,
} from '../kit/index.ts';
import type { Fields } from './shared/fields.ts';
import { change, charge, initiate, request } from './shared/wallets.ts';

/** A charge by parts in an asset with as many decimals: its sum, and sums next to it, which are rejected. */
type Sum = readonly [
  decimals: number | 'USD',
  parts: Fields,
  sum: string,
  others: readonly number[],
];

const volume = (input_volume: number, volume_rate: number, package_size?: number) => ({
  input_volume,
  volume_rate,
  ...(package_size !== undefined && { package_size }),
});

const SUMS: Readonly<Record<string, Sum>> = {
  'a half, to 0': [0, { unit_price: 1, input_units: 0.5 }, '0', [1]],
  'three halves, to 2': [0, { unit_price: 1, input_units: 1.5 }, '2', [1]],
  'two thirds': [0, volume(2, 1, 3), '1', [0]],
  // Each part alone is rounded to 0.
  'two halves': [0, { unit_price: 0.5, ...volume(1, 0.5) }, '1', [2]],
  // Each part alone is rounded to 2.
  'twice one and a half': [0, { unit_price: 1.5, ...volume(3, 0.5) }, '3', [4]],
  // More than a half; a third cut to ten decimals makes exactly a half.
  'a little more than a half': [0, { unit_price: 0.1666666667, ...volume(1, 1, 3) }, '1', [0]],
  'a millionth more than a half': [
    0,
    { unit_price: 1, input_units: 0.5, ...volume(1, 1, 1e6) },
    '1',
    [0],
  ],
  'a millionth less than a half': [0, volume(499999, 1, 1e6), '0', [1]],
  // 0.0049 + 0.0001 × 2 / 2 is a half, to the even 0; each part alone is rounded to 0 too.
  'a half of a cent': [2, { unit_price: 0.0049, ...volume(2, 0.0001, 2) }, '0', [0.01]],
  // Each part alone is rounded to 0.02.
  'two cents and two halves': [2, { unit_price: 0.015, ...volume(3, 0.005) }, '0.03', [0.04]],
  'as large as fifteen digits allow': [
    ...([10, { unit_price: 9876, ...volume(1, 1e-10) }, '9876.0000000001'] as const),
    [9876],
  ],
  // A seventh cut to ten decimals makes less than 1.
  'seven sevenths': [10, { unit_price: 0.004, ...volume(7, 1, 7) }, '1.004', [1.0039999999]],
  // 1.5 of the last decimal, to 2.
  'half of the tenth decimal': [
    ...([10, { unit_price: 1e-10, ...volume(1, 1e-10, 2) }, '0.0000000002'] as const),
    [1e-10],
  ],
  // 0.5 of the last decimal, to 0; a currency has ten decimals here.
  'half of the tenth decimal of a currency': [
    'USD',
    { unit_price: 1e-10, input_units: 0.5 },
    '0',
    [1e-10],
  ],
};

check(
  'WAL-22',
  { requirement: 'R-WAL-16 R-WAL-41', effect: 'E4', partly: 'A-708' },
  'charge by input_units, unit_price, input_volume, volume_rate and package_size → amount is their product and sum; a different amount, none, or a field without the one that it multiplies or divides, is rejected',
  async () => {
    const customer = await aCustomer();
    const path = { customerId: customer.id };
    const parts = {
      amount: 2.5,
      input_units: 3,
      unit_price: 0.5,
      input_volume: 250,
      volume_rate: 4,
      package_size: 1000,
    };
    // 3 × 0.5 + 250 ÷ 1000 × 4 = 2.5
    await assuming('A-708', async () => {
      const delta = await change(customer, () =>
        api('chargeWallet', { path, body: charge(parts) }, 201),
      );
      expect(delta).toBe('-2.5');
      await refused('chargeWallet', { path, body: charge({ ...parts, amount: 2 }) });
      for (const lacking of ['amount', 'unit_price', 'input_volume', 'volume_rate'])
        await refused('chargeWallet', { path, body: charge({ ...parts, [lacking]: undefined }) });
      // Each counts nothing by itself.
      for (const field of ['input_units', 'input_volume', 'volume_rate', 'package_size'])
        await refused('chargeWallet', { path, body: charge({ [field]: 3 }) });
    });
  },
);

check(
  'WAL-65',
  { requirement: 'R-WAL-41 R-WAL-59', effect: 'E4', assumes: 'A-304 A-708' },
  "charges whose parts, or whose quotient, are between two amounts of the asset → the exact sum, rounded once, half to even, to the asset's zero to ten decimal places; no amount next to it is accepted",
  async () => {
    const path = { customerId: (await aFreshCustomer()).id };
    const codes = new Map<number | 'USD', string>([['USD', 'USD']]);
    for (const [name, [decimals, parts, sum, others]] of Object.entries(SUMS)) {
      if (!codes.has(decimals))
        codes.set(decimals, (await aFreshAsset({ precision: Number(decimals) })).code);
      const asset = codes.get(decimals) as string;
      const expectStatus = async (sent: number, wanted: number) => {
        const body = charge({ asset, ...parts, amount: sent });
        const { status } = await call('chargeWallet', { path, body }, [201, 422]);
        expect(status, `${name}: amount ${sent}`).toBe(wanted);
        return { ...path, transactionId: body.transaction_id };
      };
      for (const other of others) await expectStatus(other, 422);
      const of = await expectStatus(Number(sum), 201);
      const shown = lexeme(await api('getWalletTransaction', { path: of }, 200), 'amount');
      expect(shown.replace('-', ''), name).toBe(sum);
    }
  },
);

/** Currencies with these decimals, an amount that has as many, and one that has more. */
interface Decimals {
  readonly currencies: readonly string[];
  readonly sent?: number;
  readonly beyond?: number;
}

table<Decimals>(
  'TOP-30',
  { requirement: 'R-WAL-59', effect: 'E4', assumes: 'A-304' },
  'amounts with as many decimals as the currency has → shown as sent; one more → rejected, also for another asset',
  {
    none: { currencies: ['JPY', 'ISK'], sent: 1234, beyond: 12.5 },
    // People leave out the minor unit of the last three; ISO 4217 does not.
    two: { currencies: ['EUR', 'HUF', 'TWD', 'COP'], sent: 1.15, beyond: 1.234 },
    three: { currencies: ['KWD'], sent: 5.075, beyond: 1.2345 },
    four: { currencies: ['CLF'], sent: 1.2345, beyond: 0.00005 },
    // ISO 4217 gives these no minor unit; they have the decimals that the asset shows.
    'those of the asset': { currencies: ['XAU'] },
  },
  async ({ currencies, ...row }) => {
    const [customer, { code: asset }] = [await aFreshCustomer(), await anAsset()];
    const path = { assetCode: currencies[0] as string };
    const { precision } = await api('getAsset', { path }, 200);
    const { sent = Number(`15e-${precision}`), beyond = Number(`15e-${precision + 1}`) } = row;
    for (const currency of currencies) {
      const { id } = await initiate(customer, { currency, amount: sent });
      const shown = await api('getTopUp', { path: { topUpId: id } }, 200);
      expect(Number(String(amount(shown, 'amount'))), currency).toBe(sent);
      expect(shown.currency).toBe(currency);
      await refused('createTopUp', { body: request(customer, { currency, amount: beyond }) });
    }
    const destination = { asset, exchange_rate: 0.001 };
    const other = { currency: currencies[0], amount: beyond, destination };
    await refused('createTopUp', { body: request(customer, other) });
  },
);
