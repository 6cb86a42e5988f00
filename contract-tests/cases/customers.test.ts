import {
  aCustomer,
  aFreshCustomer,
  aFreshProduct,
  amount,
  api,
  aSubscriber,
  assuming,
  aUsageEvent,
  aVendor,
  type Body,
  call,
  check,
  describe,
  expect,
  isOurs,
  type OwnCustomer,
  Rational,
  refused,
  runMark,
  today,
  unique,
  unknownId,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';

type Summary = Body<'listCustomers', 200>['items'][number];

async function listed(query: object): Promise<Summary[]> {
  const whole = { limit: 1000, ...query };
  const { body } = await call('listCustomers', { query: whole }, [200]);
  return (body as Body<'listCustomers', 200>).items;
}

async function detail({ id }: Pick<OwnCustomer, 'id'>): Promise<Body<'getCustomer', 200>> {
  return api('getCustomer', { path: { customerId: id } }, 200);
}

async function statsIn(customer: OwnCustomer, query: object) {
  const { items } = await api('listCustomerStats', { query: { limit: 1000, ...query } }, 200);
  return items.find(({ id }) => id === customer.id)?.stats;
}

describe('createCustomer', () => {
  check('CUS-01', async () => {
    const body = { name: 'Contract bare' };
    const made = await useUp('customer', () => api('createCustomer', { body }, 201));

    expect(made.id).toMatch(/^cust_/);
    expect(made.subscriptions).toEqual([]);
  });

  check('CUS-02', async () => {
    await refused('createCustomer', { body: { external_id: unique('customer') } });
    await refused('createCustomer', { body: { name: 'Contract', email: 'nobody' } });
  });

  check('CUS-03', async () => {
    const { id, external_id } = await aCustomer();
    await refused('createCustomer', { body: { name: 'Contract double', external_id } });
    const { headers } = await call('listCustomers', { query: { external_id } }, [303]);

    expect(String(headers['location'])).toContain(id);
  });

  check('CUS-17', async () => {
    const given = {
      external_id: unique('customer'),
      email: `${unique('mail')}@example.com`,
      metadata: { ...runMark(), region: 'eu' },
    };
    const customer = await aFreshCustomer(given);
    const [summary] = await listed({ email: given.email });

    expect(await detail(customer)).toMatchObject(given);
    expect(summary).toMatchObject({ external_id: given.external_id, email: given.email });
  });

  check('CUS-18', async () => {
    const refuse = (account: object) =>
      refused('createCustomer', { body: { name: 'Contract', external_accounts: [account] } });
    await refuse({ provider_id: 'cus_1' });
    await refuse({ provider: 'stripe' });
  });
});

describe('listCustomers', () => {
  check('CUS-04', async () => {
    const { id, external_id } = await aCustomer();
    const { headers, text } = await call('listCustomers', { query: { external_id } }, [303]);
    const { pathname } = new URL(String(headers['location']), 'http://relative.invalid');

    expect(text).toBe('');
    expect(pathname.endsWith(`/customers/${id}`)).toBe(true);
  });

  check('CUS-05', async () => {
    const { text } = await call(
      'listCustomers',
      { query: { external_id: unique('nobody') } },
      [404],
    );

    expect(text).toBe('');
  });

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

  check('CUS-09', async () => {
    const { customer } = await aSubscriber();
    const active = await listed({ status: 'active' });
    const inactive = await listed({ status: 'inactive' });

    expect(active.every((item) => item.active_subscription_count >= 1)).toBe(true);
    expect(inactive.every((item) => item.active_subscription_count === 0)).toBe(true);
    expect(await listed({ status: 'active', customer_id: customer.id })).toHaveLength(1);
  });

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

  check('CUS-19', async () => {
    const [one, other] = [await aCustomer(), await aCustomer('other')];
    const query = { customer_id: one.id, name: unique('nobody') };

    expect(one.id).not.toBe(other.id);
    expect(await listed(query)).toEqual([]);
  });
});

describe('getCustomer', () => {
  check('CUS-08', async () => {
    const external_accounts = [{ provider: 'stripe', provider_id: unique('payer') }];
    const customer = await aFreshCustomer({ external_accounts });
    const shown = await detail(customer);

    expect(Date.parse(shown.created_at)).not.toBeNaN();
    expect(Array.isArray(shown.subscriptions)).toBe(true);
    expect(shown.external_accounts).toEqual(external_accounts);
    await api('getCustomer', { path: { customerId: unknownId('cust') } }, 404);
  });
});

describe('updateCustomer', () => {
  check('CUS-11', async () => {
    const { id } = await aCustomer();
    const body = { name: 'Contract nobody' };
    await call('updateCustomer', { path: { customerId: unknownId('cust') }, body }, [404]);
    await call('updateCustomer', { path: { customerId: id }, raw: '{"name": ' }, [400]);
    await call('updateCustomer', { path: { customerId: id }, body: { name: 42 } }, [422]);
  });

  check('CUS-12', async () => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    const { text } = await call(
      'updateCustomer',
      { path, body: { name: 'Contract renamed' } },
      [204],
    );

    expect(text).toBe('');
    expect(await detail(customer)).toMatchObject({ name: 'Contract renamed' });
  });

  check('CUS-20', async () => {
    const customer = await aFreshCustomer({ email: `${unique('mail')}@example.com` });
    const path = { customerId: customer.id };
    await call('updateCustomer', { path, body: { email: null, metadata: null } }, [204]);
    const shown = await detail(customer);

    expect([shown.email ?? null, shown.metadata ?? null]).toEqual([null, null]);
  });
});

describe('listCustomerStats', () => {
  check('CUS-13', async () => {
    const period = { period_from: today(-1), period_to: today() };
    const page = await api('listCustomerStats', { query: { ...period, limit: 1 } }, 200);

    expect(page).toMatchObject({ ...period, limit: 1, offset: 0 });
    expect(page.summary).toMatchObject({ currency: expect.any(String) });
    expect(page.items.length).toBeLessThanOrEqual(1);
    for (const item of page.items) expect(item.stats.gross_revenue).toBeTypeOf('number');
  });

  check('CUS-14', async () => {
    const { product } = await aSubscriber();
    const customer = await aFreshCustomer({
      subscriptions: [{ products: [{ id: product.id }] }],
    } as never);
    const at = (day: string) => ({ occurred_at: `${day}T00:00:00Z` });
    await aUsageEvent(customer, product.eventType, at(today(-1)));
    await aUsageEvent(customer, product.eventType, at(today()));
    const gross = async (from: number, to: number) =>
      (await statsIn(customer, { period_from: today(from), period_to: today(to) }))?.gross_revenue;

    // One event costs 0.25.
    expect(await gross(-2, -1)).toBe(0.25);
    expect(await gross(-1, 0)).toBe(0.5);
    expect(await gross(0, 0)).toBe(0.25);
  });

  check('CUS-21', async () => {
    const page = await api('listCustomerStats', { query: { limit: 1 } }, 200);

    expect([page.period_from, page.period_to]).toEqual([`${today().slice(0, 7)}-01`, today()]);
  });

  check('CUS-22', async () => {
    await aCustomer();
    await aCustomer('other');
    const all = await api('listCustomerStats', { query: { limit: 1000 } }, 200);
    const one = await api('listCustomerStats', { query: { limit: 1, offset: 1 } }, 200);
    const gross = all.items.map(({ stats }) => stats.gross_revenue);

    expect(gross).toEqual([...gross].sort((left, right) => right - left));
    expect(one.summary).toEqual(all.summary);
  });
});

describe('getCustomerStats', () => {
  check('CUS-15', async () => {
    const { id } = await aCustomer();
    const stats = await api('getCustomerStats', { path: { customerId: id } }, 200);

    for (const field of ['gross_revenue', 'total_costs', 'net_revenue', 'margin'] as const)
      expect(stats[field]).toBeTypeOf('number');
    expect(stats.currency).toMatch(/^[A-Z]{3}$/);
    await api('getCustomerStats', { path: { customerId: unknownId('cust') } }, 404);
  });

  check('CUS-16', async (t) => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    const vendor = await aVendor();
    const empty = await api('getCustomerStats', { path }, 200);
    t.observe('margin without revenue', empty.margin);

    const product = await aFreshProduct();
    await api('createSubscription', { path, body: { products: [{ id: product.id }] } }, 201);
    const cost = { id: uuid(), vendor_id: vendor.id, amount: 0.1 };
    const event = usageEvent(product.eventType, { costs: [cost] });
    await api(
      'submitEvents',
      { body: { customer_id: customer.id, events: [event] as never } },
      204,
    );
    const stats = await api('getCustomerStats', { path }, 200);
    const net = amount(stats, 'gross_revenue').minus(amount(stats, 'total_costs'));

    expect(amount(stats, 'net_revenue').compare(net)).toBe(0);
    expect(String(amount(stats, 'total_costs'))).toBe('0.1');
    const margin = net.over(amount(stats, 'gross_revenue'));
    const error = amount(stats, 'margin').minus(margin);
    expect(error.times(error).compare(Rational.of('1e-20'))).toBeLessThanOrEqual(0);
  });

  check('CUS-23', async (t) => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    const body = { transaction_id: uuid(), asset: 'USD', amount: 1.5 };
    await api('chargeWallet', { path, body }, 201);

    await assuming('A-903', t, async () => {
      expect(await api('getCustomerStats', { path }, 200)).toMatchObject({ gross_revenue: 1.5 });
    });
  });
});
