import {
  aFreshCustomer,
  api,
  call,
  check,
  describe,
  expect,
  refused,
  usageEvent,
  uuid,
} from '../kit/index.ts';
import { listed, stored, submit, taskOf } from './shared/events.ts';
import { long } from './shared/limits.ts';
import { aNewVendor } from './shared/vendors.ts';

/** Subjects of up to 256 characters: plain, of four bytes each, all to be escaped in a URL, and ids of others at their start. */
const subjectsOf = (customerId: string) => [
  'x',
  '漢',
  'x'.repeat(255),
  'x'.repeat(256),
  `${'x'.repeat(255)}y`,
  `y${'x'.repeat(255)}`,
  long(255),
  long(256),
  `${long(255)}x`,
  '/'.repeat(256),
  '%2F:?#&+ '.repeat(28),
  `${customerId}:${':'.repeat(255 - customerId.length)}`,
];

describe('longest subjects', () => {
  check(
    'TSK-21',
    {
      requirement: ['R-CONV-23', 'R-TSK-15'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-306', 'A-1001'],
    },
    'subjects of 1, 255 and 256 characters, plain, non-ASCII, all escaped in a URL, and that differ in their first or last one → a task each, found by its own subject and id, shown as sent in the list, in the detail and in each event; of 257 or none → rejected, no task',
    async () => {
      const customer = await aFreshCustomer();
      const of = { customer_id: customer.id };
      const subjects = subjectsOf(customer.id);
      const vendor_id = await aNewVendor();
      const events = subjects.map((subject, index) => {
        const costs = [{ id: uuid(), vendor_id, amount: index + 1 }];
        return usageEvent('contract.long', { subject, costs });
      });
      await submit(customer, ...events);
      for (const each of [`${'x'.repeat(256)}y`, long(257), '']) {
        const batch = [usageEvent('contract.long', { subject: each })];
        await refused('submitEvents', { body: { ...of, events: batch } });
        await call('getTask', { path: { taskId: `${customer.id}:${each}` } }, [404]);
      }
      const { items } = await api('listTasks', { query: of }, 200);
      expect(items.map(({ subject }) => subject).sort()).toEqual([...subjects].sort());
      for (const [index, subject] of subjects.entries()) {
        const [id, eventId] = [`${customer.id}:${subject}`, events[index]?.id as string];
        const stats = { total_costs: index + 1 };
        const wanted = { id, subject, event_count: 1, stats };
        const { items: found } = await api('listTasks', { query: { ...of, subject } }, 200);
        expect(found, subject).toMatchObject([wanted]);
        expect(found, subject).toHaveLength(1);
        expect(await taskOf(customer, subject)).toMatchObject({
          ...wanted,
          events: [{ id: eventId, subject }],
        });
        expect(await listed({ ...of, subject })).toMatchObject([{ id: eventId, subject }]);
        expect((await stored(eventId)).subject).toBe(subject);
      }
    },
  );
});
