import {
  aDraftProduct,
  aFreshAsset,
  aFreshCustomer,
  amount,
  anAdjustment,
  api,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  lexeme,
  refused,
  unique,
  uniqueSubject,
  useUp,
} from '../kit/index.ts';
import { body as assetBody, assetOf, quoteOf } from './shared/assets.ts';
import { aPayerOf, listed, price, type Stored, stored, taskOf } from './shared/events.ts';
import { keyOf, pageOf } from './shared/lists.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { balance, charged } from './shared/wallets.ts';

const feesOf = ({ fees }: Stored) => fees.map((fee) => lexeme(fee, 'amount'));

describe('rounding and exact numbers', () => {
  check(
    'EVT-57',
    { requirement: ['R-EVT-27', 'R-EVT-60'], level: 'ASSUMED', effect: 'E3', assumes: 'A-304' },
    'volume fees that end on a half at the eleventh decimal → rounded to the even neighbour; more than half → up; the balance falls by the sum',
    async () => {
      const { customer, eventType } = await aPayerOf('volume', [
        { volume_rate: 0.0000000005, package_size: 10 },
      ]);
      const fee = async (tokens: number) =>
        feesOf(await stored((await aUsageEvent(customer, eventType, { data: { tokens } })).id));

      // A token costs half a unit of the last stored decimal.
      expect(await fee(1)).toEqual(['0']);
      expect(await fee(3)).toEqual(['0.0000000002']);
      expect(await fee(5)).toEqual(['0.0000000002']);
      expect(await fee(7)).toEqual(['0.0000000004']);
      expect(await fee(5.1)).toEqual(['0.0000000003']);
      expect(String(await balance(customer))).toBe('-0.0000000011');
    },
  );

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

  check(
    'WAL-44',
    { requirement: 'R-WAL-07', level: 'ASSUMED', effect: 'E4', assumes: 'A-303' },
    'amounts of fifteen digits and of ten decimals, as credit and as charge → exact, without an exponent',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const read = async () => {
        const { accounts } = await api('getWallet', { path }, 200);
        return lexeme(accounts[0] as object, 'available' as never);
      };
      await anAdjustment(customer, { amount: 0.0000000001 });
      expect(await read()).toBe('0.0000000001');
      await anAdjustment(customer, { amount: 12345.6789012345 });
      expect(await read()).toBe('12345.6789012346');
      await charged(customer, { amount: 12345.6789012345 });
      expect(await read()).toBe('0.0000000001');
      await anAdjustment(customer, { amount: 99999999999999.9 });
      await anAdjustment(customer, { amount: 0.1 });

      expect(await read()).toBe('100000000000000.0000000001');
    },
  );

  check(
    'EVT-58',
    { requirement: ['R-EVT-27', 'R-EVT-60'], level: 'ASSUMED', effect: 'E3', assumes: 'A-303' },
    'volumes with many digits, of 0 and with an exponent, as JSON allows → exact fees, input_volume as sent',
    async () => {
      const { customer, eventType } = await aPayerOf('volume', [
        { volume_rate: 0.0001, package_size: 1000 },
      ]);
      const billed = async (tokens: number) => {
        const { id } = await aUsageEvent(customer, eventType, { data: { tokens } });
        const [fee] = (await stored(id)).fees;
        expect(fee?.input_volume).toBe(tokens);
        return String(amount(fee as NonNullable<typeof fee>, 'amount'));
      };

      expect(await billed(123456789012345)).toBe('12345678.9012345');
      expect(await billed(0.00123)).toBe('0.0000000001');
      expect(await billed(1e9)).toBe('100');
      expect(await billed(0)).toBe('0');
    },
  );
});

describe('values of dimensions', () => {
  check(
    'EVT-59',
    { requirement: ['R-EVT-22', 'R-EVT-30'], level: 'ASSUMED', effect: 'E3', assumes: 'A-507' },
    'numbers, booleans and text as dimensions, with values that differ by case, sign or a space → match only if equal as text; shown as text',
    async () => {
      const rows = { '12': 1, true: 2, large: 4, '-0.5': 8, é: 16 };
      const values = Object.entries(rows).map(([key, unit_price]) => ({
        dimensions: { key },
        unit_price,
      }));
      const { customer, eventType } = await aPayerOf('unit', values, {
        billable_dimensions: ['key'],
      });
      const fee = async (data: object) => {
        const { fees } = await stored((await aUsageEvent(customer, eventType, { data })).id);
        return fees.map((each) => [each.amount, each.dimensions]);
      };
      const is = (sum: number, key: string) => [[sum, { key }]];

      expect(await fee({ key: 12 })).toEqual(is(1, '12'));
      expect(await fee({ key: '12' })).toEqual(is(1, '12'));
      expect(await fee({ key: true })).toEqual(is(2, 'true'));
      expect(await fee({ key: 'true' })).toEqual(is(2, 'true'));
      expect(await fee({ key: 'large' })).toEqual(is(4, 'large'));
      expect(await fee({ key: -0.5 })).toEqual(is(8, '-0.5'));
      expect(await fee({ key: 'é' })).toEqual(is(16, 'é'));
      for (const key of ['Large', 'TRUE', 'larg', 'larger', ' large', 'large ', 0.5, 1, 120, false])
        expect(await fee({ key }), String(key)).toEqual([]);
      for (const data of [{}, { Key: 'large' }, { key2: 'large' }])
        expect(await fee(data)).toEqual([]);
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

  check(
    'AST-27',
    { requirement: ['R-AST-09', 'R-LIM-07'], level: 'IMPLIED', effect: 'E3' },
    'composed emoji as symbol: joined, flag, skin tone, keycap → accepted; two symbols, or none → rejected',
    async () => {
      for (const symbol of ['👩‍💻', '🇪🇺', '👍🏽', '1️⃣', 'é', 'e\u0301', '€']) {
        const { code } = await aFreshAsset({ symbol });
        expect(await assetOf(code)).toMatchObject({ symbol });
      }
      for (const symbol of ['✨✨', '🇪🇺🇺🇸', '€$', 'A ', ''])
        await refused('createAsset', { body: assetBody({ symbol }) });
    },
  );

  check(
    'PRD-36',
    { requirement: ['R-PRD-04', 'R-PRD-06', 'R-PRD-09'], level: 'MUST', effect: 'E2' },
    'non-ASCII names of prices, values and entitlements, dimensions and their keys → returned as sent',
    async (t) => {
      const values = TEXTS.map((text, index) => ({
        name: text,
        dimensions: { 'kéy ✨': text },
        unit_price: index + 1,
      }));
      const given = {
        ...price('contract.text ✨', 'unit', values, { billable_dimensions: ['kéy ✨'] }),
        name: 'Prïce ✨',
      };
      const entitlements = TEXTS.map((name) => ({ ...ENTITLEMENT, name }));
      const draft = { name: 'Contract ✨', prices: [given], entitlements };
      const { id } = await aDraftProduct(t, draft);
      const shown = await api('getProductVersion', { path: { productId: id, version: '1' } }, 200);

      expect(shown.name).toBe('Contract ✨');
      expect(shown.prices[0]).toMatchObject(given);
      expect(shown.entitlements.map(({ name }) => name)).toEqual(TEXTS);
    },
  );
});
