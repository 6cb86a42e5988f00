import {
  aFreshAsset,
  amount,
  api,
  aUnitPrice,
  aUsageEvent,
  aVendor,
  call,
  check,
  expect,
  lexeme,
  now,
  refused,
  unique,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aPayer, aPayerOf, listed, price, priced, ROWS, stored, submit } from './shared/events.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { balance, revenueOf } from './shared/wallets.ts';

check(
  'EVT-06',
  {
    requirement:
      'R-CONV-09 R-EVT-14 R-EVT-15 R-EVT-17 R-EVT-19 R-EVT-20 R-EVT-21 R-EVT-23 R-EVT-25 R-EVT-26 R-EVT-27 R-EVT-28 R-EVT-29 R-EVT-32 R-EVT-52 R-EVT-53 R-EVT-56 R-EVT-59 R-EVT-60 R-PRF-04 R-PRF-05 R-PRF-06 R-PRF-12',
    effect: 'E3',
    partly: 'A-510 A-806',
  },
  'prices by unit, by volume and by both, of a version that is no longer the newest and that two subscriptions have → a fee each with the nine required fields, rounding recorded; total_fees is their exact sum, by which the balance falls, and the gross revenue; the net revenue is without the costs; usage without a price has no fee',
  async () => {
    const volume = { volume_rate: 1.25, package_size: 1_000_000 };
    const { customer, product, eventType } = await aPayer((type) => [
      { ...price(type, 'unit', [{ unit_price: 0.1 }]), name: 'Calls' },
      { ...price(type, 'volume', [volume]), name: 'Tokens' },
      {
        ...price(type, 'unit_and_volume', [{ unit_price: 0.1, volume_rate: 0.02 }]),
        name: 'Both',
      },
    ]);
    const next = { prices: [aUnitPrice(eventType, 9)], publish: true };
    await api(
      'createProductVersion',
      { path: { productId: product.id }, body: next as never },
      201,
    );
    await subscribe(customer, to(product, { version: 1 }));
    const { id: vendor_id } = await aVendor();
    const costs = [0.07, 0.01].map((sum) => ({ id: uuid(), vendor_id, amount: sum }));
    const before = await balance(customer);
    const { id } = await aUsageEvent(customer, eventType, { data: { tokens: 1234 }, costs });
    const unpriced = await aUsageEvent(customer, `contract.${unique('unpriced')}`);
    const { fees, stats } = await stored(id);
    const [item] = await listed({ event_id: id });
    const [free] = await listed({ event_id: unpriced.id });

    // 0.1; 1234 × 1.25 ÷ 1,000,000; 0.1 + 1234 × 0.02.
    expect(fees.map((fee) => lexeme(fee, 'amount'))).toEqual(['0.1', '0.0015425', '24.78']);
    expect(fees).toEqual(
      [
        ['Calls', 'unit'],
        ['Tokens', 'volume'],
        ['Both', 'unit_and_volume'],
      ].map(([price_name, usage_type]) =>
        expect.objectContaining({
          id: expect.stringMatching(/^fee_/),
          product_id: product.id,
          product_code: product.code,
          product_version: 1,
          price_id: expect.stringMatching(/^prc_/),
          price_name,
          currency: 'USD',
          usage_type,
          amount: expect.any(Number),
        }),
      ),
    );
    expect(fees[1]).toMatchObject({ volume_field: 'tokens', input_volume: 1234, ...volume });
    expect(lexeme(item as { total_fees: number }, 'total_fees')).toBe('24.8815425');
    expect(item).toMatchObject({ fee_currency: 'USD', has_fees: true });
    expect(String(before.minus(await balance(customer)))).toBe('24.8815425');
    const sums = stats as NonNullable<typeof stats>;
    expect(String(amount(sums, 'gross_revenue')), 'gross_revenue').toBe('24.8815425');
    expect(String(amount(sums, 'total_costs')), 'total_costs').toBe('0.08');
    expect(String(amount(sums, 'net_revenue')), 'net_revenue').toBe('24.8015425');
    expect([free?.has_fees, (await stored(unpriced.id)).fees]).toEqual([false, []]);
  },
);

/** Prices by the part of their event type. */
const tierRows = [
  { ...ROWS[0], name: 'First', package_size: 1 },
  { ...ROWS[1], name: 'Beyond', package_size: 10 },
];
const both = ['region', 'tier'].map((name) => [name, '*']);
const byPlace = [
  { dimensions: Object.fromEntries(both), unit_price: 1 },
  { dimensions: { region: 'eu', tier: '*' }, unit_price: 2 },
  { dimensions: { region: 'eu', tier: 'gold' }, unit_price: 4 },
  { unit_price: 8 },
];
/** Values that match the same event equally well; the last has a name of its own beside that of its row. */
const equals = [
  { dimensions: { tier: 'gold' }, values: [{ unit_price: 5 }] },
  { dimensions: { region: 'eu' }, values: [{ unit_price: 6 }] },
  { name: 'Group', dimensions: { region: 'us' }, values: [{ name: 'Row', unit_price: 7 }] },
];
const ofPlace = { billable_dimensions: ['region', 'tier'] };
const pricesOf = (type: string) => [
  price(`${type}.zero`, 'unit', [{ unit_price: 0 }]),
  price(`${type}.zeros`, 'unit_and_volume', [{ unit_price: 0, volume_rate: 0 }]),
  price(`${type}.volume`, 'volume', [{ volume_rate: 3, package_size: 10 }]),
  price(`${type}.place`, 'unit', byPlace, ofPlace),
  price(`${type}.ecalp`, 'unit', byPlace.toReversed(), ofPlace),
  price(`${type}.equal`, 'unit', equals, ofPlace),
  ...priced('tiered', { basis: 'volume' }, tierRows)(`${type}.tiers`),
];

/** Usage in the order in which it is submitted, and its fee; null for what the fee does not show. */
const USED: readonly (readonly [of: string, data: object, fee: object])[] = [
  ['zero', {}, { amount: 0, unit_price: 0, input_volume: null, volume_rate: null }],
  ['zeros', { tokens: 5 }, { amount: 0, unit_price: 0, input_volume: 5, volume_rate: 0 }],
  ['volume', { tokens: 0 }, { amount: 0, unit_price: null, input_volume: 0, volume_rate: 3 }],
  ['volume', { tokens: 5 }, { amount: 1.5, input_volume: 5, package_size: 10, dimensions: null }],
  ...['place', 'ecalp'].flatMap((of) => [
    [
      of,
      { region: 'eu', tier: 'gold', other: 'x' },
      { amount: 4, dimensions: { region: 'eu', tier: 'gold' } },
    ] as const,
    [
      of,
      { region: 'eu', tier: 7 },
      { amount: 2, dimensions: { region: 'eu', tier: '7' } },
    ] as const,
    [of, { region: 'us' }, { amount: 1, dimensions: { region: 'us' } }] as const,
    [of, { tier: true }, { amount: 1, dimensions: { tier: 'true' } }] as const,
    [of, { other: 'x' }, { amount: 1, dimensions: null, unit_price: 1 }] as const,
  ]),
  ['equal', { region: 'eu', tier: 'gold' }, { amount: 5, dimensions: { tier: 'gold' } }],
  ['equal', { region: 'us' }, { amount: 7, price_name: 'Row' }],
  [
    'tiers',
    { tokens: 60 },
    { amount: 60, price_name: 'First', volume_rate: 1, input_volume: 60, package_size: 1 },
  ],
  // 40 + 10 × 0.5 ÷ 10, of both rows.
  [
    'tiers',
    { tokens: 50 },
    {
      amount: 40.5,
      price_name: 'Usage',
      volume_rate: null,
      input_volume: 50,
      package_size: null,
    },
  ],
  [
    'tiers',
    { tokens: 10 },
    { amount: 0.5, price_name: 'Beyond', volume_rate: 0.5, package_size: 10 },
  ],
];

check(
  'EVT-09',
  {
    requirement: 'R-EVT-22 R-EVT-23 R-EVT-30 R-EVT-31 R-EVT-55 R-EVT-70 R-EVT-74',
    effect: 'E3',
    partly: 'A-507 A-508 A-1502',
  },
  "price, rate and volume of 0 → a fee of 0; more equal dimensions win over fewer and over `*`, in any order, and the first of equals; the event's own values of the dimensions are shown, without those it lacks; a fee of one row has its name, rate and package size, of several rows none",
  async () => {
    const { customer, eventType } = await aPayer(pricesOf);
    const events = USED.map(([of, data]) => usageEvent(`${eventType}.${of}`, { data }));
    await submit(customer, ...events);
    for (const [index, [of, data, wanted]] of USED.entries()) {
      const { fees } = await stored(events[index]?.id as string);
      const shown = fees.map((fee) =>
        Object.fromEntries(
          Object.keys(wanted).map((name) => [name, fee[name as keyof typeof fee] ?? null]),
        ),
      );
      expect(shown, `${of} ${JSON.stringify(data)}`).toEqual([wanted]);
    }
    const { id: customer_id } = customer;
    expect(await listed({ customer_id, has_fees: false }), 'events without a fee').toEqual([]);
    // 1.5; 4 + 2 + 1 + 1 + 1, twice; 5 + 7; 60 + 40.5 + 0.5.
    expect(String(await balance(customer))).toBe('-132.5');
  },
);

/** Numbers of data at their ends, and with more decimals than an amount has. */
const DIGITS = [
  '999999999999999.9',
  '-999999999999999.9',
  '999999999999999',
  '0.00000000000000000001',
  '0.12345678901234568',
  '-0.000000000015',
];

/** Numbers of an event, and what they cost at 2 each. */
const FEES_OF_DIGITS = {
  '99999999999999.99999': '199999999999999.99998',
  '0.1000000000000000055': '0.2',
  '123456789012345.678901': '246913578024691.357802',
  '1.0000000000000005': '2',
};

check(
  'EVT-108',
  { requirement: 'R-EVT-10 R-CONV-27', effect: 'E3', assumes: 'A-303' },
  'numbers in data of several events and in metadata of several costs, with more digits than a double holds, and at both ends, with up to twenty decimals → kept digit by digit, billed and shown as sent',
  async () => {
    const payer = await aPayerOf('volume', [{ volume_rate: 2 }]);
    const [vendor, batch] = [await aVendor(), Object.entries(FEES_OF_DIGITS)];
    // A number is sent as text that is marked, and unquoted before it leaves.
    const events = batch.map(([tokens]) => ({
      id: uuid(),
      event_type: payer.eventType,
      occurred_at: now(),
      data: { tokens: `#${tokens}` },
      costs: [`#${tokens}1`, `#${tokens}2`].map((units) => ({
        id: uuid(),
        vendor_id: vendor.id,
        amount: 1,
        metadata: { units },
      })),
    }));
    // The last one has fewer digits, and no longer ones beside it.
    for (const together of [events.slice(0, -1), events.slice(-1)]) {
      const body = JSON.stringify({ customer_id: payer.customer.id, events: together });
      await call('submitEvents', { raw: body.replaceAll(/"#([^"]*)"/g, '$1') }, [204]);
    }
    for (const [place, [tokens, sum]] of batch.entries()) {
      const { data, costs, fees } = await stored(events[place]?.id as string);
      const [fee] = fees as [(typeof fees)[number]];

      expect(lexeme(data as { tokens: number }, 'tokens'), 'data.tokens').toBe(tokens);
      expect(lexeme(fee, 'input_volume'), 'fees[0].input_volume').toBe(tokens);
      expect(lexeme(fee, 'amount'), 'fees[0].amount').toBe(sum);
      const units = costs?.map(({ metadata }) => lexeme(metadata as { units: number }, 'units'));
      expect(units, 'metadata of costs').toEqual([`${tokens}1`, `${tokens}2`]);
    }
    const numbers = Object.fromEntries(DIGITS.map((digits) => [digits, Number(digits)]));
    const { id } = await aUsageEvent(payer.customer, 'contract.digits', { data: numbers });
    const { data } = await stored(id);
    for (const digits of DIGITS)
      expect(lexeme(data as Record<string, number>, digits), 'a number in data').toBe(digits);
  },
);

/** A payer of 1 per token in a new asset with this rate to USD, and the gross revenue of its events. */
async function aPayerInAsset(rate: object) {
  const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', ...rate }] });
  const { customer, eventType } = await aPayer((type) => [
    { ...price(type, 'volume', []), pricing: [{ asset: code, values: [{ volume_rate: 1 }] }] },
  ]);
  const revenueOfEvent = async (tokens: number) => {
    const { id } = await aUsageEvent(customer, eventType, { data: { tokens } });
    return (await stored(id)).stats?.gross_revenue;
  };
  return { customer, code, revenueOfEvent };
}

check(
  'EVT-104',
  { requirement: 'R-AST-35 R-EVT-72', effect: 'E3', assumes: 'A-402' },
  'debt of 300 billion in an asset with an inverse rate of 3 → worth exactly 100 billion, in the event and of the customer',
  async () => {
    const { customer, revenueOfEvent } = await aPayerInAsset({ inverse_rate: 3 });

    expect(await revenueOfEvent(3e11)).toBe(1e11);
    expect(await revenueOf(customer)).toBe(1e11);
  },
);

/** What no volume is. */
const NO_VOLUMES = [null, [], ['x'], {}, { x: 'x' }];

/** Prices by volume: flat, with a price per event, and in each pricing model. */
const byVolume = (type: string): object[] => {
  const modelled = (pricing_model: string, values: object[], more: object = {}) => ({
    ...price(type, 'volume', values),
    name: pricing_model,
    pricing_model,
    tiering: { basis: 'volume' },
    ...more,
  });
  return [
    price(type, 'volume', [{ volume_rate: 2 }]),
    { ...price(type, 'unit_and_volume', [{ unit_price: 1, volume_rate: 2 }]), name: 'Both' },
    modelled('tiered', ROWS),
    modelled('bulk', ROWS),
    modelled('package', [{ volume_rate: 4, package_size: 10 }], { tiering: undefined }),
  ];
};

check(
  'EVT-88',
  { requirement: 'R-EVT-57', effect: 'E3', assumes: 'A-508' },
  'volumes that are true, false, numeric and other texts, or below 0 → no fee in any pricing model, billed or simulated, and not counted; null, lists and maps → rejected; 0 and more → a fee',
  async () => {
    const { customer, eventType, product } = await aPayer(byVolume);
    const path = { productId: product.id, version: 'default' };
    const texts = ['', ' ', '0', '3', '3.0', '0x3', 'three', 'true', 'NaN'];
    const unpriced = [...texts, true, false, -3].map((tokens) =>
      usageEvent(eventType, { data: { tokens, other: 3 } }),
    );
    const unbilled = { customer_id: customer.id, events: unpriced as never };
    expect((await api('simulateUsage', { path, body: unbilled }, 200)).fees).toEqual([]);
    await api('submitEvents', { body: unbilled }, 204);
    for (const { id } of unpriced) expect((await stored(id)).fees).toEqual([]);
    for (const tokens of NO_VOLUMES) {
      const body = {
        customer_id: customer.id,
        events: [usageEvent(eventType, { data: { tokens } })],
      };
      await refused('submitEvents', { body });
      await refused('simulateUsage', { path, body });
    }
    const fees = async (tokens: number) =>
      (await stored((await aUsageEvent(customer, eventType, { data: { tokens } })).id)).fees.map(
        ({ amount, input_volume }) => [amount, input_volume],
      );

    expect(await fees(0)).toEqual([0, 1, 0, 0, 0].map((sum) => [sum, 0]));
    // Up to 100, a token costs 1; the first package of ten costs 4.
    expect(await fees(99)).toEqual([198, 199, 99, 99, 40].map((sum) => [sum, 99]));
    // Nor is a volume below 0 taken off what was counted.
    expect(await fees(-50)).toEqual([]);
    // One token in the first row and half of one in the second, 1 + 0.5 × 0.5, or all in the second; they fill 11 packages.
    expect(await fees(1.5)).toEqual([3, 4, 1.25, 0.75, 4].map((sum) => [sum, 1.5]));
  },
);
