import {
  aFreshCustomer,
  api,
  aSubscriber,
  aUsageEvent,
  call,
  check,
  expect,
  type OwnObject,
  today,
  unique,
  uniqueSubject,
  uuid,
} from '../kit/index.ts';
import { statsEntryOf } from './shared/customers.ts';
import { aNewVendor, listed, taskOf, vendorStats } from './shared/events.ts';
import { subscribe, to } from './shared/subscriptions.ts';

const days = (from: number, to: number) => ({ period_from: today(from), period_to: today(to) });

const costsOf = async (vendorId: string, query: object = {}) =>
  (await vendorStats(vendorId, query)).total_costs;

check(
  'CUS-64',
  { requirement: 'R-PRF-10', effect: 'E3', assumes: 'A-307 A-601' },
  'name changed, external_id changed, then cleared, each alone and after the stats and tasks were read, without usage in between → the current ones in the stats list of each period and in the tasks, the numbers as before',
  async () => {
    const [busy, idle] = [await aFreshCustomer(), await aFreshCustomer()];
    const vendor_id = await aNewVendor();
    const costs = [{ id: uuid(), vendor_id, amount: 1.25 }];
    const late = { occurred_at: `${today(-20)}T12:00:00.000Z` };
    const { subject } = await aUsageEvent(busy, 'contract.unpriced', { costs, ...late });
    const entries = async (customer: OwnObject) => {
      const found = [];
      for (const period of [{}, days(-20, 0), days(-20, -20)]) {
        const entry = await statsEntryOf(customer, period);
        found.push([entry?.name, entry?.external_id ?? null, entry?.stats.total_costs]);
      }
      return found;
    };
    const ofTask = async () => {
      const { items } = await api('listTasks', { query: { subject } }, 200);
      const task = await taskOf(busy, subject);
      return [...items, task].map(({ customer }) => [customer.name, customer.external_id ?? null]);
    };
    const isInMonth = today(-20).slice(0, 7) === today().slice(0, 7);
    await Promise.all([entries(busy), entries(idle), ofTask()]);

    for (const customer of [busy, idle]) {
      const path = { customerId: customer.id };
      const { name } = await api('getCustomer', { path }, 200);
      const current = { name, external_id: customer.external_id as string | null };
      for (const body of [
        { name: unique('Renamed') },
        { external_id: unique('customer') },
        { external_id: null },
      ]) {
        await call('updateCustomer', { path, body }, [204]);
        const who = Object.values(Object.assign(current, body));
        const cost = customer === busy ? 1.25 : 0;
        expect(await entries(customer)).toEqual([
          [...who, isInMonth ? cost : 0],
          [...who, cost],
          [...who, cost],
        ]);
        if (customer === busy) expect(await ofTask()).toEqual([who, who]);
      }
    }
  },
);

check(
  'CUS-65',
  { requirement: 'R-PRF-05 R-PRF-12', effect: 'E3', assumes: 'A-805 A-904' },
  "costs of events without a fee, with one and with two costs, and a fee without costs, each after all stats were read → in the next read of the event in its list, of its task, of the customer's stats and the vendor's",
  async () => {
    const { product } = await aSubscriber();
    const customer = await aFreshCustomer();
    await subscribe(customer, to(product));
    const vendor_id = await aNewVendor();
    const subject = uniqueSubject();
    const period = days(-2, 1);
    const everywhere = async () => {
      const path = { customerId: customer.id };
      const [item] = (await api('listTasks', { query: { subject } }, 200)).items;
      return [
        await api('getCustomerStats', { path }, 200),
        (await statsEntryOf(customer, period))?.stats,
        item?.stats,
        item && (await api('getTask', { path: { taskId: item.id } }, 200)).stats,
      ];
    };
    const cost = (amount: number) => ({ id: uuid(), vendor_id, amount });
    const free = 'contract.unpriced';
    expect((await everywhere())[0]).toMatchObject({ gross_revenue: 0, total_costs: 0 });
    expect(await costsOf(vendor_id, period)).toBe(0);

    // One fee is 0.25.
    for (const [type, costs, own, gross_revenue, total_costs, net_revenue] of [
      [free, [1.25], 1.25, 0, 1.25, -1.25],
      [product.eventType, [0.5], 0.5, 0.25, 1.75, -1.5],
      [free, [0.1, 0.2], 0.3, 0.25, 2.05, -1.8],
      [product.eventType, [], 0, 0.5, 2.05, -1.55],
      [free, [8], 8, 0.5, 10.05, -9.55],
    ] as const) {
      const { id } = await aUsageEvent(customer, type, { subject, costs: costs.map(cost) });
      const sums = { gross_revenue, total_costs, net_revenue };
      expect(await everywhere()).toMatchObject([sums, sums, sums, sums]);
      expect(await costsOf(vendor_id, period)).toBe(total_costs);
      const [item] = await listed({ event_id: id });
      expect(item?.stats?.total_costs ?? 0, `${type} ${costs}`).toBe(own);
    }
  },
);

check(
  'VND-14',
  { requirement: 'R-EVT-42 R-VND-08', effect: 'E3', assumes: 'A-904' },
  "a past period read, then usage after it, at its edges, within and just outside, each submitted late → the vendor's stats with and without a category, the customer's and the events of that period as of then",
  async () => {
    const customer = await aFreshCustomer();
    const vendor_id = await aNewVendor();
    const period = days(-20, -18);
    const seen = async () => [
      await costsOf(vendor_id, period),
      await costsOf(vendor_id, { ...period, category: 'compute' }),
      await costsOf(vendor_id, days(-20, -20)),
      (await statsEntryOf(customer, period))?.stats.total_costs,
      (await listed({ customer_id: customer.id, ...period })).length,
    ];
    expect(await seen()).toEqual([0, 0, 0, 0, 0]);

    for (const [day, time, category, amount, wanted] of [
      [-2, '12:00:00.000', 'compute', 64, [0, 0, 0, 0, 0]],
      [-18, '23:59:59.999', 'compute', 1, [1, 1, 0, 1, 1]],
      [-20, '00:00:00.000', 'storage', 2, [3, 1, 2, 3, 2]],
      [-21, '23:59:59.999', 'compute', 4, [3, 1, 2, 3, 2]],
      [-17, '00:00:00.000', 'compute', 8, [3, 1, 2, 3, 2]],
      [-19, '12:00:00.000', 'compute', 16, [19, 17, 2, 19, 3]],
      [-20, '23:59:59.999', 'compute', 32, [51, 49, 34, 51, 4]],
    ] as const) {
      const occurred_at = `${today(day)}T${time}Z`;
      const costs = [{ id: uuid(), vendor_id, amount, category }];
      await aUsageEvent(customer, 'contract.unpriced', { occurred_at, costs });
      expect(await seen(), occurred_at).toEqual(wanted);
    }
  },
);

check(
  'TSK-17',
  { requirement: 'R-TSK-03 R-TSK-04 R-TSK-12', effect: 'E3', assumes: 'A-1001' },
  'a task listed by its days, then later, earlier and intermediate usage submitted → it moves to the days of its first and last events at once, in the filters and in both orders, with the costs of all its events',
  async () => {
    const customer = await aFreshCustomer();
    const [subject, other] = [uniqueSubject(), uniqueSubject()];
    const vendor_id = await aNewVendor();
    const use = (of: string, day: number, time: string) =>
      aUsageEvent(customer, 'contract.unpriced', {
        ...{ subject: of, occurred_at: `${today(day)}T${time}Z` },
        costs: [{ id: uuid(), vendor_id, amount: 1 }],
      });
    let uses = 0;
    const found = async (query: object) => {
      const whole = { customer_id: customer.id, ...query };
      const { items } = await api('listTasks', { query: whole as never }, 200);
      for (const task of items)
        if (task.subject === subject)
          expect(task.stats.total_costs, `costs by ${JSON.stringify(query)}`).toBe(uses);
      return items.map((task) => (task.subject === subject ? 'this' : 'other'));
    };
    const daysWith = async (name: string) => {
      const seen = [];
      for (const day of [-6, -5, -4, -3]) {
        const on = { [`${name}_from`]: today(day), [`${name}_to`]: today(day) };
        if ((await found(on)).includes('this')) seen.push(day);
      }
      return seen;
    };
    await use(other, -4, '12:00:00.000');

    for (const [day, time, created, updated, byUpdate, byCreation] of [
      [-5, '12:00:00.000', -5, -5, ['other', 'this'], ['other', 'this']],
      [-4, '23:59:59.999', -5, -4, ['this', 'other'], ['other', 'this']],
      [-6, '00:00:00.000', -6, -4, ['this', 'other'], ['other', 'this']],
      [-5, '23:59:59.999', -6, -4, ['this', 'other'], ['other', 'this']],
    ] as const) {
      await use(subject, day, time);
      uses += 1;
      const days = [await daysWith('created'), await daysWith('last_updated')];
      expect(days, `${day} ${time}`).toEqual([[created], [updated]]);
      expect(await found({})).toEqual(byUpdate);
      expect(await found({ sort: 'created_at' })).toEqual(byCreation);
    }
  },
);
