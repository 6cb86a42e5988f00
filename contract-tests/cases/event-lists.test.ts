import {
  aCustomer,
  aFreshCustomer,
  amount,
  anAdjustment,
  aSubscriber,
  aUsageEvent,
  aVendor,
  check,
  describe,
  expect,
  now,
  today,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aPayer, aPayerOf, type Listed, listed, price, stored, submit } from './shared/events.ts';
import { DAY_MS } from './shared/times.ts';

describe('listEvents', () => {
  check(
    'EVT-12',
    { requirement: ['R-EVT-39', 'R-EVT-40'], level: 'MUST', effect: 'E0' },
    'list newest submission first, not by occurred_at',
    async () => {
      const customer = await aCustomer();
      const subject = uniqueSubject();
      const early = await aUsageEvent(customer, 'contract.unpriced', { subject });
      const late = { subject, occurred_at: now(-DAY_MS) };
      const second = await aUsageEvent(customer, 'contract.unpriced', late);

      expect((await listed({ subject })).map(({ id }) => id)).toEqual([second.id, early.id]);
    },
  );

  check(
    'EVT-13',
    { requirement: ['R-EVT-41', 'R-EVT-42', 'R-EVT-43', 'R-EVT-44'], level: 'MUST', effect: 'E0' },
    'each filter alone and in pairs: event_id, customer_id, external id, subject, dates, event_types list, has_fees',
    async () => {
      const { customer, product } = await aSubscriber();
      const other = await aCustomer('other');
      const subject = uniqueSubject();
      const priced = await aUsageEvent(customer, product.eventType, { subject });
      const free = await aUsageEvent(customer, 'contract.free', { subject });
      const foreign = await aUsageEvent(other, product.eventType, { subject });
      const find = async (query: object) =>
        new Set((await listed({ subject, ...query })).map(({ id }) => id));
      const ids = (...events: { id: string }[]) => new Set(events.map(({ id }) => id));

      expect(await find({})).toEqual(ids(priced, free, foreign));
      expect(await find({ event_id: free.id })).toEqual(ids(free));
      expect(await find({ customer_id: customer.id })).toEqual(ids(priced, free));
      expect(await find({ customer_external_id: other.external_id })).toEqual(ids(foreign));
      expect(await find({ customer_id: customer.id, has_fees: true })).toEqual(ids(priced));
      expect(await find({ customer_id: customer.id, has_fees: false })).toEqual(ids(free));
      expect(await find({ event_types: ['contract.free'] })).toEqual(ids(free));
      expect(await find({ period_from: today(), period_to: today() })).toEqual(
        ids(priced, free, foreign),
      );
      expect(await find({ period_from: today(1), period_to: today(1) })).toEqual(ids());
      expect(await find({ subject: uniqueSubject() })).toEqual(ids());
    },
  );

  check(
    'EVT-14',
    { requirement: ['R-EVT-43', 'R-LIM-09'], level: 'MUST', effect: 'E0' },
    'event_types=a,b → union (comma-separated)',
    async () => {
      const customer = await aCustomer();
      const subject = uniqueSubject();
      for (const type of ['contract.a', 'contract.b', 'contract.c'])
        await aUsageEvent(customer, type, { subject });
      const types = async (...event_types: string[]) =>
        (await listed({ subject, event_types })).map((event) => event.event_type).sort();

      expect(await types('contract.a', 'contract.b')).toEqual(['contract.a', 'contract.b']);
      expect(await types('contract.c')).toEqual(['contract.c']);
    },
  );

  check(
    'EVT-26',
    { requirement: 'R-EVT-09', level: 'MUST', effect: 'E3' },
    'subject and description come back in get and list',
    async () => {
      const customer = await aCustomer();
      const said = { subject: uniqueSubject(), description: 'Contract usage' };
      const { id } = await aUsageEvent(customer, 'contract.unpriced', said);

      expect(await stored(id)).toMatchObject(said);
      expect((await listed({ event_id: id }))[0]).toMatchObject(said);
    },
  );

  check(
    'EVT-27',
    { requirement: ['R-EVT-16', 'R-EVT-17', 'R-EVT-18'], level: 'MUST', effect: 'E0' },
    'list item has its seven required fields; subject, description and stats as in get',
    async () => {
      const { customer, product } = await aSubscriber();
      const event = await aUsageEvent(customer, product.eventType);
      const [item] = await listed({ event_id: event.id });
      const shown = await stored(event.id);

      expect(item).toMatchObject({
        id: event.id,
        customer_id: customer.id,
        external_id: customer.external_id,
        event_type: product.eventType,
        occurred_at: shown.occurred_at,
        created_at: shown.created_at,
        has_fees: true,
        subject: shown.subject,
        stats: shown.stats,
      });
    },
  );

  check(
    'EVT-28',
    { requirement: ['R-EVT-19', 'R-EVT-53'], level: 'MUST', effect: 'E3', assumes: 'A-806' },
    'total_fees equals the sum of the fees, fee_currency their asset',
    async () => {
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 0.1 }]),
        price(type, 'unit', [{ unit_price: 0.2 }]),
      ]);
      const { id } = await aUsageEvent(customer, eventType);
      const [item] = await listed({ event_id: id });

      expect(String(amount(item as Listed, 'total_fees'))).toBe('0.3');
      expect(item?.fee_currency).toBe('USD');
    },
  );
});

describe('costs and stats of events', () => {
  check(
    'EVT-16',
    {
      requirement: ['R-EVT-15', 'R-PRF-04', 'R-PRF-05', 'R-PRF-06', 'R-PRF-12'],
      level: 'IMPLIED',
      effect: 'E3',
    },
    'event stats: total_costs = sum of cost amounts, gross = sum of fees',
    async () => {
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 0.1 }]),
        price(type, 'unit', [{ unit_price: 0.2 }]),
      ]);
      const vendor = await aVendor();
      const cost = (amount: number) => ({ id: uuid(), vendor_id: vendor.id, amount });
      const costs = [cost(0.07), cost(0.01)];
      const { stats } = await stored((await aUsageEvent(customer, eventType, { costs })).id);
      const sums = stats as NonNullable<typeof stats>;

      expect(String(amount(sums, 'gross_revenue'))).toBe('0.3');
      expect(String(amount(sums, 'total_costs'))).toBe('0.08');
      expect(String(amount(sums, 'net_revenue'))).toBe('0.22');
    },
  );

  check(
    'EVT-24',
    { requirement: 'R-PRF-14', level: 'ASSUMED', effect: 'E3', assumes: 'A-902' },
    'fee that draws a gift → gross_revenue of the event is 0',
    async () => {
      const { customer, eventType } = await aPayerOf('unit', [{ unit_price: 0.5 }]);
      await anAdjustment(customer, { amount: 5, reason: 'gift' });
      const { stats, fees } = await stored((await aUsageEvent(customer, eventType)).id);

      expect(fees[0]?.amount).toBe(0.5);
      expect(stats?.gross_revenue).toBe(0);
    },
  );

  check(
    'EVT-29',
    { requirement: ['R-EVT-35', 'R-EVT-36', 'R-EVT-37', 'R-EVT-45'], level: 'MUST', effect: 'E3' },
    'cost with category, description, mixed metadata and its five numbers → GET shows it',
    async () => {
      const customer = await aCustomer();
      const vendor = await aVendor();
      const cost = {
        id: uuid(),
        vendor_id: vendor.id,
        amount: 0.5,
        category: 'compute',
        description: 'Machine time',
        metadata: { region: 'eu', retries: 2, spot: true },
        units: 2,
        unit_price: 0.1,
        input_volume: 300,
        volume_rate: 1,
        package_size: 1000,
        currency: 'USD',
      };
      const { id } = await aUsageEvent(customer, 'contract.unpriced', { costs: [cost] });

      expect((await stored(id)).costs).toEqual([expect.objectContaining(cost)]);
    },
  );
});

describe('order of events', () => {
  check(
    'EVT-79',
    { requirement: 'R-PAGE-06', level: 'ASSUMED', effect: 'E3', assumes: 'A-305' },
    'three events of one batch at one instant → listed with the last of the batch first, also across pages',
    async () => {
      const customer = await aFreshCustomer();
      const occurred_at = now(-60_000);
      const events = [1, 2, 3].map(() => usageEvent('contract.batch', { occurred_at }));
      await submit(customer, ...events);
      const wanted = events.map(({ id }) => id).reverse();
      const pages: string[] = [];
      for (const offset of [0, 1, 2]) {
        const items = await listed({ customer_id: customer.id, limit: 1, offset });
        pages.push(...items.map(({ id }) => id));
      }

      expect((await listed({ customer_id: customer.id })).map(({ id }) => id)).toEqual(wanted);
      expect(pages).toEqual(wanted);
    },
  );
});
