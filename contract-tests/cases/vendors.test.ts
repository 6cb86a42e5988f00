import {
  aFreshCustomer,
  api,
  assuming,
  check,
  expect,
  today,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aNewVendor, submit, vendorStats } from './shared/events.ts';

check(
  'VND-04',
  { requirement: 'R-LIM-10 R-VND-07 R-VND-08 R-VND-09 R-VND-10', effect: 'E3' },
  'costs dated exactly period_from or period_to count, those of the day outside do not; category filter; unknown vendor → 404; categories ASSUMED, also those in every notation of none',
  async () => {
    const [id, customer] = [await aNewVendor(), await aFreshCustomer()];
    const cost = (amount: number, category?: string | null) => ({
      ...{ id: uuid(), vendor_id: id, amount },
      ...(category !== undefined && { category }),
    });
    const on = (day: number, costs: object[]) =>
      usageEvent('contract.cost', { occurred_at: `${today(day)}T00:00:00Z`, costs });
    await submit(
      customer,
      on(-1, [cost(1, 'compute'), cost(0.25, '')]),
      on(0, [cost(2.5, 'video'), cost(1), cost(0.5, null), cost(2, '')]),
      on(0, [cost(0.5, 'uncategorized')]),
    );
    const stats = (from: number, to: number, more: object = {}) =>
      vendorStats(id, { period_from: today(from), period_to: today(to), ...more });

    for (const [from, to, total] of [
      [-1, -1, 1.25],
      [0, 0, 6.5],
      [-1, 0, 7.75],
      [1, 2, 0],
    ] as const)
      expect((await stats(from, to)).total_costs, `days ${from} to ${to}`).toBe(total);
    const compute = await stats(-1, 0, { category: 'compute' });
    await api('getVendorStats', { path: { vendorId: unknownId('vnd') } }, 404);

    await assuming('A-904', async () => {
      expect(compute).toEqual({
        total_costs: 1,
        categories: [{ category: 'compute', cost: 1 }],
      });
      const { categories } = await stats(-1, 0);
      expect(new Map(categories.map((each) => [each.category, each.cost]))).toEqual(
        new Map([
          ['compute', 1],
          ['video', 2.5],
          ['uncategorized', 4.25],
        ]),
      );
      const none = { total_costs: 4.25, categories: [{ category: 'uncategorized', cost: 4.25 }] };
      expect(await stats(-1, 0, { category: 'uncategorized' })).toEqual(none);
      expect(await stats(1, 2)).toEqual({ total_costs: 0, categories: [] });
    });
  },
);
