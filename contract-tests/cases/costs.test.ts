import {
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
import { listed, stored, submit, taskOf } from './shared/events.ts';
import { DAY_MS } from './shared/times.ts';
import { aNewVendor, vendorStats } from './shared/vendors.ts';

/** Submits one event without a price, with these costs of one vendor. */
async function spent(customer: OwnObject, vendor_id: string, costs: object[], more: object = {}) {
  const whole = costs.map((cost) => ({ id: uuid(), vendor_id, ...cost }));
  return aUsageEvent(customer, 'contract.costs', { costs: whole, ...more });
}

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
