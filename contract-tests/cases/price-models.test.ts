import { describe, refused, table, unique } from '../kit/index.ts';
import { expectFees, priced, ROWS, type Worked } from './shared/prices.ts';

const VOLUMES = { basis: 'volume' };

const DECIMAL_ROWS = [
  { up_to: 6, volume_rate: 3 },
  { up_to: 12.5, volume_rate: 2 },
  { volume_rate: 1 },
];
/** Two packages of the first row end at a total of 6. */
const PACKAGE_ROWS = [2, 4, undefined].map((up_to, index) => ({
  ...{ up_to, volume_rate: 3 - index, package_size: 3 },
}));
const OF_TEN = [
  { up_to: 100, volume_rate: 1, package_size: 10 },
  { volume_rate: 0.5, package_size: 10 },
];
const BOTH = [
  { up_to: 2, unit_price: 1, volume_rate: 0.1 },
  { unit_price: 0.5, volume_rate: 0.01 },
];

type Rows = Omit<Worked, 'model'>;

describe('price models', () => {
  table<Rows>(
    'EVT-37',
    { requirement: 'R-EVT-63', level: 'ASSUMED', effect: 'E3', assumes: ['A-1501', 'A-1502'] },
    'tiered by volume → each event continues where the last one stopped, a bound belongs to its row, billed and simulated',
    {
      // 60 and 40 fill row 1; 0 costs nothing; 1 is in row 2.
      'two rows': { rows: ROWS, tokens: [60, 40, 0, 1], fees: '60 40 0 0.5' },
      // 100 + 200 × 0.5.
      'one event over both rows': { rows: ROWS, tokens: [300], fees: '200' },
      // 95 ÷ 10; then 5 ÷ 10 + 10 × 0.5 ÷ 10.
      'a package size, pro rata within each row': {
        rows: OF_TEN,
        tokens: [95, 15],
        fees: '9.5 1',
      },
      // 1 × 0.1 + 1; 1 × 0.1 + 9 × 0.01 + 0.5.
      'a price of the event too, of the row that it reaches': {
        usage: 'unit_and_volume',
        rows: BOTH,
        tokens: [1, 10],
        fees: '1.1 0.69',
      },
      'totals on, just below and just above bounds': {
        rows: DECIMAL_ROWS,
        tokens: [5.9999999999, 0.0000000001, 0.0000000001, 6.4999999999, 0.5],
        fees: '17.9999999997 0.0000000003 0.0000000002 12.9999999998 0.5',
      },
      'totals that are no sums of binary numbers': {
        rows: DECIMAL_ROWS,
        tokens: [0.1, 0.2, 5.7, 0.1],
        fees: '0.3 0.6 17.1 0.2',
      },
    },
    (row) => expectFees({ model: 'tiered', basis: 'volume', ...row }),
  );

  table<Rows>(
    'EVT-38',
    { requirement: 'R-EVT-64', level: 'ASSUMED', effect: 'E3', assumes: ['A-1501', 'A-1502'] },
    'tiered by unit and by package → rows count events, and started packages, billed and simulated',
    {
      events: {
        basis: 'unit',
        usage: 'unit',
        rows: [{ up_to: 2, unit_price: 1 }, { unit_price: 0.5 }],
        tokens: [9, 9, 9],
        fees: '1 1 0.5',
      },
      // 1 + 10 × 0.1; 1 + 0 × 0.1; 0.5 + 10 × 0.01.
      'events and their volume, by the row reached': {
        basis: 'unit',
        usage: 'unit_and_volume',
        rows: BOTH,
        tokens: [10, 0, 10],
        fees: '2 1 0.6',
      },
      // 150 start packages 1 and 2 at 5 each; 50 start none; 1 starts the third at 3.
      packages: {
        basis: 'package',
        rows: [
          { up_to: 2, volume_rate: 5, package_size: 100 },
          { volume_rate: 3, package_size: 100 },
        ],
        tokens: [150, 50, 1],
        fees: '10 0 3',
      },
      // Totals of 2.9, 3, 3.1, 6, 6.0000000001, 9, 12 and 12.25.
      'packages filled by decimals': {
        basis: 'package',
        rows: PACKAGE_ROWS,
        tokens: [2.9, 0.1, 0.1, 2.9, 0.0000000001, 2.9999999999, 3, 0.25],
        fees: '3 0 3 0 2 0 2 1',
      },
    },
    (row) => expectFees({ model: 'tiered', ...row }),
  );

  table<Rows>(
    'EVT-39',
    { requirement: 'R-EVT-65', level: 'ASSUMED', effect: 'E3', assumes: ['A-1501', 'A-1502'] },
    'bulk → the whole event is priced at the row that it reaches, billed and simulated',
    {
      'two rows': { rows: ROWS, tokens: [60, 40, 60], fees: '60 40 30' },
      // 95 ÷ 10; then 15 × 0.5 ÷ 10.
      'a package size, pro rata': { rows: OF_TEN, tokens: [95, 15], fees: '9.5 0.75' },
      'events and their volume': {
        basis: 'unit',
        usage: 'unit_and_volume',
        rows: BOTH,
        tokens: [10, 0, 10],
        fees: '2 1 0.6',
      },
      // 0.1 + 0.2 as binary numbers is more than 0.3.
      'totals on and just above bounds, and beyond': {
        rows: DECIMAL_ROWS,
        tokens: [0.1, 0.2, 5.7, 0.0000000001, 6.5],
        fees: '0.3 0.6 17.1 0.0000000002 6.5',
      },
      'packages filled by decimals': {
        basis: 'package',
        rows: PACKAGE_ROWS,
        tokens: [2.9, 0.1, 0.1, 2.9, 0.5],
        fees: '3 0 3 0 2',
      },
    },
    (row) => expectFees({ model: 'bulk', basis: 'volume', ...row }),
  );

  table<Worked>(
    'EVT-40',
    {
      requirement: ['R-EVT-66', 'R-EVT-67'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-1503', 'A-1504'],
    },
    'a package is paid by the event that starts it; min_amount and max_amount of the row reached limit a fee, volume 0 costs nothing',
    {
      // 1 starts a package; 99 fill it; 1 starts the second; 250 (351 in all) start two more.
      'packages of a volume': {
        model: 'package',
        rows: [{ volume_rate: 3, package_size: 100 }],
        tokens: [1, 99, 1, 250],
        fees: '3 0 3 6',
      },
      'packages of events, without a volume_rate': {
        model: 'package',
        usage: 'unit',
        rows: [{ unit_price: 2, package_size: 3 }],
        tokens: [0, 0, 0, 0],
        fees: '2 0 0 2',
      },
      'limits of a flat price': {
        model: 'flat',
        rows: [{ volume_rate: 1, min_amount: 2, max_amount: 5 }],
        tokens: [1, 3, 9, 0],
        fees: '2 3 5 0',
      },
      // 80 is limited to 50; 20 + 80 × 0.5 is limited to 20 by row 2; both quantities count in full.
      'limits of the row that is reached': {
        model: 'tiered',
        basis: 'volume',
        rows: [
          { up_to: 100, volume_rate: 1, max_amount: 50 },
          { volume_rate: 0.5, max_amount: 20 },
        ],
        tokens: [80, 100, 2],
        fees: '50 20 1',
      },
    },
    expectFees,
  );
});

describe('validation of price models', () => {
  const size = { volume_rate: 1, package_size: 5 };

  table<ReturnType<typeof priced>>(
    'PRD-30',
    { requirement: 'R-PRD-60', level: 'ASSUMED', effect: 'E1', assumes: 'A-1505' },
    'prices whose tiers, rows or limits contradict their model → rejected',
    {
      'tiers without tiering': priced('tiered', undefined, ROWS),
      'bulk without a basis': priced('bulk', {}, ROWS),
      'flat with tiering': priced('flat', VOLUMES, [{ volume_rate: 1 }]),
      'flat with two rows': priced('flat', undefined, ROWS),
      'a bound of the last row': priced('tiered', VOLUMES, [{ up_to: 100, volume_rate: 1 }]),
      'rows that do not ascend': priced('tiered', VOLUMES, [
        { up_to: 9, volume_rate: 1 },
        ...ROWS.toReversed(),
      ]),
      'tiers by volume of a price by unit': priced('tiered', VOLUMES, [{ unit_price: 1 }], 'unit'),
      'a package without a size': priced('package', undefined, [{ volume_rate: 1 }]),
      'two rows of a package': priced('package', undefined, [size, size]),
      'a package by unit and volume': priced(
        'package',
        undefined,
        [{ ...size, unit_price: 1 }],
        'unit_and_volume',
      ),
      'min_amount above max_amount': priced('flat', undefined, [
        { volume_rate: 1, min_amount: 2, max_amount: 1 },
      ]),
    },
    async (pricesOf) => {
      const prices = pricesOf('contract.refused');
      await refused('createProduct', {
        body: { name: 'Refused', code: unique('refused'), prices },
      });
    },
  );
});
