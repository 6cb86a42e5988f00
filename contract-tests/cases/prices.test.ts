import {
  aDraftProduct,
  aFreshCustomer,
  aFreshProduct,
  api,
  check,
  expect,
  lexeme,
  now,
  table,
  unique,
  usageEvent,
} from '../kit/index.ts';
import { listed, price, priced, ROWS, submit } from './shared/events.ts';
import { each, expectRejected, SHARED_OBJECTS } from './shared/fields.ts';
import { products } from './shared/rows/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';

/** One price, and what events of one customer cost by it. */
interface Worked {
  readonly model: string;
  readonly basis?: string;
  /** By volume of tokens by default. */
  readonly usage?: string;
  readonly rows: readonly object[];
  /** The tokens of each event. */
  readonly tokens: readonly number[];
  /** Their fees, between spaces. */
  readonly fees: string;
}

const DECIMAL_ROWS = [
  { up_to: 6, volume_rate: 3 },
  { up_to: 12.5, volume_rate: 2 },
  { volume_rate: 1 },
];
/** Two packages of the first row end at a total of 6. */
const PACKAGE_ROWS = [2, 4, undefined].map((up_to, index) => ({
  up_to,
  volume_rate: 3 - index,
  package_size: 3,
}));
const BOTH = [
  { up_to: 2, unit_price: 1, volume_rate: 0.1 },
  { unit_price: 0.5, volume_rate: 0.01 },
];
const TIERED = { model: 'tiered', basis: 'volume' };
const BY_UNIT = { model: 'tiered', basis: 'unit' };
const BY_PACKAGE = { model: 'tiered', basis: 'package' };
const BULK = { model: 'bulk', basis: 'volume' };

const MODELS: Readonly<Record<string, Worked>> = {
  // 60 and 40 fill row 1; 0 costs nothing; 1 is in row 2.
  tiered: { ...TIERED, rows: ROWS, tokens: [60, 40, 0, 1], fees: '60 40 0 0.5' },
  // 100 + 200 × 0.5.
  'tiered, one event over both rows': { ...TIERED, rows: ROWS, tokens: [300], fees: '200' },
  'tiered, totals on, just below and just above bounds': {
    ...TIERED,
    rows: DECIMAL_ROWS,
    tokens: [5.9999999999, 0.0000000001, 0.0000000001, 6.4999999999, 0.5],
    fees: '17.9999999997 0.0000000003 0.0000000002 12.9999999998 0.5',
  },
  'tiered, totals that are no sums of binary numbers': {
    ...TIERED,
    rows: DECIMAL_ROWS,
    tokens: [0.1, 0.2, 5.7, 0.1],
    fees: '0.3 0.6 17.1 0.2',
  },
  'tiers of events': {
    ...BY_UNIT,
    usage: 'unit',
    rows: [{ up_to: 2, unit_price: 1 }, { unit_price: 0.5 }],
    tokens: [9, 9, 9],
    fees: '1 1 0.5',
  },
  // 1 + 10 × 0.1; 1 + 0 × 0.1; 0.5 + 10 × 0.01.
  'tiers of events and their volume, by the row reached': {
    ...BY_UNIT,
    usage: 'unit_and_volume',
    rows: BOTH,
    tokens: [10, 0, 10],
    fees: '2 1 0.6',
  },
  // 150 start packages 1 and 2 at 5 each; 50 start none; 1 starts the third at 3.
  'tiers of packages': {
    ...BY_PACKAGE,
    rows: [
      { up_to: 2, volume_rate: 5, package_size: 100 },
      { volume_rate: 3, package_size: 100 },
    ],
    tokens: [150, 50, 1],
    fees: '10 0 3',
  },
  // Totals of 2.9, 3, 3.1, 6, 6.0000000001, 9, 12 and 12.25.
  'tiers of packages filled by decimals': {
    ...BY_PACKAGE,
    rows: PACKAGE_ROWS,
    tokens: [2.9, 0.1, 0.1, 2.9, 0.0000000001, 2.9999999999, 3, 0.25],
    fees: '3 0 3 0 2 0 2 1',
  },
  bulk: { ...BULK, rows: ROWS, tokens: [60, 40, 60], fees: '60 40 30' },
  // 0.1 + 0.2 as binary numbers is more than 0.3.
  'bulk, totals on and just above bounds, and beyond': {
    ...BULK,
    rows: DECIMAL_ROWS,
    tokens: [0.1, 0.2, 5.7, 0.0000000001, 6.5],
    fees: '0.3 0.6 17.1 0.0000000002 6.5',
  },
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
    ...TIERED,
    rows: [
      { up_to: 100, volume_rate: 1, max_amount: 50 },
      { volume_rate: 0.5, max_amount: 20 },
    ],
    tokens: [80, 100, 2],
    fees: '50 20 1',
  },
};

/** One product with a price for each of the models, by an event type of its own, and the events of each. */
async function aProductOfAll() {
  const type = `contract.${unique('use')}`;
  const rows = Object.entries(MODELS).map(([name, row], index) => {
    const { model, basis, usage, rows: values } = row;
    const eventType = `${type}.${index}`;
    const tiering = basis === undefined ? undefined : { basis };
    const [made] = priced(model, tiering, values, usage)(eventType);
    return {
      name,
      // Prices of one name would count together.
      price: { ...made, name },
      uses: row.tokens.map((tokens) => usageEvent(eventType, { data: { tokens } })),
    };
  });
  return { product: await aFreshProduct({ prices: rows.map((row) => row.price) }), rows };
}

/**
 * Bills the first event of each row, again, and the others, and compares all fees. They are simulated before: from zero,
 * and what is left after the first ones for the customer who has used them.
 */
async function expectFees(): Promise<void> {
  const { product, rows } = await aProductOfAll();
  const wanted = Object.fromEntries(Object.entries(MODELS).map(([name, { fees }]) => [name, fees]));
  const compare = (amounts: ReadonlyMap<string, string>, what: string) =>
    expect(
      Object.fromEntries(
        rows.map(({ name, uses }) => [name, uses.map(({ id }) => amounts.get(id)).join(' ')]),
      ),
      what,
    ).toEqual(wanted);
  const simulated = async (events: readonly object[], more: object = {}) => {
    const path = { productId: product.id, version: 'default' };
    const body = { events, ...more } as never;
    const { fees } = await api('simulateUsage', { path, body }, 200);
    return fees.map((fee) => [fee.usage_id, lexeme(fee, 'amount')] as const);
  };
  const [first, rest] = [
    rows.flatMap(({ uses }) => uses.slice(0, 1)),
    rows.flatMap(({ uses }) => uses.slice(1)),
  ];
  compare(new Map(await simulated([...first, ...rest])), 'fees simulated');
  const customer = await aFreshCustomer();
  await subscribe(customer, to(product));
  for (const _ of ['once', 'again']) await submit(customer, ...first);
  const ofCustomer = { customer_id: customer.id };
  const ahead = await simulated(rest, ofCustomer);
  await submit(customer, ...rest);
  const billed = (await listed(ofCustomer)).map(
    (item) => [item.id, lexeme(item, 'total_fees')] as const,
  );
  compare(new Map(billed), 'fees billed');
  compare(new Map([...billed, ...ahead]), 'fees simulated for the customer');
}

check(
  'EVT-37',
  {
    requirement: 'R-EVT-63 R-EVT-64 R-EVT-65 R-EVT-66 R-EVT-67 R-EVT-68 R-PRD-41 R-PRD-59',
    effect: 'E3',
    assumes: 'A-1501 A-1502 A-1503 A-1504',
  },
  'tiers continue where the last event stopped, a bound belongs to its row; bulk prices the whole event at the row that it reaches; a package is paid for by the event that starts it; limits are those of the row reached → each fee as worked out, billed and simulated',
  expectFees,
);

const size = { volume_rate: 1, package_size: 5 };

table<ReturnType<typeof priced>>(
  'PRD-30',
  { requirement: 'R-PRD-60', effect: 'E1', assumes: 'A-1505' },
  'prices whose tiers, rows or limits contradict their model → 422 that names them, and no product',
  {
    'tiers without tiering': priced('tiered', undefined, ROWS),
    'bulk without a basis': priced('bulk', {}, ROWS),
    'flat with tiering': priced('flat', { basis: 'volume' }, [{ volume_rate: 1 }]),
    'flat with two rows': priced('flat', undefined, ROWS),
    'a bound of the last row': priced('tiered', { basis: 'volume' }, [
      { up_to: 100, volume_rate: 1 },
    ]),
    'rows that do not ascend': priced('tiered', { basis: 'volume' }, [
      { up_to: 9, volume_rate: 1 },
      ...ROWS.toReversed(),
    ]),
    'tiers by volume of a price by unit': priced(
      'tiered',
      { basis: 'volume' },
      [{ unit_price: 1 }],
      'unit',
    ),
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
  async (pricesOf, t) => {
    const fields = await products(SHARED_OBJECTS, t);
    await expectRejected(fields, each('prices', [pricesOf('contract.refused')]));
  },
);

async function simulate({ id }: { readonly id: string }, events: object[]) {
  const path = { productId: id, version: '1' };
  const { fees, warnings } = await api('simulateUsage', { path, body: { events } as never }, 200);
  return { fees: fees.map((fee) => [fee.usage_id, fee.amount]), warnings };
}

check(
  'PRD-43',
  { requirement: 'R-PRD-57', effect: 'E2', assumes: 'A-512 A-304' },
  'simulation of a draft with priced and unpriced usage, missing and non-numeric volumes, times far in the past and future → the fees in order, a warning for each event that was not priced, none if all were, also if a fee is rounded to 0',
  async (t) => {
    const product = await aDraftProduct(t);
    const type = product.eventType;
    const byVolume = [price(type, 'volume', [{ volume_rate: 2 }])];
    const volume = await aDraftProduct(t, { prices: byVolume });
    const [one, far, other] = [
      usageEvent(type, { occurred_at: now(-400 * DAY_MS) }),
      usageEvent(type, { occurred_at: now(400 * DAY_MS) }),
      usageEvent(`${type}.other`),
    ];
    const volumes = [{}, { tokens: 'many' }, { tokens: -1 }, { tokens: 4 }, { tokens: 1e-11 }].map(
      (data) => usageEvent(type, { data }),
    );
    const whole = await simulate(product, [one, far]);
    const part = await simulate(product, [one, other, far]);
    const unusable = await simulate(volume, volumes);
    const fees = [one, far].map(({ id }) => [id, 0.25]);

    expect(whole).toEqual({ fees, warnings: undefined });
    expect([part.fees, part.warnings?.length]).toEqual([fees, 1]);
    const usable = [
      [volumes[3]?.id, 8],
      // Less than the tenth decimal is 0.
      [volumes[4]?.id, 0],
    ];
    expect([unusable.fees, unusable.warnings?.length]).toEqual([usable, 3]);
  },
);
