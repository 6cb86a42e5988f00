import {
  aFreshAsset,
  aFreshCustomer,
  api,
  aUsageEvent,
  check,
  describe,
  expect,
  lexeme,
  now,
  type OwnObject,
  onlyOnOurs,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { statsOf } from './shared/customer-stats.ts';
import { aPayer, listed, price, stored, submit, taskOf } from './shared/events.ts';
import { DAY_MS } from './shared/times.ts';
import { aNewVendor, vendorStats } from './shared/vendors.ts';

/** Submits one event without a price, with these costs of one vendor. */
async function spent(customer: OwnObject, vendor_id: string, costs: object[], more: object = {}) {
  const whole = costs.map((cost) => ({ id: uuid(), vendor_id, ...cost }));
  return aUsageEvent(customer, 'contract.costs', { costs: whole, ...more });
}

/** Texts that differ only a little. */
const CATEGORIES = ['compute', 'Compute', 'compute2', 'comput', 'compute ', 'zoë ✨', 'a,b', '%'];

describe('texts in costs', () => {
  check(
    'EVT-62',
    { requirement: ['R-EVT-35', 'R-EVT-36', 'R-TSK-05'], level: 'MUST', effect: 'E3' },
    'categories, descriptions and metadata keys of costs that differ by a letter, its case or a space, or are not ASCII → as sent, in the event and in its task',
    async () => {
      const [customer, vendor] = [await aFreshCustomer(), await aNewVendor()];
      const sent = CATEGORIES.map((category, index) => ({
        category,
        amount: index + 1,
        description: `Used "${category}" <b>`,
        metadata: { [`key ${category}`]: category },
      }));
      const { id, subject } = await spent(customer, vendor, sent);
      const shown = await stored(id);
      const task = await taskOf(customer, subject);

      expect(shown.costs).toHaveLength(sent.length);
      for (const [index, cost] of sent.entries()) expect(shown.costs?.[index]).toMatchObject(cost);
      expect(task.events).toEqual([shown]);
    },
  );

  check(
    'VND-09',
    { requirement: ['R-VND-09', 'R-VND-13'], level: 'ASSUMED', effect: 'E3', assumes: 'A-904' },
    'costs in eight categories that differ by a letter, its case or a space, and without one → each category listed separately, and found alone by its filter',
    async () => {
      const [customer, vendor] = [await aFreshCustomer(), await aNewVendor()];
      const sent = CATEGORIES.map((category, index) => ({ category, amount: 2 ** index }));
      await spent(customer, vendor, [...sent, { amount: 256 }, { amount: 512 }]);
      await spent(customer, vendor, sent);
      const whole = await vendorStats(vendor);
      const wanted = [
        ...sent.map(({ category, amount }) => ({ category, cost: 2 * amount })),
        { category: 'uncategorized', cost: 768 },
      ];
      const byName = <T extends { readonly category: string }>(items: readonly T[]) =>
        [...items].sort((one, other) => (one.category < other.category ? -1 : 1));

      // 2 × (1 + 2 + … + 128) + 256 + 512.
      expect(whole.total_costs).toBe(1278);
      expect(byName(whole.categories)).toEqual(byName(wanted));
      for (const { category, cost } of wanted)
        expect(await vendorStats(vendor, { category })).toEqual({
          total_costs: cost,
          categories: [{ category, cost }],
        });
      for (const category of ['COMPUTE', 'ompute', 'compute%'])
        expect((await vendorStats(vendor, { category })).total_costs, category).toBe(0);
    },
  );
});

describe('numbers in costs', () => {
  check(
    'EVT-63',
    {
      requirement: ['R-CONV-27', 'R-EVT-33', 'R-EVT-37', 'R-TSK-06'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-303',
    },
    "costs with many digits, of ten decimals and of 0 → as sent, with their exact sum in the event, its list item, its task, the customer's stats and the vendor's",
    async () => {
      const [customer, vendor] = [await aFreshCustomer(), await aNewVendor()];
      const amounts = ['99999999999999.9', '12345.6789012345', '0.0000000001', '0.1', '0.2', '0'];
      const parts = { units: 123456789012345, unit_price: 0.0000000001, input_volume: 0.1 };
      const costs = amounts.map((amount) => ({ amount: Number(amount), ...parts }));
      const { id, subject } = await spent(customer, vendor, costs);
      const event = await stored(id);
      const [item] = await listed({ event_id: id });
      const task = await taskOf(customer, subject);
      const own = await statsOf(customer);
      const stats = [event.stats, item?.stats, task.stats, own, await vendorStats(vendor)];

      expect(event.costs?.map((cost) => lexeme(cost, 'amount'))).toEqual(amounts);
      for (const cost of event.costs ?? [])
        expect([
          lexeme(cost as never, 'units' as never),
          lexeme(cost as never, 'unit_price' as never),
          lexeme(cost as never, 'input_volume' as never),
        ]).toEqual(['123456789012345', '0.0000000001', '0.1']);
      expect(stats.map((one) => lexeme(one as { total_costs: number }, 'total_costs'))).toEqual(
        stats.map(() => '100000000012345.8789012346'),
      );
      expect(lexeme(task.vendors[0] as never, 'total_costs' as never)).toBe(
        '100000000012345.8789012346',
      );
    },
  );

  check(
    'EVT-64',
    { requirement: 'R-EVT-73', level: 'ASSUMED', effect: 'E3', assumes: ['A-403', 'A-901'] },
    "costs in another currency from before its first rate, within it, between its end and the next one, and after that → each at the rate of its own time, or 0 between, in the event, its task by vendor, the customer's stats and the vendor's",
    async () => {
      onlyOnOurs('would set the rate of a currency');
      const [customer, vendor] = [await aFreshCustomer(), await aNewVendor()];
      const path = { assetCode: 'ISK' };
      for (const [rate, days, until] of [
        [0.5, -5, { valid_to: now(-4 * DAY_MS) }],
        [0.25, -1, {}],
      ] as const) {
        const body = { source: 'USD', rate, valid_from: now(days * DAY_MS), ...until };
        await api('setAssetRate', { path, body }, 204);
      }
      const total = async (days: number) => {
        const occurred_at = now(days * DAY_MS);
        const costs = [{ amount: 8, currency: 'ISK' }, { amount: 1 }];
        const { id, subject } = await spent(customer, vendor, costs, { occurred_at });
        const { stats, vendors } = await taskOf(customer, subject);
        const whole = (await stored(id)).stats?.total_costs;
        expect(stats.total_costs).toBe(whole);
        expect(vendors).toMatchObject([{ total_costs: whole, currency: 'USD' }]);
        return whole;
      };

      // 8 × 0.5 + 1, twice: before the first rate, that rate counts. Then 1 alone, and 8 × 0.25 + 1.
      const totals = [await total(-6), await total(-4.5), await total(-2), await total(0)];
      expect(totals).toEqual([5, 5, 1, 3]);
      const { total_costs } = await statsOf(customer);
      const period = { period_from: now(-7 * DAY_MS).slice(0, 10), period_to: now().slice(0, 10) };
      expect([total_costs, (await vendorStats(vendor, period)).total_costs]).toEqual([14, 14]);
    },
  );
});

describe('fees in several assets', () => {
  check(
    'EVT-65',
    { requirement: ['R-EVT-19', 'R-EVT-53'], level: 'ASSUMED', effect: 'E3', assumes: 'A-806' },
    'fees of one event in two assets → each in its own, the total of both in the reporting currency',
    async () => {
      const { code } = await aFreshAsset({
        precision: 2,
        rates: [{ source: 'USD', rate: 0.5 }],
      });
      const { customer, eventType } = await aPayer((type) => [
        price(type, 'unit', [{ unit_price: 0.7 }]),
        { ...price(type, 'unit', []), pricing: [{ asset: code, values: [{ unit_price: 3 }] }] },
      ]);
      const { id } = await aUsageEvent(customer, eventType);
      const [item] = await listed({ event_id: id });

      expect((await stored(id)).fees.map((fee) => [fee.currency, fee.amount])).toEqual([
        ['USD', 0.7],
        [code, 3],
      ]);
      // 0.7 + 3 × 0.5.
      expect([item?.total_fees, item?.fee_currency]).toEqual([2.2, 'USD']);
    },
  );
});

describe('order of events in a task', () => {
  check(
    'TSK-13',
    {
      requirement: ['R-TSK-03', 'R-TSK-04', 'R-TSK-20'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-1001',
    },
    'events of a task submitted out of order, in two batches → in the order in which they occurred; the times are those of the first and the last, and reading changes nothing',
    async () => {
      const customer = await aFreshCustomer();
      const subject = uniqueSubject();
      const events = [-3, -1, -4, -2].map((days) =>
        usageEvent('contract.order', { subject, occurred_at: now(days * DAY_MS) }),
      );
      for (const batch of [events.slice(0, 2), events.slice(2)]) {
        await submit(customer, ...batch);
      }
      const read = () => taskOf(customer, subject);
      const task = await read();
      const [third, first, fourth, second] = events as unknown as readonly [
        { id: string },
        { id: string; occurred_at: string },
        { id: string; occurred_at: string },
        { id: string },
      ];

      expect(task.events.map(({ id }) => id)).toEqual([fourth.id, third.id, second.id, first.id]);
      expect([task.created_at, task.last_updated_at]).toEqual([
        fourth.occurred_at,
        first.occurred_at,
      ]);
      expect(await read()).toEqual(task);
    },
  );
});
