import {
  aFreshAsset,
  aFreshCustomer,
  api,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  lexeme,
  unique,
  uniqueSubject,
  useUp,
} from '../kit/index.ts';
import { quoteOf } from './shared/assets.ts';
import { listed, taskOf } from './shared/events.ts';
import { keyOf, pageOf } from './shared/lists.ts';

describe('rounding and exact numbers', () => {
  check(
    'AST-26',
    { requirement: 'R-AST-39', level: 'ASSUMED', effect: 'E3', assumes: 'A-304' },
    "quotes whose exact amount is halfway between two values of the asset's last decimal → rounded to the even one",
    async () => {
      const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 1 }] });
      const quoted = async (sum: number) => lexeme(await quoteOf(code, sum), 'destination_amount');

      expect(await Promise.all([0.015, 0.025, 0.035, 0.0251, 0.0249].map(quoted))).toEqual([
        '0.02',
        '0.02',
        '0.04',
        '0.03',
        '0.02',
      ]);
    },
  );
});

/** Texts that wrong encoding or escaping would change. */
const TEXTS = [
  'plain + plus & amp = % 25 # ? /',
  'Zoë e\u0301 ✨ 👩‍💻 🇪🇺',
  '"quoted" \\ back \' <b>bold</b>',
  '%2F %20 ,a,b;c',
  'שלום 你好',
];

describe('unusual texts', () => {
  check(
    'X-42',
    { requirement: ['R-CONV-18', 'R-CUS-04'], level: 'MUST', effect: 'E3' },
    'name, external_id, metadata with its keys and the id of an external account with non-ASCII characters, quotes and escapes → returned as sent, by id and in the list',
    async () => {
      for (const text of TEXTS) {
        const metadata = { [`key ${text}`]: text, ['__proto__']: text, constructor: text };
        const given = {
          name: `Contract ${text}`,
          external_id: `${unique('text')} ${text}`,
          metadata,
          external_accounts: [{ provider: 'stripe', provider_id: `payer ${text}` }],
        };
        const { id } = await useUp('customer', () => api('createCustomer', { body: given }, 201));
        const shown = await api('getCustomer', { path: { customerId: id } }, 200);
        const [item] = (await pageOf({ list: 'listCustomers', query: { customer_id: id } })).items;

        expect(shown).toMatchObject(given);
        expect(shown.metadata).toEqual(metadata);
        expect(item).toMatchObject({ name: given.name, external_id: given.external_id });
      }
    },
  );

  check(
    'X-43',
    {
      requirement: ['R-CUS-23', 'R-CUS-28', 'R-EVT-41', 'R-TSK-13', 'R-TSK-15', 'R-VND-04'],
      level: 'MUST',
      effect: 'E3',
    },
    'non-ASCII, quoted and escaped texts in queries, as external_id of customers and vendors, name and subject → find exactly the objects with that text, not those with another Unicode form',
    async () => {
      for (const text of TEXTS) {
        const key = `${unique('text')} ${text}`;
        const customer = await aFreshCustomer({ name: `Contract ${key}`, external_id: key });
        const body = { name: 'Contract', external_id: key };
        const vendor = await useUp('vendor', () => api('createVendor', { body }, 201));
        const subject = `${uniqueSubject()} ${text}`;
        const event = await aUsageEvent(customer, 'contract.text', { subject });
        await aUsageEvent(customer, 'contract.text', { subject: `${subject}.` });
        const found = async (list: 'listCustomers' | 'listVendors' | 'listTasks', query: object) =>
          (await pageOf({ list, query: query as never })).items.map(keyOf);

        await call('listCustomers', { query: { external_id: key } }, [303]);
        expect(await found('listCustomers', { name: `Contract ${key}` })).toEqual([customer.id]);
        expect(await found('listVendors', { external_id: key })).toEqual([vendor.id]);
        expect((await listed({ subject })).map(({ id }) => id)).toEqual([event.id]);
        expect(await found('listTasks', { subject })).toEqual([`${customer.id}:${subject}`]);
        const task = await taskOf(customer, subject);
        expect(task.events.map(({ id }) => id)).toEqual([event.id]);
      }
      const subject = `${uniqueSubject()} é`;
      await aUsageEvent(await aFreshCustomer(), 'contract.text', { subject });
      expect(await listed({ subject: subject.normalize('NFD') })).toEqual([]);
    },
  );
});
