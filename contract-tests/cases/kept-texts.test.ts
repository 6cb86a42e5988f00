import {
  adjustment,
  aFreshAccount,
  aFreshCustomer,
  api,
  assuming,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  unique,
  uniqueSubject,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { aPayer, listed, price, stored, submit, taskOf } from './shared/events.ts';
import { keyOf, pageOf } from './shared/lists.ts';
import { detailOf } from './shared/subscriptions.ts';
import { request } from './shared/top-ups.ts';
import { aNewVendor, vendorStats } from './shared/vendors.ts';
import { charge } from './shared/wallets.ts';

/** Metadata with empty and blank values, and with values and keys that are easily taken for none. */
const METADATA = [
  { empty: '' },
  { one: '', other: '' },
  { first: '', filled: 'x', blank: ' ', last: '' },
  { ' ': ' ', '0': '0', no: 'false', nothing: 'null', undefined: 'undefined', list: '[]' },
  {
    'before ': ' x',
    ' after': 'x ',
    tab: '\tx\t',
    line: 'x\n',
    break: '\u00a0x\u00a0',
    mark: '\ufeffx',
  },
];

describe('metadata with empty values', () => {
  check(
    'X-69',
    {
      requirement: ['R-ACC-07', 'R-CONV-18', 'R-CUS-04'],
      level: 'MUST',
      effect: 'E4',
      assumes: 'A-709',
    },
    'metadata with empty and blank values, alone and next to others, of accounts and customers at creation and by update, of adjustments, charges and costs, with an empty description → by id and in the list with every key, as sent',
    async () => {
      for (const metadata of METADATA) {
        const account = await aFreshAccount({ external_id: unique('account'), metadata });
        const shown = await api('getConnectedAccount', { path: { accountId: account.id } }, 200);
        const query = { external_id: shown.external_id as string };
        const { items } = await api('listConnectedAccounts', { query }, 200);
        expect([shown, ...items].map((each) => each.metadata)).toEqual([metadata, metadata]);

        const [made, changed] = [await aFreshCustomer({ metadata }), await aFreshCustomer()];
        await call(
          'updateCustomer',
          { path: { customerId: changed.id }, body: { metadata } },
          [204],
        );
        for (const each of [made, changed])
          expect((await detailOf(each)).metadata).toEqual(metadata);

        const path = { customerId: made.id };
        const texts = { description: '', metadata };
        const bodies = [adjustment(texts), charge(texts)] as const;
        await api('adjustWallet', { path, body: bodies[0] }, 201);
        await api('chargeWallet', { path, body: bodies[1] }, 201);
        for (const { transaction_id: transactionId } of bodies) {
          const of = { path: { ...path, transactionId } };
          expect(await api('getWalletTransaction', of, 200)).toMatchObject(texts);
        }
        const empty = { description: '', metadata };
        const costs = [{ id: uuid(), vendor_id: await aNewVendor(), amount: 1, ...empty }];
        const { id } = await aUsageEvent(made, 'contract.empty', { description: '', costs });
        expect(await stored(id)).toMatchObject({ description: '', costs: [empty] });
      }
    },
  );

  check(
    'TOP-41',
    {
      requirement: 'R-TOP-03',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-709',
      needs: 'clock.movable',
    },
    'metadata with empty and blank values, and an empty description, of a paid top-up → the transaction of its credit has every key, as sent',
    async (t) => {
      const { call: ask, path } = await aCustomerWorld(t);
      for (const metadata of METADATA) {
        const texts = { description: '', metadata };
        const body = request({ id: path.customerId } as never, texts);
        const { id } = await ask('createTopUp', { body });
        await ask('settlePayment', { path: { id }, body: { outcome: 'succeeded' } });
        const { items } = await ask('listLedgerTransactions', { query: { source: 'top_up' } });
        const of = { path: { ...path, transactionId: items[0].id } };
        expect(await ask('getWalletTransaction', of)).toMatchObject(texts);
      }
    },
  );
});

/** A text, and texts that differ from it only by what trimming removes, or what is not seen. */
const edged = (text: string) => [
  text,
  ...[' ', '\u00a0', '\ufeff'].flatMap((edge) => [edge + text, text + edge, edge + text + edge]),
  ...[`${text}\t`, `${text}\n`, `${text}\u3000`, `${text}\u200b`],
];

const NAMED = [
  ['createConnectedAccount', 'getConnectedAccount', 'accountId', 'listConnectedAccounts'],
  ['createCustomer', 'getCustomer', 'customerId', 'listCustomers'],
  ['createVendor', 'getVendor', 'vendorId', 'listVendors'],
] as const;

/** The ids of the objects with this external id. */
async function found(list: (typeof NAMED)[number][3], external_id: string): Promise<string[]> {
  if (list !== 'listCustomers')
    return (await pageOf({ list, query: { external_id } })).items.map(keyOf);
  const { headers } = await call(list, { query: { external_id } }, [303]);
  return [String(headers['location']).split('/').at(-1) as string];
}

describe('spaces at the ends of texts', () => {
  check(
    'X-70',
    { requirement: ['R-ACC-09', 'R-CUS-23', 'R-EVT-03', 'R-VND-04'], level: 'MUST', effect: 'E3' },
    'external ids of accounts, customers and vendors that differ only by spaces, line breaks and other unseen characters at their ends, with names alike → different objects, shown as sent, each found by its own, and meant by it in events and costs',
    async () => {
      for (const [create, get, parameter, list] of NAMED) {
        const texts = edged(unique('Key'));
        const ids: string[] = [];
        for (const text of texts) {
          const body = { name: text, external_id: text };
          ids.push((await useUp('name', () => call(create, { body }, [201]))).body.id);
        }
        for (const [index, text] of texts.entries()) {
          const id = ids[index] as string;
          const shown = (await call(get, { path: { [parameter]: id } }, [200])).body;
          expect(shown).toMatchObject({ id, name: text, external_id: text });
          expect(await found(list, text), JSON.stringify(text)).toEqual([id]);
          const events = [usageEvent('contract.edges')];
          if (create === 'createCustomer') {
            await api(
              'submitEvents',
              { body: { customer_external_id: text, events } as never },
              204,
            );
            const [item] = await listed({ customer_external_id: text });
            expect(item).toMatchObject({ id: events[0]?.id, customer_id: id, external_id: text });
            const of = { customer_external_id: text };
            const { items: tasks } = await api('listTasks', { query: of }, 200);
            expect(tasks.map((task) => task.id)).toEqual([`${id}:${events[0]?.subject}`]);
            const other = texts[(index + 1) % texts.length] as string;
            const renamed = { external_id: `${other}2${text}` };
            const customerPath = { path: { customerId: id } };
            await api('updateCustomer', { ...customerPath, body: renamed }, 204);
            expect(await api('getCustomer', customerPath, 200)).toMatchObject(renamed);
          }
          if (create !== 'createVendor') continue;
          const costs = [{ id: uuid(), vendor_external_id: text, amount: 1 }];
          const event = await aUsageEvent(await aFreshCustomer(), 'contract.edges', { costs });
          expect((await stored(event.id)).costs).toMatchObject([{ ...costs[0], vendor_id: id }]);
        }
      }
    },
  );

  check(
    'TSK-18',
    {
      requirement: ['R-TSK-01', 'R-TSK-02', 'R-TSK-13'],
      level: 'MUST',
      effect: 'E3',
      assumes: 'A-1001',
    },
    'subjects that differ only by spaces, line breaks and other unseen characters at their ends, and blank ones → a task each, shown as sent in the list, in the detail and in each event, and found by its own subject and id, with its own events',
    async () => {
      const customer = await aFreshCustomer();
      const subjects = [...edged(uniqueSubject()), ' ', '\t', '\u00a0', '\ufeff'];
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
        const { items: found } = await api('listTasks', { query: { ...of, subject } }, 200);
        const named = found.map(({ id, subject: shown, event_count }) => [id, shown, event_count]);
        const taskId = `${customer.id}:${subject}`;
        expect([[task.id, task.subject, task.event_count], ...named], taskId).toEqual([
          [taskId, subject, 2],
          [taskId, subject, 2],
        ]);
        const each = await Promise.all(own.map(stored));
        for (const shown of [task.events, await listed({ ...of, subject }), each]) {
          expect(shown.map((event) => event.id).sort()).toEqual(own.sort());
          expect(shown.map((event) => event.subject)).toEqual([subject, subject]);
        }
      }
    },
  );

  check(
    'EVT-89',
    { requirement: 'R-EVT-30', level: 'MUST', effect: 'E3' },
    'event types, volume fields, dimensions and their values that differ only by spaces and other unseen characters at their ends → priced each by its own alone, shown as sent, and filtered by exactly the type',
    async () => {
      const [types, fields] = [edged('use'), edged('field')];
      const { customer, eventType } = await aPayer((type) => [
        ...types.map((_, index) => ({
          ...price(edged(type)[index] as string, 'unit', [{ unit_price: index + 1 }]),
          name: `T${index}`,
        })),
        ...fields.map((volume_field, index) => ({
          ...price(`${type}.volume`, 'volume', [{ volume_rate: index + 1 }], { volume_field }),
          name: `V${index}`,
        })),
        price(
          `${type}.value`,
          'unit',
          fields.flatMap((key, place) =>
            types.map((value, index) => ({
              dimensions: { [key]: value },
              unit_price: place * 100 + index,
            })),
          ),
          { billable_dimensions: fields },
        ),
      ]);
      const fees = async (type: string, data: object) => {
        const event = await stored((await aUsageEvent(customer, type, { data })).id);
        expect([event.event_type, event.data]).toEqual([type, data]);
        return event.fees.map(({ amount, volume_field, dimensions }) => [
          amount,
          volume_field ?? dimensions,
        ]);
      };
      for (const [index, type] of edged(eventType).entries()) {
        expect(await fees(type, { x: 'x' })).toEqual([[index + 1, null]]);
        const query = { customer_id: customer.id, event_types: [type] };
        const found = (await listed(query)).map(({ event_type }) => event_type);
        await assuming('A-806', async () => expect(found).toEqual([type]));
      }
      for (const [place, field] of fields.entries()) {
        expect(await fees(`${eventType}.volume`, { [field]: 1 })).toEqual([[place + 1, field]]);
        const value = types[place] as string;
        expect(await fees(`${eventType}.value`, { [field]: value })).toEqual([
          [place * 101, { [field]: value }],
        ]);
      }
    },
  );
});

describe('getVendorStats', () => {
  check(
    'VND-15',
    { requirement: 'R-VND-13', level: 'ASSUMED', effect: 'E3', assumes: 'A-904' },
    'categories of costs that differ only by spaces and other unseen characters at their ends, and blank ones → each listed separately as sent, with its own costs, and found alone by its filter',
    async () => {
      const [customer, vendorId] = [await aFreshCustomer(), await aNewVendor()];
      const categories = [...edged('calls'), ' ', '\t'];
      const costs = categories.map((category, index) => ({
        ...{ id: uuid(), vendor_id: vendorId, amount: 2 ** index, category },
      }));
      const { id } = await aUsageEvent(customer, 'contract.edges', { costs });
      expect((await stored(id)).costs.map(({ category }) => category)).toEqual(categories);
      const stats = await vendorStats(vendorId);
      const sums = Object.fromEntries(
        stats.categories.map(({ category, cost }) => [category, cost]),
      );
      expect(sums).toEqual(
        Object.fromEntries(categories.map((category, index) => [category, 2 ** index])),
      );
      for (const [index, category] of categories.entries()) {
        const one = await vendorStats(vendorId, { category });
        expect(one).toMatchObject({ total_costs: 2 ** index, categories: [{ category }] });
      }
    },
  );
});
