import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  api,
  assuming,
  call,
  check,
  describe,
  expect,
  lexeme,
  refused,
  table,
} from '../kit/index.ts';
import type { Fields } from './shared/fields.ts';
import { expectFees, type Worked } from './shared/prices.ts';
import { change, charge } from './shared/wallets.ts';

/** A charge by parts in an asset with as many decimals: its sum, and sums next to it, which are rejected. */
type Sum = readonly [
  decimals: number | 'USD',
  parts: Fields,
  sum: string,
  others: readonly number[],
];

const volume = (input_volume: number, volume_rate: number, package_size?: number) => ({
  ...{ input_volume, volume_rate },
  ...(package_size !== undefined && { package_size }),
});

describe('charges by parts', () => {
  check(
    'WAL-22',
    { requirement: ['R-WAL-16', 'R-WAL-41'], level: 'MUST', effect: 'E4', assumes: 'A-708' },
    'charge by input_units, unit_price, input_volume, volume_rate and package_size → amount is their product and sum; a different amount, none, or a field without the one that it multiplies or divides, is rejected',
    async () => {
      const customer = await aCustomer();
      const path = { customerId: customer.id };
      const parts = {
        ...{ amount: 2.5, input_units: 3, unit_price: 0.5 },
        ...{ input_volume: 250, volume_rate: 4, package_size: 1000 },
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
      });
    },
  );

  table<Sum>(
    'WAL-65',
    {
      requirement: ['R-WAL-41', 'R-WAL-59'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-304', 'A-708'],
    },
    'charges whose parts, or whose quotient, are between two amounts of the asset → the exact sum, rounded once, half to even, to the last of no to ten decimals; no amount next to it',
    {
      'a half, to 0': [0, { unit_price: 1, input_units: 0.5 }, '0', [1]],
      'three halves, to 2': [0, { unit_price: 1, input_units: 1.5 }, '2', [1]],
      'a third': [0, volume(1, 1, 3), '0', [1]],
      'two thirds': [0, volume(2, 1, 3), '1', [0, 2]],
      // Each part alone is rounded to 0.
      'two halves': [0, { unit_price: 0.5, ...volume(1, 0.5) }, '1', [0, 2]],
      // Each part alone is rounded to 2.
      'twice one and a half': [0, { unit_price: 1.5, ...volume(3, 0.5) }, '3', [2, 4]],
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
        [9876, 9876.0000000002],
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
    },
    async ([decimals, parts, sum, others]) => {
      const customer = await aFreshCustomer();
      const isCurrency = decimals === 'USD';
      const asset = isCurrency ? decimals : (await aFreshAsset({ precision: decimals })).code;
      const path = { customerId: customer.id };
      for (const other of others) {
        const body = charge({ asset, ...parts, amount: other });
        const { status } = await call('chargeWallet', { path, body }, [201, 422]);
        expect(status, `amount ${other}`).toBe(422);
      }
      const body = charge({ asset, ...parts, amount: Number(sum) });
      const { status } = await call('chargeWallet', { path, body }, [201, 422]);
      expect(status, `amount ${sum}`).toBe(201);
      const of = { ...path, transactionId: body.transaction_id };
      const shown = lexeme(await api('getWalletTransaction', { path: of }, 200), 'amount');
      expect(shown.replace('-', '')).toBe(sum);
    },
  );
});

/** A price of one event in an asset with these decimals: a price per event, and a rate. */
const flat = (decimals: number, unit_price: number, volume_rate: number, package_size = 1) => ({
  model: 'flat',
  usage: 'unit_and_volume',
  decimals,
  rows: [{ unit_price, volume_rate, package_size }],
});

/** Two tiers with the same sums, if the event has a token more. */
const tiers = (decimals: number, first: number, volume_rate: number, package_size = 1) => ({
  model: 'tiered',
  basis: 'volume',
  decimals,
  rows: [
    { up_to: 1, volume_rate: first },
    { volume_rate, package_size },
  ],
});

describe('sums that are rounded once', () => {
  table<Worked>(
    'EVT-91',
    {
      requirement: 'R-EVT-28',
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-304', 'A-508', 'A-1502'],
    },
    'fees of a price per event and a rate, or of two tiers, that are each between two amounts of the asset → the exact sum, rounded once, half to even, billed and simulated',
    {
      // 1, 1.5 and 2.5; each part alone is rounded to 0, then to 1, then to 2.
      halves: { ...flat(0, 0.5, 0.5), tokens: [1, 2, 4], fees: '1 2 2' },
      'halves in tiers': { ...tiers(0, 0.5, 0.5), tokens: [2], fees: '1' },
      // More than a half; a third cut to ten decimals makes exactly a half.
      'a third': { ...flat(0, 0.1666666667, 1, 3), tokens: [1], fees: '1' },
      'a third in tiers': { ...tiers(0, 0.1666666667, 1, 3), tokens: [2], fees: '1' },
      // 0.03 of two parts that are each rounded to 0.02; 0.025, to the even 0.02.
      cents: { ...flat(2, 0.015, 0.005), tokens: [3, 2], fees: '0.03 0.02' },
      // A seventh cut to ten decimals makes less than 1.
      sevenths: { ...flat(10, 0.004, 1, 7), tokens: [7], fees: '1.004' },
      // 1.5 of the last decimal, to the even 2.
      'the tenth decimal': { ...flat(10, 1e-10, 1e-10, 2), tokens: [1], fees: '0.0000000002' },
    },
    expectFees,
  );
});
