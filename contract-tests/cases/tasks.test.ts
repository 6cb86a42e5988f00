import {
  aFreshCustomer,
  amount,
  api,
  aSubscriber,
  assuming,
  aUsageEvent,
  type Body,
  call,
  check,
  expect,
  now,
  restOn,
  today,
  uniqueSubject,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { aNewVendor, listed as listedEvents, stored, submit, taskOf } from './shared/events.ts';
import { type Filter, pageOf, tryFilters, tryPairs } from './shared/lists.ts';
import { DAY_MS } from './shared/times.ts';
import { edged, long } from './shared/values.ts';

type Listed = Body<'listTasks', 200>['items'][number];

async function listed(query: object): Promise<Listed[]> {
  const { items } = await api('listTasks', { query: { limit: 1000, ...query } as never }, 200);
  return items;
}

const byId = <T extends { readonly id: string }>(parts: readonly T[]) =>
  new Map(parts.map((part) => [part.id, part]));

check(
  'TSK-01',
  {
    requirement: 'R-TSK-01 R-TSK-02 R-TSK-03 R-TSK-04 R-TSK-05 R-TSK-14 R-TSK-15 R-TSK-19 R-TSK-20',
    effect: 'E3',
    partly: 'A-1001',
  },
  'events of a subject with slash, colon, space, percent and emoji, submitted out of order in two batches, one beside an event without a subject → one task, id customer:subject, found url-encoded, listed once, its events in the order in which they occurred; created_at is the time of the first event and last_updated_at that of the latest, and reading changes nothing',
  async () => {
    const customer = await aFreshCustomer();
    const subject = `${uniqueSubject()}/a:b c%20d?e#f ✨`;
    const at = (offsetMs: number, of?: string) =>
      usageEvent('contract.order', { subject: of, occurred_at: now(offsetMs) });
    // The second is a moment before the third.
    const offsets = [-2 * DAY_MS, -4 * DAY_MS, -DAY_MS, -2 * DAY_MS - 100];
    const [third, first, fourth, second] = offsets.map((offset) => at(offset, subject));
    await submit(customer, third as object, first as object);
    await submit(customer, fourth as object, at(-5 * DAY_MS), second as object);
    const task = await taskOf(customer, subject);
    const { events } = task;
    const submitted = events.map(({ created_at }) => created_at).sort();
    const occurred = events.map(({ occurred_at }) => occurred_at).sort();

    expect(task).toMatchObject({
      id: `${customer.id}:${subject}`,
      customer: expect.anything(),
      stats: expect.anything(),
      vendors: [],
      events: [{}, {}, {}, {}],
    });
    const items = await listed({ customer_id: customer.id });
    expect(items.map(({ id }) => id)).toEqual([task.id]);
    // The specification does not say whether an event counts from when it occurred or from when it was submitted.
    expect([occurred[0], submitted[0]]).toContain(task.created_at);
    expect([occurred[3], submitted[3]]).toContain(task.last_updated_at);
    await assuming('A-1001', async () => {
      const wanted = [first, second, third, fourth].map((event) => event?.id);
      expect(events.map(({ id }) => id)).toEqual(wanted);
      expect([task.created_at, task.last_updated_at]).toEqual([occurred[0], occurred[3]]);
      expect(await taskOf(customer, subject)).toEqual(task);
    });
  },
);

check(
  'TSK-06',
  { requirement: 'R-PRF-12 R-TSK-05 R-TSK-06 R-TSK-07 R-TSK-18', effect: 'E3' },
  'stats of a task → the sums over its events; its vendors → the sums of costs per vendor, also of 0; the same stats in the list; its events as each is by id',
  async () => {
    const { customer, product } = await aSubscriber();
    const [one, other, free] = [await aNewVendor(), await aNewVendor(), await aNewVendor()];
    const subject = uniqueSubject();
    const cost = (vendor_id: string, sum: number) => ({ id: uuid(), vendor_id, amount: sum });
    const ids: string[] = [];
    for (const costs of [[cost(one, 0.1)], [cost(one, 0.2), cost(other, 0.4), cost(free, 0)]])
      ids.push((await aUsageEvent(customer, product.eventType, { subject, costs })).id);
    const { events, vendors, ...task } = await taskOf(customer, subject);
    const [item] = await listed({ subject });
    const own = [];
    for (const id of ids) own.push(await stored(id));
    const gross = own
      .map(({ stats }) => amount(stats as NonNullable<typeof stats>, 'gross_revenue'))
      .reduce((total, each) => total.plus(each));

    expect(item).toEqual(task);
    expect(byId(events)).toEqual(byId(own));
    expect(String(amount(task.stats, 'total_costs'))).toBe('0.7');
    expect(String(amount(task.stats, 'gross_revenue'))).toBe(String(gross));
    expect(
      new Map(
        vendors.map(({ vendor, total_costs, currency }) => [vendor.id, [total_costs, currency]]),
      ),
    ).toEqual(
      new Map([
        [one, [0.3, 'USD']],
        [other, [0.4, 'USD']],
        [free, [0, 'USD']],
      ]),
    );
  },
);

/** Tasks of two customers, two of them with one subject, by what they are, the one that was updated last at the end. */
async function someTasks() {
  const [one, other] = [await aFreshCustomer(), await aFreshCustomer()];
  const [long, short] = [uniqueSubject(), uniqueSubject()];
  for (const [customer, subject, day] of [
    [one, long, -3],
    [one, short, -2],
    [one, long, -1],
    // One task ends later than at first, the other one begins earlier.
    [other, long, 0],
    [other, long, -4],
  ] as const) {
    const occurred_at = `${today(day)}T00:00:00.000Z`;
    await aUsageEvent(customer, 'contract.unpriced', { subject, occurred_at });
  }
  const ids = {
    short: `${one.id}:${short}`,
    long: `${one.id}:${long}`,
    foreign: `${other.id}:${long}`,
  };
  const { created_at } = await taskOf(one, long);
  await restOn('A-1001', created_at.startsWith(today(-3)), 'a task begins with a submission');
  const isShared = true;
  const filters: Filter[] = [
    { query: { customer_id: one.id }, fits: ['short', 'long'] },
    { query: { customer_id: other.id }, fits: ['foreign'] },
    { query: { customer_external_id: one.external_id }, fits: ['short', 'long'] },
    { query: { customer_external_id: other.external_id }, fits: ['foreign'] },
    { query: { subject: long }, fits: ['long', 'foreign'] },
    { query: { subject: short }, fits: ['short'] },
    { query: { created_from: today(-3) }, fits: ['short', 'long'], isShared },
    { query: { created_from: today(-2) }, fits: ['short'], isShared },
    { query: { created_to: today(-3) }, fits: ['long', 'foreign'], isShared },
    { query: { created_to: today(-4) }, fits: ['foreign'], isShared },
    { query: { last_updated_from: today(-1) }, fits: ['long', 'foreign'], isShared },
    { query: { last_updated_from: today() }, fits: ['foreign'], isShared },
    { query: { last_updated_to: today(-1) }, fits: ['short', 'long'], isShared },
    { query: { last_updated_to: today(-2) }, fits: ['short'], isShared },
  ];
  return { ids, filters, subject: long, customer: one };
}

const OF_TASKS = {
  requirement: 'R-LIM-10 R-TSK-08 R-TSK-09 R-TSK-10 R-TSK-11 R-TSK-12 R-TSK-13 R-TSK-17',
  effect: 'E0',
  partly: 'A-305 A-1001',
} as const;

check(
  'TSK-03',
  OF_TASKS,
  'tasks by each filter of days, customer and subject → those that match, the bounds included, latest update first, or by the sort field, also of one subject or customer',
  async () => {
    const { ids, filters, subject, customer } = await someTasks();
    await tryFilters({ list: 'listTasks' }, ids, filters);
    for (const [query, wanted] of [
      [{ subject, sort: 'last_updated_at' }, [ids.foreign, ids.long]],
      [{ subject, sort: 'created_at' }, [ids.long, ids.foreign]],
      [{ subject, sort: 'created_at', limit: 1, offset: 1 }, [ids.foreign]],
      [{ subject, sort: 'created_at', last_updated_to: today(-1) }, [ids.long]],
      [{ customer_id: customer.id, sort: 'last_updated_at' }, [ids.long, ids.short]],
      [{ customer_id: customer.id, sort: 'created_at' }, [ids.short, ids.long]],
    ] as const) {
      const found = (await listed(query)).map(({ id }) => id);
      expect(found, JSON.stringify(query)).toEqual(wanted);
    }
  },
);

check(
  'TSK-19',
  OF_TASKS,
  'tasks by each two filters of days, customer and subject, by all together, and by all of which one does not match → those that match, latest update first',
  async () => {
    const { ids, filters } = await someTasks();
    await tryPairs({ list: 'listTasks' }, ids, filters, 'long');
  },
);

/** Subjects of 1 to 256 characters: equal but for their ends or a letter's case, blank, to be escaped, beginning with ids. */
const subjectsOf = (customerId: string) => [
  ...edged(uniqueSubject()),
  ' ',
  long(256),
  `${'x'.repeat(255)}X`,
  'x'.repeat(256),
  '%2F:?#&+ '.repeat(28),
  `${customerId}:${':'.repeat(255 - customerId.length)}`,
];

check(
  'TSK-18',
  {
    requirement: 'R-CONV-23 R-TSK-01 R-TSK-02 R-TSK-13 R-TSK-15',
    effect: 'E3',
    partly: 'A-306 A-1001',
  },
  'subjects of 1 to 256 characters, blank, escaped in URLs, and that differ only at their ends or by letter case → a task each, found by its own subject and id, shown as sent in the list, in the detail and in each event; one of 257 → no task',
  async () => {
    const customer = await aFreshCustomer();
    const subjects = subjectsOf(customer.id);
    const events = [...subjects, ...subjects].map((subject) =>
      usageEvent('contract.edges', { subject }),
    );
    await submit(customer, ...events);
    const of = { customer_id: customer.id };
    const { items } = await api('listTasks', { query: of }, 200);
    expect(items.map(({ subject }) => subject).sort()).toEqual([...subjects].sort());
    for (const subject of subjects) {
      const own = events.filter((event) => event.subject === subject).map(({ id }) => id);
      const task = await taskOf(customer, subject);
      const page = await pageOf({ list: 'listTasks', query: { ...of, subject } });
      const wanted = { id: `${customer.id}:${subject}`, subject, event_count: 2 };
      expect([task, ...page.items], wanted.id).toMatchObject([wanted, wanted]);
      for (const shown of [task.events, await listedEvents({ ...of, subject })]) {
        expect(shown.map(({ id }) => id).sort(), wanted.id).toEqual(own.sort());
        expect(shown.map((event) => event.subject)).toEqual([subject, subject]);
      }
    }
    const whole = `${uniqueSubject()} é`;
    await aUsageEvent(customer, 'contract.edges', { subject: whole });
    expect(await listedEvents({ subject: whole.normalize('NFD') })).toEqual([]);
    await call('getTask', { path: { taskId: `${customer.id}:${'x'.repeat(257)}` } }, [404]);
  },
);
