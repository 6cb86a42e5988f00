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
  // CUS-01: create with name only → 201 `cust_` id and `subscriptions: []`
  check('CUS-01', async () => {
    const body = { name: 'Contract bare' };
    const made = await useUp('customer', () => api('createCustomer', { body }, 201));

    expect(made.id).toMatch(/^cust_/);
    expect(made.subscriptions).toEqual([]);
  });

  // CUS-02: no name, or e-mail without @ → rejected
  check('CUS-02', async () => {
    await refused('createCustomer', { body: { external_id: unique('customer') } });
    await refused('createCustomer', { body: { name: 'Contract', email: 'nobody' } });
  });

  // CUS-03: duplicate external_id → rejected, only one customer found (unique)
  check('CUS-03', async () => {
    const { id, external_id } = await aCustomer();
    await refused('createCustomer', { body: { name: 'Contract double', external_id } });
    const { headers } = await call('listCustomers', { query: { external_id } }, [303]);

    expect(String(headers['location'])).toContain(id);
  });

  // CUS-17: create with external_id, email and metadata → detail shows all, summary the first two
  check('CUS-17', async () => {
    const given = {
      external_id: unique('customer'),
      email: `${unique('mail')}@example.com`,
      metadata: { ...runMark(), region: 'eu' },
    };
    const customer = await aFreshCustomer(given);
    const [summary] = await listed({ email: given.email });

    expect(await detailOf(customer)).toMatchObject(given);
    expect(summary).toMatchObject({ external_id: given.external_id, email: given.email });
  });

  // CUS-18: external account without provider, and without provider_id → rejected
  check('CUS-18', async () => {
    const refuse = (account: object) =>
      refused('createCustomer', { body: { name: 'Contract', external_accounts: [account] } });
    await refuse({ provider_id: 'cus_1' });
    await refuse({ provider: 'stripe' });
  });
});

describe('listCustomers', () => {
  // CUS-04: external_id with a match → 303, no body, Location resolves to that customer
  check('CUS-04', async () => {
    const { id, external_id } = await aCustomer();
    const { headers, text } = await call('listCustomers', { query: { external_id } }, [303]);
    const { pathname } = new URL(String(headers['location']), 'http://relative.invalid');

    expect(text).toBe('');
    expect(pathname.endsWith(`/customers/${id}`)).toBe(true);
  });

  // CUS-05: external_id without match → 404, not an empty list
  check('CUS-05', async () => {
    const { text } = await call(
      'listCustomers',
      { query: { external_id: unique('nobody') } },
      [404],
    );

    expect(text).toBe('');
  });

  // CUS-06: e-mail with no match → 200 empty page; with match → only exact e-mails
  check('CUS-06', async () => {
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
  });

  // CUS-07: list item has id, name, active_subscription_count ≥ 0
  check('CUS-07', async () => {
    const { id } = await aCustomer();
    const items = await listed({ customer_id: id });

    expect(items).toHaveLength(1);
    for (const item of items) {
      expect(item).toMatchObject({ id, name: expect.any(String) });
      expect(item.active_subscription_count).toBeGreaterThanOrEqual(0);
      expect(Number.isInteger(item.active_subscription_count)).toBe(true);
    }
  });

  // CUS-09: status=active lists only count ≥ 1, inactive only 0
  check('CUS-09', async () => {
    const { customer } = await aSubscriber();
    const active = await listed({ status: 'active' });
    const inactive = await listed({ status: 'inactive' });

    expect(active.every((item) => item.active_subscription_count >= 1)).toBe(true);
    expect(inactive.every((item) => item.active_subscription_count === 0)).toBe(true);
    expect(await listed({ status: 'active', customer_id: customer.id })).toHaveLength(1);
  });

  // CUS-10: customer_id filter → that one; name filter → whether it matches exactly or by part is recorded
  check('CUS-10', async (t) => {
    const customer = await aCustomer();
    await aCustomer('other');
    const byId = await listed({ customer_id: customer.id });
    const exact = await listed({ customer_id: customer.id, name: customer.name });
    const part = await listed({ customer_id: customer.id, name: customer.name.slice(1, 5) });
    t.observe('name filter', part.length === 1 ? 'substring' : 'exact');

    expect(byId.map(({ id }) => id)).toEqual([customer.id]);
    expect(exact.map(({ id }) => id)).toEqual([customer.id]);
  });

  // CUS-19: two filters that match different customers → empty page
  check('CUS-19', async () => {
    const [one, other] = [await aCustomer(), await aCustomer('other')];
    const query = { customer_id: one.id, name: unique('nobody') };

    expect(one.id).not.toBe(other.id);
    expect(await listed(query)).toEqual([]);
  });
});

describe('getCustomer', () => {
  // CUS-08: detail has created_at; external accounts show provider and provider_id
  check('CUS-08', async () => {
    const external_accounts = [{ provider: 'stripe', provider_id: unique('payer') }];
    const customer = await aFreshCustomer({ external_accounts });
    const shown = await detailOf(customer);

    expect(Date.parse(shown.created_at)).not.toBeNaN();
    expect(Array.isArray(shown.subscriptions)).toBe(true);
    expect(shown.external_accounts).toEqual(external_accounts);
    await api('getCustomer', { path: { customerId: unknownId('cust') } }, 404);
  });
});

describe('updateCustomer', () => {
  // CUS-11: PATCH unknown customer → 404; PATCH malformed → 400
  check('CUS-11', async () => {
    const { id } = await aCustomer();
    const body = { name: 'Contract nobody' };
    await call('updateCustomer', { path: { customerId: unknownId('cust') }, body }, [404]);
    await call('updateCustomer', { path: { customerId: id }, raw: '{"name": ' }, [400]);
    await call('updateCustomer', { path: { customerId: id }, body: { name: 42 } }, [422]);
  });

  // CUS-12: PATCH {name} → 204 empty and GET shows it (body not shown)
  check('CUS-12', async () => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    const { text } = await call(
      'updateCustomer',
      { path, body: { name: 'Contract renamed' } },
      [204],
    );

    expect(text).toBe('');
    expect(await detailOf(customer)).toMatchObject({ name: 'Contract renamed' });
  });

  // CUS-20: PATCH with null → the field is cleared
  check('CUS-20', async () => {
    const customer = await aFreshCustomer({ email: `${unique('mail')}@example.com` });
    const path = { customerId: customer.id };
    await call('updateCustomer', { path, body: { email: null, metadata: null } }, [204]);
    const shown = await detailOf(customer);

    expect([shown.email ?? null, shown.metadata ?? null]).toEqual([null, null]);
  });
});
