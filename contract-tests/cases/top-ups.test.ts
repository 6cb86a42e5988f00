import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  amount,
  api,
  call,
  check,
  completePaymentPage,
  describe,
  eventually,
  expect,
  isOurs,
  now,
  type OwnCustomer,
  refused,
  runMark,
  turnOnAutoTopUp,
  unknownId,
  uuid,
} from '../kit/index.ts';

const ADDRESSES = {
  return_url: 'https://contract.invalid/paid',
  failure_url: 'https://contract.invalid/failed',
};

const request = (customer: OwnCustomer, changes: object = {}) => ({
  customer_id: customer.id,
  amount: 12.5,
  currency: 'USD',
  ...ADDRESSES,
  metadata: runMark(),
  ...changes,
});

async function initiate(customer: OwnCustomer, changes: object = {}) {
  return api('createTopUp', { body: request(customer, changes) as never }, 201);
}

/** A top-up body without one of its fields. */
function without(body: Readonly<Record<string, unknown>>, field: string): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}

/** What stands at a link that was answered, fetched as a browser would. */
async function pageAt(url: string): Promise<{ readonly status: number; readonly type: string }> {
  const response = await fetch(url, { headers: { Accept: 'text/html' }, redirect: 'manual' });
  await response.arrayBuffer();
  return { status: response.status, type: response.headers.get('content-type') ?? '' };
}

const MINUTE_MS = 60_000;

describe('createTopUp', () => {
  check('TOP-01', async () => {
    const made = await initiate(await aCustomer());

    expect(made.id).toMatch(/^top_/);
    expect(made.status).toBe('initiated');
    expect(URL.canParse(made.redirect_url)).toBe(true);
    expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(made.created_at));
  });

  check('TOP-02', async () => {
    const whole = request(await aCustomer());
    for (const field of ['customer_id', 'amount', 'currency', 'return_url', 'failure_url'])
      await refused('createTopUp', { body: without(whole, field) });
  });

  check('TOP-06', async (t) => {
    const { created_at, expires_at } = await initiate(await aCustomer());
    const minutes = (Date.parse(expires_at) - Date.parse(created_at)) / MINUTE_MS;
    t.observeSetting('top_up_link_lifetime', `PT${Math.round(minutes)}M`);

    expect(minutes).toBe(24 * 60);
  });

  check('TOP-08', async () => {
    const customer = await aCustomer();
    await refused('createTopUp', { body: request(customer, { return_url: 'nowhere' }) });
    await refused('createTopUp', { body: request(customer, { failure_url: 'nowhere' }) });
  });

  check('TOP-14', async () => {
    const customer = await aCustomer();
    for (const changes of [{ amount: 0 }, { amount: -1 }, { currency: 'ABCDE' }])
      await refused('createTopUp', { body: request(customer, changes) });
  });

  check('TOP-13', async () => {
    const { redirect_url } = await initiate(await aCustomer());
    const { status, type } = await pageAt(redirect_url);

    expect(status).toBe(200);
    expect(type).toMatch(/^text\/html/);
  });
});

describe('getTopUp', () => {
  check('TOP-03', async () => {
    const customer = await aCustomer();
    const { id, status } = await initiate(customer);

    expect(await api('getTopUp', { path: { topUpId: id } }, 200)).toMatchObject({
      id,
      customer_id: customer.id,
      amount: 12.5,
      currency: 'USD',
      status,
    });
  });

  check('TOP-05', async () => {
    await api('getTopUp', { path: { topUpId: unknownId('top') } }, 404);
  });

  check('TOP-09', async () => {
    const destination = { account_name: 'bonus', asset: 'USD' };
    const made = await initiate(await aCustomer(), { description: 'Contract', destination });
    const shown = await api('getTopUp', { path: { topUpId: made.id } }, 200);

    expect(shown.destination).toMatchObject(destination);
  });
});

describe('the wallet', () => {
  check(['TOP-04', 'TOP-07'], async () => {
    const customer = await aCustomer();
    await initiate(customer);
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const read = async () => (await call('getWalletAccount', { path }, [200])).body;
    const before = await read();
    await initiate(customer);
    const after = await read();

    for (const field of ['available', 'pending_in'] as const)
      expect(String(amount(after, field))).toBe(String(amount(before, field)));
    expect(String(amount(after, 'pending_out'))).toBe('0');
  });
});

describe('payment', () => {
  const available = async (customer: OwnCustomer, accountId = 'default:USD') => {
    const { accounts } = await api('getWallet', { path: { customerId: customer.id } }, 200);
    const account = accounts.find(({ id }) => id === accountId);
    return account ? String(amount(account, 'available')) : '0';
  };
  const statusOf = async (id: string) =>
    (await api('getTopUp', { path: { topUpId: id } }, 200)).status;

  check(['TOP-10', 'TOP-11'], async () => {
    const customer = await aFreshCustomer();
    const { id, redirect_url } = await initiate(customer);
    await completePaymentPage(redirect_url, 'paid');

    expect(await statusOf(id)).toBe('completed');
    expect(await available(customer)).toBe('12.5');

    const refusedOne = await initiate(customer);
    await completePaymentPage(refusedOne.redirect_url, 'declined');

    expect(await statusOf(refusedOne.id)).toBe('failed');
    expect(await available(customer)).toBe('12.5');
  });

  check('TOP-15', async () => {
    const customer = await aFreshCustomer();
    const { redirect_url } = await initiate(customer);
    await completePaymentPage(redirect_url, 'paid');
    const visit = { customer_id: customer.id, ...ADDRESSES };
    const portal = await api('createPortalSession', { body: visit }, 200);
    const terms = { threshold: '5', amount: '20', currency: 'USD' };
    await turnOnAutoTopUp(portal.redirect_url, terms);
    const path = { customerId: customer.id };
    const charge = (sum: number) =>
      api(
        'chargeWallet',
        { path, body: { transaction_id: uuid(), asset: 'USD', amount: sum } },
        201,
      );
    const settled = (wanted: string) =>
      eventually(
        () => available(customer),
        (seen) => seen === wanted,
      );

    // 12.5 - 7.5 is no less than the threshold; 5 - 1 is, and is paid for once.
    await charge(7.5);
    expect(await settled('5')).toBe('5');
    await charge(1);
    expect(await settled('24')).toBe('24');
    await charge(10);
    expect(await settled('14')).toBe('14');
  });

  check('TOP-12', async () => {
    const customer = await aFreshCustomer();
    const { code } = await aFreshAsset({ precision: 2 });
    const destination = { asset: code, exchange_rate: 0.05 };
    const { redirect_url } = await initiate(customer, { destination });
    await completePaymentPage(redirect_url, 'paid');

    // 12.5 ÷ 0.05.
    expect(await available(customer, `default:${code}`)).toBe('250');
  });
});

describe('createPortalSession', () => {
  const session = (customer: OwnCustomer, changes: object = {}) => ({
    body: { customer_id: customer.id, ...ADDRESSES, ...changes },
  });

  check('POR-01', async () => {
    const made = await api('createPortalSession', session(await aCustomer()), 200);

    expect(URL.canParse(made.redirect_url)).toBe(true);
    expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(now()));
  });

  check('POR-02', async () => {
    const whole = session(await aCustomer()).body;
    for (const field of Object.keys(whole))
      await refused('createPortalSession', { body: without(whole, field) });
    await refused('createPortalSession', { body: { ...whole, return_url: 'nowhere' } });
  });

  check('POR-03', async (t) => {
    const asked = Date.parse(now());
    const { expires_at } = await api('createPortalSession', session(await aCustomer()), 200);
    const lifetime = Date.parse(expires_at) - asked;
    t.observeSetting('portal_link_lifetime', `PT${Math.round(lifetime / MINUTE_MS)}M`);

    expect(Math.abs(lifetime - 10 * MINUTE_MS)).toBeLessThan(isOurs() ? 5_000 : 60_000);
  });

  check('POR-04', async () => {
    const { redirect_url } = await api('createPortalSession', session(await aCustomer()), 200);
    const { status, type } = await pageAt(redirect_url);

    expect([200, 303, 302]).toContain(status);
    if (status === 200) expect(type).toMatch(/^text\/html/);
  });

  check('POR-05', async (t) => {
    const body = { ...session(await aCustomer()).body, customer_id: unknownId('cust') };
    const { status } = await call('createPortalSession', { body }, [422, 404, 400]);
    t.observe('unknown customer', status);

    expect(status).toBe(422);
  });
});
