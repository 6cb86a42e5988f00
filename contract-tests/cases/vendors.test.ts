import {
  aFreshCustomer,
  api,
  assuming,
  aUsageEvent,
  check,
  expect,
  today,
  unknownId,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aNewVendor, stored, submit, vendorStats } from './shared/events.ts';
import { edged } from './shared/values.ts';

check(
  'VND-04',
  { requirement: 'R-LIM-10 R-VND-07 R-VND-08 R-VND-09 R-VND-10', effect: 'E3' },
  'costs dated exactly period_from or period_to count, those of the day outside do not; category filter; unknown vendor → 404; costs by category, those without a category, however sent, as one',
  async () => {
    const [id, customer] = [await aNewVendor(), await aFreshCustomer()];
    const cost = (amount: number, category?: string | null) => ({
      id: uuid(),
      vendor_id: id,
      amount,
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
      for (const category of ['uncategorized', ''])
        expect(await stats(-1, 0, { category }), `category=${category}`).toEqual(none);
      expect(await stats(1, 2)).toEqual({ total_costs: 0, categories: [] });
    });
  },
);

/** Categories as they are sorted, upper-case letters before lower-case ones. */
const SORTED = [
  '1',
  '10',
  '100',
  '2',
  '9',
  'C',
  'C10',
  'C9',
  'Z',
  'c',
  'c 1',
  'c10',
  'c9',
  'cc',
  'z',
  'é',
];

check(
  'VND-15',
  { requirement: 'R-VND-13', effect: 'E3', assumes: 'A-904' },
  'categories of costs with numbers, upper-case letters, spaces, and that differ only at their ends → each listed separately as sent, in the order of characters, with its own costs, and found alone by its filter',
  async () => {
    const [customer, vendorId] = [await aFreshCustomer(), await aNewVendor()];
    const categories = [...edged('calls'), ' ', '\t', ...SORTED.toReversed()];
    const costs = categories.map((category, index) => ({
      id: uuid(),
      vendor_id: vendorId,
      amount: 2 ** index,
      category,
    }));
    const { id } = await aUsageEvent(customer, 'contract.edges', { costs });
    expect((await stored(id)).costs.map(({ category }) => category)).toEqual(categories);
    const stats = await vendorStats(vendorId);
    const shown = stats.categories.map(({ category }) => category as string);
    expect(shown.filter((category) => SORTED.includes(category))).toEqual(SORTED);
    expect(shown).toHaveLength(categories.length);
    for (const [index, category] of categories.entries()) {
      const one = await vendorStats(vendorId, { category });
      const wanted = { total_costs: 2 ** index, categories: [{ category }] };
      expect(one, JSON.stringify(category)).toMatchObject(wanted);
      expect(stats.categories.find((each) => each.category === category)?.cost).toBe(2 ** index);
    }
  },
);
