import {
  aFreshCustomer,
  api,
  assuming,
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
import { aNewVendor, taskOf } from './shared/events.ts';

const days = (from: number, to: number) => ({ period_from: today(from), period_to: today(to) });

check(
  'CUS-64',
  { requirement: 'R-PRF-10', effect: 'E3', assumes: 'A-307 A-601' },
  'name changed, external_id changed, then cleared, each alone and after the stats and tasks were read, without usage in between → the current values in the stats list of each period and in the tasks, the numbers as before; without revenue the newest first, whatever they cost',
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
    const query = { ...days(-20, 0), limit: 1000 };
    const { items } = await api('listCustomerStats', { query }, 200);
    const both = items.map(({ id }) => id).filter((id) => id === busy.id || id === idle.id);
    await assuming('A-903', async () => expect(both).toEqual([idle.id, busy.id]));
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
