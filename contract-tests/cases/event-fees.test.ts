import {
  aFreshAsset,
  amount,
  anAdjustment,
  api,
  aUnitPrice,
  aUsageEvent,
  aVendor,
  check,
  describe,
  expect,
  unique,
  uuid,
} from '../kit/index.ts';
import { aPayer, aPayerOf, listed, price, type Stored, stored } from './shared/events.ts';
import { feesOf } from './shared/prices.ts';
import { balance } from './shared/wallets.ts';

const amounts = (fees: Stored['fees']) => fees.map((fee) => String(amount(fee, 'amount')));

describe('fees of events', () => {
  check(
    'EVT-06',
    {
      requirement: [
        ...['R-EVT-14', 'R-EVT-17', 'R-EVT-19', 'R-EVT-20', 'R-EVT-21', 'R-EVT-25', 'R-EVT-32'],
        'R-EVT-53',
      ],
      level: 'MUST',
      effect: 'E3',
      assumes: 'A-806',
    },
    'two unit prices, of a version that is no longer the newest → two fees with the nine required fields; total_fees is their sum, fee_currency their asset; usage without a price has none',
    async () => {
      const { customer, product, eventType } = await aPayer((type) => [
        { ...price(type, 'unit', [{ unit_price: 0.1 }]), name: 'Calls' },
        { ...price(type, 'unit', [{ unit_price: 0.2 }]), name: 'Minutes' },
      ]);
      const next = { prices: [aUnitPrice(eventType, 9)], publish: true, make_default: true };
      const path = { productId: product.id };
      await api('createProductVersion', { path, body: next as never }, 201);
      const { id } = await aUsageEvent(customer, eventType);
      const unpriced = await aUsageEvent(customer, `contract.${unique('unpriced')}`);
      const [item] = await listed({ event_id: id });
      const [free] = await listed({ event_id: unpriced.id });

      expect((await stored(id)).fees).toEqual(
        [
          ['Calls', 0.1],
          ['Minutes', 0.2],
        ].map(([price_name, unit_price]) =>
          expect.objectContaining({
            id: expect.stringMatching(/^fee_/),
            ...{ product_id: product.id, product_code: product.code, product_version: 1 },
            ...{ price_id: expect.stringMatching(/^prc_/), price_name },
            ...{ currency: 'USD', usage_type: 'unit', amount: unit_price },
          }),
        ),
      );
      expect([String(amount(item as never, 'total_fees' as never)), item?.fee_currency]).toEqual([
        '0.3',
        'USD',
      ]);
      expect([item?.has_fees, free?.has_fees]).toEqual([true, false]);
      expect((await stored(unpriced.id)).fees).toEqual([]);
    },
  );

  check(
    'EVT-07',
    {
      requirement: [
        ...['R-EVT-15', 'R-EVT-23', 'R-EVT-25', 'R-EVT-26', 'R-EVT-27', 'R-EVT-28', 'R-EVT-29'],
        ...['R-EVT-52', 'R-EVT-56', 'R-EVT-60', 'R-PRF-04', 'R-PRF-05', 'R-PRF-06', 'R-PRF-12'],
      ],
      level: 'IMPLIED',
      effect: 'E3',
    },
    'unit fee = unit_price; volume fee = input_volume ÷ package_size × volume_rate; both = sum; the balance falls by their sum, which is the gross revenue, the net revenue is without the costs; the rounding is recorded',
    async () => {
      const volume = { volume_rate: 1.25, package_size: 1_000_000 };
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 0.1 }]),
        price(type, 'volume', [volume]),
        price(type, 'unit_and_volume', [{ unit_price: 0.1, volume_rate: 0.02 }]),
      ]);
      const { id: vendor_id } = await aVendor();
      const costs = [0.07, 0.01].map((sum) => ({ id: uuid(), vendor_id, amount: sum }));
      const before = await balance(customer);
      const data = { tokens: 1234 };
      const { fees, stats } = await stored(
        (await aUsageEvent(customer, eventType, { data, costs })).id,
      );
      const sums = stats as NonNullable<typeof stats>;

      // 0.1; 1234 × 1.25 ÷ 1,000,000; 0.1 + 1234 × 0.02.
      expect(amounts(fees)).toEqual(['0.1', '0.0015425', '24.78']);
      expect(fees[1]).toMatchObject({ volume_field: 'tokens', input_volume: 1234, ...volume });
      expect(String(before.minus(await balance(customer)))).toBe('24.8815425');
      expect(String(amount(sums, 'gross_revenue')), 'gross_revenue').toBe('24.8815425');
      expect(String(amount(sums, 'total_costs')), 'total_costs').toBe('0.08');
      expect(String(amount(sums, 'net_revenue')), 'net_revenue').toBe('24.8015425');
    },
  );

  check(
    'EVT-09',
    { requirement: ['R-EVT-22', 'R-EVT-30', 'R-EVT-31'], level: 'MUST', effect: 'E3' },
    'dimension match picks the specific value; `*` matches the rest; the fee shows the dimensions',
    async () => {
      const values = [
        { dimensions: { model: 'large' }, unit_price: 3 },
        { dimensions: { model: '*' }, unit_price: 2 },
      ];
      const payer = await aPayerOf('unit', values, { billable_dimensions: ['model'] });
      const one = await feesOf(payer, { model: 'large' });
      const other = await feesOf(payer, { model: 'small' });

      expect([amounts(one), amounts(other)]).toEqual([['3'], ['2']]);
      expect(one[0]?.dimensions).toEqual({ model: 'large' });
      expect(Object.keys(other[0]?.dimensions ?? {})).toEqual(['model']);
    },
  );

  check(
    'EVT-32',
    { requirement: 'R-EVT-55', level: 'ASSUMED', effect: 'E3', assumes: 'A-507' },
    'more equal dimensions win over fewer and over `*`; the order of the values does not matter',
    async () => {
      const values = [
        { dimensions: { region: '*', tier: '*' }, unit_price: 1 },
        { dimensions: { region: 'eu', tier: '*' }, unit_price: 2 },
        { dimensions: { region: 'eu', tier: 'gold' }, unit_price: 4 },
      ];
      for (const order of [values, [...values].reverse()]) {
        const payer = await aPayerOf('unit', order, { billable_dimensions: ['region', 'tier'] });

        expect(amounts(await feesOf(payer, { region: 'eu', tier: 'gold' }))).toEqual(['4']);
        expect(amounts(await feesOf(payer, { region: 'eu', tier: 'silver' }))).toEqual(['2']);
        expect(amounts(await feesOf(payer, { region: 'us' }))).toEqual(['1']);
      }
    },
  );

  check(
    'EVT-34',
    { requirement: 'R-EVT-58', level: 'ASSUMED', effect: 'E3', assumes: 'A-509' },
    'price in two assets → charged to the first whose default account covers the fee, else the first with a positive balance, else the first; accounts of other names do not matter',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const { customer, eventType } = await aPayer((type) => [
        {
          ...price(type, 'unit', []),
          pricing: [
            { asset: code, values: [{ unit_price: 1 }] },
            { asset: 'USD', values: [{ unit_price: 2 }] },
          ],
        },
      ]);
      const own = { asset: code };
      const bonus = { account_name: 'bonus', amount: 10 };
      for (const [credits, paidIn] of [
        [[], code],
        [[{ amount: 3 }], 'USD'],
        // 0.5 of the asset and 1 USD: neither covers, and both are positive.
        [[{ ...own, amount: 1.5 }], code],
        // 0.5 of the asset and 2 USD, which cover.
        [[{ ...own, amount: 1 }, { amount: 1 }], 'USD'],
        // 0.5 of the asset beside 10 under another name, and 2 USD, which cover.
        [[{ ...own, ...bonus }, { amount: 2 }], 'USD'],
        // 0.5 of the asset, which is positive, and 0 USD beside 10 under another name.
        [[bonus], code],
      ] as const) {
        for (const credit of credits) await anAdjustment(customer, credit);
        const fees = await feesOf({ customer, eventType }, {});
        expect(
          fees.map((fee) => fee.currency),
          `after ${JSON.stringify(credits)}`,
        ).toEqual([paidIn]);
      }
    },
  );

  check(
    'EVT-35',
    { requirement: 'R-EVT-59', level: 'ASSUMED', effect: 'E3', assumes: 'A-510' },
    'two matching prices → two fees; product held by two subscriptions → billed once',
    async () => {
      const { customer, product, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 1 }]),
        price(type, 'unit', [{ unit_price: 2 }]),
      ]);
      const body = { products: [{ id: product.id }] };
      await api('createSubscription', { path: { customerId: customer.id }, body }, 201);

      expect(amounts(await feesOf({ customer, eventType }, {}))).toEqual(['1', '2']);
    },
  );
});
