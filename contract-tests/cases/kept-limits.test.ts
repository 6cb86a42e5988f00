import {
  aConnectedAccount,
  adjustment,
  aFreshCustomer,
  api,
  call,
  check,
  describe,
  expect,
  type OperationId,
  refused,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { listed, stored, submit, taskOf } from './shared/events.ts';
import { long } from './shared/limits.ts';
import { aNewVendor } from './shared/vendors.ts';
import { charge } from './shared/wallets.ts';

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

const keyed = (count: number, length: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const key = `${index}`.padEnd(64, 'k');
      return [key, `${index}`.padEnd(length, 'v')];
    }),
  );

/** Metadata that is as large as allowed, in one respect or in all. */
const WITHIN = [
  keyed(50, 512),
  keyed(50, 0),
  { [long(64)]: long(512), k: 'v'.repeat(512) },
  { ...keyed(49, 512), ['漢'.repeat(64)]: '漢'.repeat(512) },
  { 'a.b': '', 'a[0]': '\u0001', $id: '"\\', constructor: 'x', toString: 'y' },
];

/** Metadata one beyond in one respect, in its first or its last key. */
const BEYOND = [
  keyed(51, 1),
  { k: 'v', ...{ [`${long(64)}x`]: 'v' } },
  { ['k'.repeat(65)]: 'v', k: 'v' },
  { k: 'v', last: 'v'.repeat(513) },
  { first: long(513), k: 'v' },
  { ...keyed(49, 512), '': 'v' },
];

const MOVEMENTS: readonly (readonly [OperationId, (changes: object) => object])[] = [
  ['adjustWallet', adjustment],
  ['chargeWallet', charge],
  [
    'chargeWallet',
    (changes) => charge({ amount: undefined, unit_price: 0.5, input_units: 3, ...changes }),
  ],
];

describe('largest metadata of wallet transactions', () => {
  check(
    'WAL-75',
    {
      requirement: 'R-CONV-23',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-104', 'A-306', 'A-707', 'A-709'],
    },
    'descriptions and metadata of an adjustment, a charge and a charge by parts, of the platform and of a connected account, at each limit and at all together → the transaction has every key and value, as sent, also after a repeat; with one character of the last value changed, or with one beyond a limit, first or last → rejected, nothing posted',
    async () => {
      for (const caller of [{}, { actingFor: (await aConnectedAccount()).id }]) {
        const body = { name: 'Contract' };
        const made = await useUp('customer', () =>
          call('createCustomer', { body, ...caller }, [201]),
        );
        const path = { customerId: made.body.id };
        for (const [operation, bodyOf] of MOVEMENTS) {
          const read = (transactionId: string, statuses = [200]) =>
            call('getWalletTransaction', { path: { ...path, transactionId }, ...caller }, statuses);
          for (const metadata of WITHIN)
            for (const description of [long(1024), 'd'.repeat(1024)]) {
              const transaction_id = uuid();
              const texts = { description, metadata };
              const body = bodyOf({ ...texts, transaction_id });
              await call(operation, { path, body, ...caller }, [201]);
              const { body: shown } = await read(transaction_id);
              expect([shown.description === description, shown.metadata]).toEqual([true, metadata]);
              await call(operation, { path, body, ...caller }, [201]);
              const [last = ''] = Object.keys(metadata).slice(-1);
              const other = {
                ...metadata,
                [last]: `${metadata[last as never]}`.replace(/.?$/su, '!'),
              };
              await refused(operation, { path, body: { ...body, metadata: other }, ...caller });
              expect((await read(transaction_id)).body).toEqual(shown);
            }
          for (const texts of [
            ...BEYOND.map((metadata) => ({ metadata })),
            { description: long(1025) },
          ]) {
            const transaction_id = uuid();
            const body = bodyOf({ ...texts, transaction_id });
            await refused(operation, { path, body, ...caller });
            await read(transaction_id, [404]);
          }
        }
      }
    },
  );
});
