import {
  aFreshCustomer,
  aFreshProduct,
  api,
  aSubscriber,
  aVendor,
  type Body,
  check,
  describe,
  expect,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { statsOf } from './shared/customer-stats.ts';
import { aPayer, aPayerOf, price, stored, submit } from './shared/events.ts';
import { ENTITLEMENT } from './shared/products.ts';

describe('listSubscribers', () => {
  check(
    'PRD-09',
    { requirement: ['R-PRD-33', 'R-PRD-51'], level: 'MUST', effect: 'E3' },
    'subscribers page lists the subscribed customer',
    async () => {
      const { customer, product } = await aSubscriber();
      const path = { productId: product.id };
      const { items } = await api('listSubscribers', { path, query: { limit: 1000 } }, 200);

      expect(items).toContainEqual(expect.objectContaining({ customer_id: customer.id }));
      const past = await api('listSubscribers', { path, query: { offset: 100_000 } }, 200);
      const none = await api('listSubscribers', { path: { productId: unknownId('prp') } }, 200);
      expect(past.items).toEqual([]);
      expect(none.items).toEqual([]);
    },
  );
});

describe('simulateUsage', () => {
  check(
    'PRD-11',
    { requirement: ['R-PRD-39', 'R-PRD-40'], level: 'IMPLIED', effect: 'E1' },
    'simulate-usage → 200 and wallet, events, stats unchanged (test usage)',
    async () => {
      const { customer, product } = await aSubscriber();
      const event = usageEvent(product.eventType);
      const path = { productId: product.id, version: String(product.version) };
      const seen = async () => [
        await api('getWallet', { path: { customerId: customer.id } }, 200),
        await statsOf(customer),
      ];
      const before = await seen();
      const body = { customer_id: customer.id, events: [event] } as never;
      await api('simulateUsage', { path, body }, 200);

      expect(await seen()).toEqual(before);
      await api('getEvent', { path: { eventId: event.id } }, 404);
    },
  );

  check(
    'PRD-12',
    { requirement: ['R-PRD-41', 'R-PRD-57'], level: 'IMPLIED', effect: 'E3' },
    'simulated fees equal the fees of the same real event; body shape ASSUMED',
    async () => {
      const { customer, product } = await aSubscriber();
      const event = usageEvent(product.eventType);
      const path = { productId: product.id, version: String(product.version) };
      const { fees } = await api(
        'simulateUsage',
        { path, body: { events: [event] } as never },
        200,
      );
      await submit(customer, event);
      const real = await api('getEvent', { path: { eventId: event.id } }, 200);

      type Charged = Body<'getEvent', 200>['fees'][number] | (typeof fees)[number];
      const said = ({ price_id, price_name, currency, usage_type, amount }: Charged) => [
        price_id,
        price_name,
        currency,
        usage_type,
        amount,
      ];
      expect(fees.map(said)).toEqual(real.fees.map(said));
      expect(fees.map(({ usage_id }) => usage_id)).toEqual([event.id]);
      expect(real.fees.map(({ amount }) => amount)).toEqual([0.25]);
    },
  );

  check(
    'PRD-38',
    { requirement: ['R-PRD-41', 'R-PRD-57'], level: 'IMPLIED', effect: 'E3' },
    'three simulated events of two prices → the fees of each in turn, equal to those of the same events submitted in one batch',
    async () => {
      const { customer, product, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 0.5 }]),
        price(type, 'volume', [{ volume_rate: 0.003, package_size: 10 }]),
      ]);
      const events = [5, 'none', 70].map((tokens) => usageEvent(eventType, { data: { tokens } }));
      const path = { productId: product.id, version: 'default' };
      const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);
      await submit(customer, ...events);
      const real = await Promise.all(events.map(({ id }) => stored(id)));

      // 0.5 and 5 ÷ 10 × 0.003; 0.5; 0.5 and 70 ÷ 10 × 0.003.
      expect(fees.map(({ amount }) => amount)).toEqual([0.5, 0.0015, 0.5, 0.5, 0.021]);
      expect(fees.map((fee) => [fee.usage_id, fee.price_id, fee.amount])).toEqual(
        real.flatMap((event) => event.fees.map((fee) => [event.id, fee.price_id, fee.amount])),
      );
    },
  );

  check(
    'PRD-42',
    { requirement: ['R-PRD-40', 'R-PRD-41'], level: 'IMPLIED', effect: 'E3' },
    'an event simulated twice, submitted with its cost, then simulated again → the same fees each time, and the submission is stored and billed',
    async () => {
      const { customer, product, eventType } = await aPayerOf('unit', [{ unit_price: 0.5 }]);
      const { id: vendor_id } = await aVendor();
      const costs = [{ id: uuid(), vendor_id, amount: 0.1 }];
      const event = usageEvent(eventType, { costs });
      const path = { productId: product.id, version: 'default' };
      const simulate = async () => {
        const { fees } = await api(
          'simulateUsage',
          { path, body: { events: [event] } as never },
          200,
        );
        return fees.map((fee) => [fee.usage_id, fee.amount]);
      };
      const first = await simulate();

      expect(first).toEqual([[event.id, 0.5]]);
      expect(await simulate()).toEqual(first);
      await submit(customer, event);
      expect(await simulate()).toEqual(first);
      const shown = await stored(event.id);
      expect(shown.fees.map((fee) => fee.amount)).toEqual([0.5]);
      expect(shown.costs).toMatchObject(costs);
    },
  );
});

describe('entitlements of products', () => {
  check(
    'PRD-26',
    { requirement: 'R-PRD-55', level: 'ASSUMED', effect: 'E3', assumes: 'A-511' },
    'subscription to a version with an entitlement → bundled or promotion grant of the amount',
    async () => {
      const product = await aFreshProduct({
        entitlements: [
          { ...ENTITLEMENT, amount: 5 },
          { ...ENTITLEMENT, name: 'Welcome', amount: 2, purpose: 'promotion' },
        ],
      });
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      await api('createSubscription', { path, body: { products: [{ id: product.id }] } }, 201);
      const { items } = await api(
        'listGrants',
        { path: { ...path, accountId: 'default:USD' } },
        200,
      );

      expect(items.map(({ available, purpose }) => [available, purpose])).toEqual([
        [2, 'promotion'],
        [5, 'bundled'],
      ]);
    },
  );
});
