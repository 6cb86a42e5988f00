import {
  aFreshAsset,
  amount,
  anAdjustment,
  api,
  aSubscriber,
  aUnitPrice,
  aUsageEvent,
  check,
  describe,
  expect,
  unique,
} from '../kit/index.ts';
import { aPayer, aPayerOf, listed, price, type Stored, stored } from './shared/events.ts';
import { balance } from './shared/wallets.ts';

const amounts = ({ fees }: Pick<Stored, 'fees'>) =>
  fees.map((fee) => String(amount(fee, 'amount')));

describe('fees of events', () => {
  check(
    'EVT-06',
    { requirement: ['R-EVT-20', 'R-EVT-21', 'R-EVT-25'], level: 'MUST', effect: 'E3' },
    'unit price: fee has the nine required fields, usage_type unit',
    async () => {
      const { customer, product } = await aSubscriber();
      const { fees } = await stored((await aUsageEvent(customer, product.eventType)).id);

      expect(fees).toHaveLength(1);
      expect(fees[0]).toMatchObject({
        id: expect.stringMatching(/^fee_/),
        product_id: product.id,
        product_code: product.code,
        product_version: product.version,
        price_id: expect.stringMatching(/^prc_/),
        price_name: 'Calls',
        currency: 'USD',
        usage_type: 'unit',
        amount: 0.25,
      });
    },
  );

  check(
    'EVT-07',
    {
      requirement: [
        'R-EVT-23',
        'R-EVT-25',
        'R-EVT-26',
        'R-EVT-27',
        'R-EVT-28',
        'R-EVT-56',
        'R-EVT-60',
      ],
      level: 'IMPLIED',
      effect: 'E3',
    },
    'unit fee = unit_price; volume fee = input_volume ÷ package_size × volume_rate; both = sum; the rounding is recorded',
    async () => {
      const volume = { volume_rate: 1.25, package_size: 1_000_000 };
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 0.1 }]),
        price(type, 'volume', [volume]),
        price(type, 'unit_and_volume', [{ unit_price: 0.1, volume_rate: 0.02 }]),
      ]);
      const event = await aUsageEvent(customer, eventType, { data: { tokens: 1234 } });
      const shown = await stored(event.id);

      // 0.1; 1234 × 1.25 ÷ 1,000,000; 0.1 + 1234 × 0.02.
      expect(amounts(shown)).toEqual(['0.1', '0.0015425', '24.78']);
      expect(shown.fees[1]).toMatchObject({
        volume_field: 'tokens',
        input_volume: 1234,
        ...volume,
      });
    },
  );

  check(
    'EVT-08',
    { requirement: ['R-EVT-29', 'R-EVT-52'], level: 'IMPLIED', effect: 'E3' },
    'fee total = balance decrease',
    async () => {
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'volume', [{ volume_rate: 10, package_size: 1_000_000 }]),
        price(type, 'unit', [{ unit_price: 0.03 }]),
      ]);
      const before = await balance(customer);
      await aUsageEvent(customer, eventType, { data: { tokens: 777 } });

      // 777 × 10 ÷ 1,000,000 + 0.03.
      expect(String(before.minus(await balance(customer)))).toBe('0.03777');
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
      const { customer, eventType } = await aPayerOf('unit', values, {
        billable_dimensions: ['model'],
      });
      const large = await aUsageEvent(customer, eventType, { data: { model: 'large' } });
      const small = await aUsageEvent(customer, eventType, { data: { model: 'small' } });
      const [one, other] = [await stored(large.id), await stored(small.id)];

      expect([amounts(one), amounts(other)]).toEqual([['3'], ['2']]);
      expect(one.fees[0]?.dimensions).toEqual({ model: 'large' });
      expect(Object.keys(other.fees[0]?.dimensions ?? {})).toEqual(['model']);
    },
  );

  check(
    'EVT-10',
    { requirement: ['R-EVT-14', 'R-EVT-17', 'R-EVT-32'], level: 'MUST', effect: 'E3' },
    'no matching price → stored with empty fees, has_fees false',
    async () => {
      const { customer } = await aSubscriber();
      const { id } = await aUsageEvent(customer, `contract.${unique('unpriced')}`);
      const [item] = await listed({ event_id: id });

      expect((await stored(id)).fees).toEqual([]);
      expect(item?.has_fees).toBe(false);
    },
  );

  check(
    'EVT-11',
    { requirement: 'R-EVT-21', level: 'MUST', effect: 'E3' },
    'fee names the subscribed product version, not the newest',
    async () => {
      const { customer, product, eventType } = await aPayerOf('unit', [{ unit_price: 1 }]);
      const next = { prices: [aUnitPrice(eventType, 9)], publish: true, make_default: true };
      await api(
        'createProductVersion',
        { path: { productId: product.id }, body: next as never },
        201,
      );
      const { fees } = await stored((await aUsageEvent(customer, eventType)).id);

      expect(fees.map((fee) => [fee.product_version, fee.amount])).toEqual([[1, 1]]);
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
      const dimensions = { billable_dimensions: ['region', 'tier'] };
      for (const order of [values, [...values].reverse()]) {
        const { customer, eventType } = await aPayerOf('unit', order, dimensions);
        const fee = async (data: object) =>
          amounts(await stored((await aUsageEvent(customer, eventType, { data })).id));

        expect(await fee({ region: 'eu', tier: 'gold' })).toEqual(['4']);
        expect(await fee({ region: 'eu', tier: 'silver' })).toEqual(['2']);
        expect(await fee({ region: 'us' })).toEqual(['1']);
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
      const paidIn = async () =>
        (await stored((await aUsageEvent(customer, eventType)).id)).fees.map((fee) => fee.currency);

      expect(await paidIn()).toEqual([code]);
      await anAdjustment(customer, { amount: 3 });
      expect(await paidIn()).toEqual(['USD']);
      // 0.5 of the asset and 1 USD: neither covers, and both are positive.
      await anAdjustment(customer, { asset: code, amount: 1.5 });
      expect(await paidIn()).toEqual([code]);
      // 0.5 of the asset and 2 USD, which cover.
      await anAdjustment(customer, { asset: code, amount: 1 });
      await anAdjustment(customer, { amount: 1 });
      expect(await paidIn()).toEqual(['USD']);
      // 0.5 of the asset beside 10 under another name, and 2 USD, which cover.
      await anAdjustment(customer, { asset: code, amount: 10, account_name: 'bonus' });
      await anAdjustment(customer, { amount: 2 });
      expect(await paidIn()).toEqual(['USD']);
      // 0.5 of the asset, which is positive, and 0 USD beside 10 under another name.
      await anAdjustment(customer, { amount: 10, account_name: 'bonus' });
      expect(await paidIn()).toEqual([code]);
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
      const event = await aUsageEvent(customer, eventType);

      expect(amounts(await stored(event.id))).toEqual(['1', '2']);
    },
  );
});
