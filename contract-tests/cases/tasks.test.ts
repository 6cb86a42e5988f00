import {
  aCustomer,
  aFreshCustomer,
  amount,
  api,
  aSubscriber,
  assuming,
  aUsageEvent,
  aVendor,
  type Body,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  restOn,
  today,
  uniqueSubject,
  unknownId,
  uuid,
} from '../kit/index.ts';
import { taskOf } from './shared/events.ts';
import { DAY_MS } from './shared/times.ts';

type Listed = Body<'listTasks', 200>['items'][number];

async function listed(query: object): Promise<Listed[]> {
  const { items } = await api('listTasks', { query: { limit: 1000, ...query } as never }, 200);
  return items;
}

/** A task with two events: one of two days ago, one of yesterday at midnight. */
async function aTask(customer: OwnObject) {
  const subject = uniqueSubject();
  const at = (day: number) => ({ subject, occurred_at: `${today(day)}T00:00:00.000Z` });
  await aUsageEvent(customer, 'contract.unpriced', at(-1));
  await aUsageEvent(customer, 'contract.unpriced', at(-2));
  return { id: `${customer.id}:${subject}`, subject };
}

describe('getTask', () => {
  check(
    'TSK-01',
    { requirement: ['R-TSK-01', 'R-TSK-02', 'R-TSK-05', 'R-TSK-14'], level: 'MUST', effect: 'E3' },
    'two events, one subject → one task, id customer:subject, ≥ 1 events, all required parts',
    async () => {
      const customer = await aCustomer();
      const { id, subject } = await aTask(customer);
      const task = await taskOf(customer, subject);

      expect(task.id).toBe(id);
      expect(task.events).toHaveLength(2);
      expect(task).toMatchObject({
        created_at: expect.any(String),
        last_updated_at: expect.any(String),
        customer: expect.anything(),
        stats: expect.anything(),
      });
      expect(Array.isArray(task.vendors)).toBe(true);
      expect(await listed({ subject, customer_id: customer.id })).toHaveLength(1);
    },
  );

  check(
    'TSK-02',
    { requirement: ['R-TSK-03', 'R-TSK-04'], level: 'MUST', effect: 'E3' },
    'created_at = first, last_updated_at = latest event',
    async () => {
      const customer = await aCustomer();
      const { subject } = await aTask(customer);
      const { created_at, last_updated_at, events } = await taskOf(customer, subject);
      const submitted = events.map((event) => Date.parse(event.created_at));
      const [first, latest] = [Math.min(...submitted), Math.max(...submitted)];
      const [since, until] = [today(-2), today(-1)].map((day) => Date.parse(`${day}T00:00:00Z`));

      // The specification does not say whether an event counts from when it occurred or from when it was submitted.
      expect([since, first]).toContain(Date.parse(created_at));
      expect([until, latest]).toContain(Date.parse(last_updated_at));
      await assuming('A-1001', async () => {
        expect([created_at, last_updated_at].map(Date.parse)).toEqual([since, until]);
      });
    },
  );

  check(
    'TSK-04',
    { requirement: 'R-TSK-15', level: 'MUST', effect: 'E3' },
    'subject with slash, colon, space, percent, emoji reachable url-encoded',
    async () => {
      const customer = await aCustomer();
      const subject = `${uniqueSubject()}/a:b c%20d?e#f ✨`;
      await aUsageEvent(customer, 'contract.unpriced', { subject });

      expect((await taskOf(customer, subject)).id).toBe(`${customer.id}:${subject}`);
    },
  );

  check(
    'TSK-06',
    {
      requirement: ['R-PRF-12', 'R-TSK-06', 'R-TSK-07', 'R-TSK-18'],
      level: 'IMPLIED',
      effect: 'E3',
    },
    'task stats = sum over its events; vendors = sum of costs per vendor',
    async () => {
      const { customer, product } = await aSubscriber();
      const vendor = await aVendor();
      const subject = uniqueSubject();
      const cost = (amount: number) => ({ id: uuid(), vendor_id: vendor.id, amount });
      await aUsageEvent(customer, product.eventType, { subject, costs: [cost(0.1)] });
      await aUsageEvent(customer, product.eventType, { subject, costs: [cost(0.2), cost(0.4)] });
      const task = await taskOf(customer, subject);
      const sum = (field: 'gross_revenue' | 'total_costs') =>
        task.events
          .map(({ stats }) => amount(stats as object as never, field as never))
          .reduce((total, one) => total.plus(one));

      expect(String(amount(task.stats, 'total_costs'))).toBe('0.7');
      expect(String(sum('total_costs'))).toBe('0.7');
      expect(amount(task.stats, 'gross_revenue').compare(sum('gross_revenue'))).toBe(0);
      expect(task.vendors).toHaveLength(1);
      expect(task.vendors[0]).toMatchObject({ total_costs: 0.7, currency: 'USD' });
    },
  );

  check(
    'TSK-07',
    { requirement: 'R-TSK-16', level: 'MUST', effect: 'E0' },
    'unknown task → 404',
    async () => {
      await api('getTask', { path: { taskId: `${unknownId('cust')}:nothing` } }, 404);
      const { id } = await aCustomer();
      await api('getTask', { path: { taskId: `${id}:${uniqueSubject()}` } }, 404);
    },
  );

  check(
    'TSK-08',
    { requirement: 'R-TSK-19', level: 'ASSUMED', effect: 'E3', assumes: 'A-1001' },
    'event without subject → no task',
    async () => {
      const customer = await aFreshCustomer();
      await aUsageEvent(customer, 'contract.unpriced', { subject: undefined });

      expect(await listed({ customer_id: customer.id })).toEqual([]);
    },
  );
});

describe('listTasks', () => {
  check(
    'TSK-03',
    { requirement: ['R-TSK-08', 'R-TSK-09', 'R-TSK-10'], level: 'MUST', effect: 'E0' },
    'list descending by last_updated_at by default; sort field honoured, still descending',
    async () => {
      const customer = await aFreshCustomer();
      const subjects = [uniqueSubject(), uniqueSubject()] as const;
      const add = (subject: string, offsetMs: number) =>
        aUsageEvent(customer, 'contract.unpriced', { subject, occurred_at: now(offsetMs) });
      await add(subjects[0], -3 * DAY_MS);
      await add(subjects[1], -2 * DAY_MS);
      await add(subjects[0], -DAY_MS);
      const order = async (query: object) =>
        (await listed({ customer_id: customer.id, ...query })).map((task) => task.subject);

      expect(await order({})).toEqual([subjects[0], subjects[1]]);
      expect(await order({ sort: 'last_updated_at' })).toEqual([subjects[0], subjects[1]]);
      expect(await order({ sort: 'created_at' })).toEqual([subjects[1], subjects[0]]);
    },
  );

  check(
    'TSK-05',
    {
      requirement: ['R-LIM-10', 'R-TSK-11', 'R-TSK-12', 'R-TSK-13', 'R-TSK-17'],
      level: 'MUST',
      effect: 'E0',
    },
    'date filters inclusive, customer and subject filters',
    async () => {
      const customer = await aCustomer();
      const { subject } = await aTask(customer);
      const found = async (query: object) => (await listed({ subject, ...query })).length;

      expect(await found({ customer_id: customer.id })).toBe(1);
      expect(await found({ customer_external_id: customer.external_id })).toBe(1);
      expect(await found({ customer_id: (await aCustomer('other')).id })).toBe(0);
      const { created_at } = await taskOf(customer, subject);
      await restOn('A-1001', created_at.startsWith(today(-2)), 'a task begins with a submission');
      expect(await found({ created_from: today(-2), created_to: today(-2) })).toBe(1);
      expect(await found({ created_from: today(-1) })).toBe(0);
      expect(await found({ created_to: today(-3) })).toBe(0);
      expect(await found({ last_updated_from: today(-1), last_updated_to: today(-1) })).toBe(1);
      expect(await found({ last_updated_from: today() })).toBe(0);
      expect(await found({ last_updated_to: today(-2) })).toBe(0);
    },
  );
});
