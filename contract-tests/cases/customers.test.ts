import {
  aCustomer,
  aFreshCustomer,
  api,
  aSubscriber,
  type Body,
  call,
  check,
  describe,
  expect,
  isOurs,
  refused,
  runMark,
  unique,
  unknownId,
  useUp,
} from '../kit/index.ts';
import { detailOf } from './shared/subscriptions.ts';

type Summary = Body<'listCustomers', 200>['items'][number];

async function listed(query: object): Promise<Summary[]> {
  const whole = { limit: 1000, ...query };
  const { body } = await call('listCustomers', { query: whole }, [200]);
  return (body as Body<'listCustomers', 200>).items;
}

describe('createCustomer', () => {
  check(
    'CUS-01',
    { requirement: ['R-CONV-05', 'R-CUS-18', 'R-CUS-19'], level: 'MUST', effect: 'E3' },
    'create with name only → 201 `cust_` id and `subscriptions: []`',
    async () => {
      const body = { name: 'Contract bare' };
      const made = await useUp('customer', () => api('createCustomer', { body }, 201));

      expect(made.id).toMatch(/^cust_/);
      expect(made.subscriptions).toEqual([]);
    },
  );

  check(
    'CUS-02',
    { requirement: ['R-CUS-01', 'R-CUS-03'], level: 'MUST', effect: 'E1' },
    'no name, or e-mail without @ → rejected',
    async () => {
      await refused('createCustomer', { body: { external_id: unique('customer') } });
      await refused('createCustomer', { body: { name: 'Contract', email: 'nobody' } });
    },
  );

  check(
    'CUS-03',
    { requirement: 'R-CUS-02', level: 'MUST', effect: 'E1' },
    'duplicate external_id → rejected, only one customer found (unique)',
    async () => {
      const { id, external_id } = await aCustomer();
      await refused('createCustomer', { body: { name: 'Contract double', external_id } });
      const { headers } = await call('listCustomers', { query: { external_id } }, [303]);

      expect(String(headers['location'])).toContain(id);
    },
  );

  check(
    'CUS-17',
    { requirement: ['R-CUS-04', 'R-CUS-12'], level: 'MUST', effect: 'E3' },
    'create with external_id, email and metadata → detail shows all, summary the first two',
    async () => {
      const given = {
        external_id: unique('customer'),
        email: `${unique('mail')}@example.com`,
        metadata: { ...runMark(), region: 'eu' },
      };
      const customer = await aFreshCustomer(given);
      const [summary] = await listed({ email: given.email });

      expect(await detailOf(customer)).toMatchObject(given);
      expect(summary).toMatchObject({ external_id: given.external_id, email: given.email });
    },
  );

  check(
    'CUS-18',
    { requirement: 'R-CUS-07', level: 'MUST', effect: 'E1' },
    'external account without provider, and without provider_id → rejected',
    async () => {
      const refuse = (account: object) =>
        refused('createCustomer', { body: { name: 'Contract', external_accounts: [account] } });
      await refuse({ provider_id: 'cus_1' });
      await refuse({ provider: 'stripe' });
    },
  );
});

describe('listCustomers', () => {
  check(
    'CUS-04',
    { requirement: ['R-CUS-23', 'R-CUS-24', 'R-ERR-06'], level: 'MUST', effect: 'E0' },
    'external_id with a match → 303, no body, Location resolves to that customer',
    async () => {
      const { id, external_id } = await aCustomer();
      const { headers, text } = await call('listCustomers', { query: { external_id } }, [303]);
      const { pathname } = new URL(String(headers['location']), 'http://relative.invalid');

      expect(text).toBe('');
      expect(pathname.endsWith(`/customers/${id}`)).toBe(true);
    },
  );

  check(
    'CUS-05',
    { requirement: 'R-CUS-25', level: 'MUST', effect: 'E0' },
    'external_id without match → 404, not an empty list',
    async () => {
      const { text } = await call(
        'listCustomers',
        { query: { external_id: unique('nobody') } },
        [404],
      );

      expect(text).toBe('');
    },
  );

  check(
    'CUS-06',
    { requirement: ['R-CUS-26', 'R-CUS-27'], level: 'MUST', effect: 'E0' },
    'e-mail with no match → 200 empty page; with match → only exact e-mails',
    async () => {
      const email = `${unique('mail')}@example.com`;

      if (isOurs()) {
        await aFreshCustomer({ email: `${unique('mail')}@example.com` });
        await aFreshCustomer({ email: `${unique('mail')}@example.com` });
      }
      expect(await listed({ email })).toEqual([]);
      for (const item of await listed({})) {
        if (item.email === undefined) continue;
        const found = await listed({ email: item.email });
        expect(found.map((one) => one.id)).toContain(item.id);
        expect(new Set(found.map((one) => one.email))).toEqual(new Set([item.email]));
        break;
      }
    },
  );

  check(
    'CUS-07',
    { requirement: ['R-CUS-09', 'R-CUS-10', 'R-CUS-21'], level: 'MUST', effect: 'E0' },
    'list item has id, name, active_subscription_count ≥ 0',
    async () => {
      const { id } = await aCustomer();
      const items = await listed({ customer_id: id });

      expect(items).toHaveLength(1);
      for (const item of items) {
        expect(item).toMatchObject({ id, name: expect.any(String) });
        expect(item.active_subscription_count).toBeGreaterThanOrEqual(0);
        expect(Number.isInteger(item.active_subscription_count)).toBe(true);
      }
    },
  );

  check(
    'CUS-09',
    { requirement: ['R-CUS-29', 'R-CUS-30'], level: 'IMPLIED', effect: 'E0' },
    'status=active lists only count ≥ 1, inactive only 0',
    async () => {
      const { customer } = await aSubscriber();
      const active = await listed({ status: 'active' });
      const inactive = await listed({ status: 'inactive' });

      expect(active.every((item) => item.active_subscription_count >= 1)).toBe(true);
      expect(inactive.every((item) => item.active_subscription_count === 0)).toBe(true);
      expect(await listed({ status: 'active', customer_id: customer.id })).toHaveLength(1);
    },
  );

  check(
    'CUS-10',
    { requirement: ['R-CUS-22', 'R-CUS-28', 'R-CUS-38'], level: 'IMPLIED', effect: 'E0' },
    'customer_id filter → that one; name filter → whether it matches exactly or by part is recorded',
    async (t) => {
      const customer = await aCustomer();
      await aCustomer('other');
      const byId = await listed({ customer_id: customer.id });
      const exact = await listed({ customer_id: customer.id, name: customer.name });
      const part = await listed({ customer_id: customer.id, name: customer.name.slice(1, 5) });
      t.observe('name filter', part.length === 1 ? 'substring' : 'exact');

      expect(byId.map(({ id }) => id)).toEqual([customer.id]);
      expect(exact.map(({ id }) => id)).toEqual([customer.id]);
    },
  );

  check(
    'CUS-19',
    { requirement: 'R-CUS-39', level: 'ASSUMED', effect: 'E0', assumes: 'A-602' },
    'two filters that match different customers → empty page',
    async () => {
      const [one, other] = [await aCustomer(), await aCustomer('other')];
      const query = { customer_id: one.id, name: unique('nobody') };

      expect(one.id).not.toBe(other.id);
      expect(await listed(query)).toEqual([]);
    },
  );
});

describe('getCustomer', () => {
  check(
    'CUS-08',
    {
      requirement: ['R-CUS-06', 'R-CUS-13', 'R-CUS-14', 'R-CUS-16', 'R-CUS-17', 'R-CUS-31'],
      level: 'MUST',
      effect: 'E3',
    },
    'detail has created_at; external accounts show provider and provider_id',
    async () => {
      const external_accounts = [{ provider: 'stripe', provider_id: unique('payer') }];
      const customer = await aFreshCustomer({ external_accounts });
      const shown = await detailOf(customer);

      expect(Date.parse(shown.created_at)).not.toBeNaN();
      expect(Array.isArray(shown.subscriptions)).toBe(true);
      expect(shown.external_accounts).toEqual(external_accounts);
      await api('getCustomer', { path: { customerId: unknownId('cust') } }, 404);
    },
  );
});

describe('updateCustomer', () => {
  check(
    'CUS-11',
    { requirement: ['R-CUS-34', 'R-CUS-35', 'R-ERR-09'], level: 'MUST', effect: 'E1' },
    'PATCH unknown customer → 404; PATCH malformed → 400',
    async () => {
      const { id } = await aCustomer();
      const body = { name: 'Contract nobody' };
      await call('updateCustomer', { path: { customerId: unknownId('cust') }, body }, [404]);
      await call('updateCustomer', { path: { customerId: id }, raw: '{"name": ' }, [400]);
      await call('updateCustomer', { path: { customerId: id }, body: { name: 42 } }, [422]);
    },
  );

  check(
    'CUS-12',
    { requirement: ['R-CUS-33', 'R-CUS-37'], level: 'ASSUMED', effect: 'E3', assumes: 'A-601' },
    'PATCH {name} → 204 empty and GET shows it (body not shown)',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const { text } = await call(
        'updateCustomer',
        { path, body: { name: 'Contract renamed' } },
        [204],
      );

      expect(text).toBe('');
      expect(await detailOf(customer)).toMatchObject({ name: 'Contract renamed' });
    },
  );

  check(
    'CUS-20',
    { requirement: 'R-CUS-40', level: 'ASSUMED', effect: 'E3', assumes: 'A-307' },
    'PATCH with null → the field is cleared',
    async () => {
      const customer = await aFreshCustomer({ email: `${unique('mail')}@example.com` });
      const path = { customerId: customer.id };
      await call('updateCustomer', { path, body: { email: null, metadata: null } }, [204]);
      const shown = await detailOf(customer);

      expect([shown.email ?? null, shown.metadata ?? null]).toEqual([null, null]);
    },
  );
});
