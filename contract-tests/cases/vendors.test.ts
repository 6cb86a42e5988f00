import {
  aFreshCustomer,
  api,
  assuming,
  aVendor,
  check,
  describe,
  expect,
  refused,
  today,
  unique,
  unknownId,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { submit } from './shared/events.ts';
import { aNewVendor, vendorStats } from './shared/vendors.ts';

/** A vendor with costs of 1.25 USD yesterday and 6.5 USD today, in two categories and in every notation of none. */
async function aPaidVendor() {
  const id = await aNewVendor();
  const customer = await aFreshCustomer();
  const cost = (amount: number, category?: string | null) => ({
    id: uuid(),
    vendor_id: id,
    amount,
    ...(category !== undefined && { category }),
  });
  const at = (day: string) => ({ occurred_at: `${day}T00:00:00Z` });
  const events = [
    usageEvent('contract.cost', { ...at(today(-1)), costs: [cost(1, 'compute'), cost(0.25, '')] }),
    usageEvent('contract.cost', {
      ...at(today()),
      costs: [cost(2.5, 'video'), cost(1), cost(0.5, null), cost(2, '')],
    }),
    usageEvent('contract.cost', { ...at(today()), costs: [cost(0.5, 'uncategorized')] }),
  ];
  await submit(customer, ...events);
  return id;
}

describe('createVendor', () => {
  check(
    'VND-01',
    {
      requirement: ['R-CONV-11', 'R-VND-01', 'R-VND-02', 'R-VND-05', 'R-VND-12'],
      level: 'MUST',
      effect: 'E3',
    },
    'create → 201 `vnd_` id, created_at; GET works',
    async () => {
      const external_id = unique('vendor');
      const body = { name: 'Contract vendor', external_id };
      const made = await useUp('vendor', () => api('createVendor', { body }, 201));
      const vendor = await api('getVendor', { path: { vendorId: made.id } }, 200);

      expect(made.id).toMatch(/^vnd_/);
      expect(Date.parse(made.created_at)).not.toBeNaN();
      expect(vendor).toMatchObject({ id: made.id, ...body, created_at: made.created_at });
    },
  );

  check(
    'VND-06',
    { requirement: 'R-VND-11', level: 'ASSUMED', effect: 'E1', assumes: 'A-309' },
    'create without name → rejected',
    async () => {
      await refused('createVendor', { body: { external_id: unique('vendor') } });
    },
  );

  check(
    'VND-07',
    { requirement: 'R-VND-14', level: 'ASSUMED', effect: 'E1', assumes: 'A-904' },
    'second vendor with the same external_id → rejected',
    async () => {
      const { external_id } = await aVendor();
      await refused('createVendor', { body: { name: 'Contract double', external_id } });
      const { items } = await api('listVendors', { query: { external_id } }, 200);

      expect(items).toHaveLength(1);
    },
  );
});

describe('listVendors', () => {
  check(
    'VND-02',
    { requirement: ['R-VND-03', 'R-VND-04', 'R-VND-06'], level: 'MUST', effect: 'E0' },
    'list filter external_id; unknown id → 404',
    async () => {
      const { id, external_id } = await aVendor();
      const { items } = await api('listVendors', { query: { external_id } }, 200);
      const none = await api('listVendors', { query: { external_id: unique('nobody') } }, 200);

      expect(items.map((vendor) => vendor.id)).toEqual([id]);
      expect(none.items).toEqual([]);
      await api('getVendor', { path: { vendorId: unknownId('vnd') } }, 404);
    },
  );
});

describe('getVendorStats', () => {
  check(
    'VND-03',
    { requirement: ['R-VND-07', 'R-VND-08', 'R-VND-09', 'R-VND-10'], level: 'MUST', effect: 'E0' },
    'stats accepts period and category; unknown vendor → 404; body fields ASSUMED',
    async () => {
      const { id } = await aVendor('other');
      const period = { period_from: today(-1), period_to: today() };
      const stats = await vendorStats(id, { ...period, category: 'compute' });
      await api('getVendorStats', { path: { vendorId: unknownId('vnd') } }, 404);

      await assuming('A-904', async () => {
        expect(stats).toEqual({ total_costs: 0, categories: [] });
      });
    },
  );

  check(
    'VND-04',
    { requirement: ['R-LIM-10', 'R-VND-08'], level: 'MUST', effect: 'E3' },
    'cost dated exactly period_from or period_to counts; the day outside does not',
    async () => {
      const id = await aPaidVendor();
      const total = async (from: number, to: number) =>
        (await vendorStats(id, { period_from: today(from), period_to: today(to) })).total_costs;

      expect(await total(-1, -1)).toBe(1.25);
      expect(await total(0, 0)).toBe(6.5);
      expect(await total(-1, 0)).toBe(7.75);
      expect(await total(1, 2)).toBe(0);
    },
  );
});
