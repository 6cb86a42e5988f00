import {
  ADDRESSES,
  aCustomer,
  amount,
  api,
  call,
  check,
  describe,
  expect,
  ODD_ADDRESSES,
  refused,
  runMark,
  unknownId,
} from '../kit/index.ts';
import { omit } from './shared/fields.ts';
import { MINUTE_MS } from './shared/times.ts';
import { initiate, pageAt, request } from './shared/top-ups.ts';

describe('createTopUp', () => {
  // TOP-01: create, with URLs that have ports, paths, queries and fragments → 201, `top_` id, status initiated,
  // absolute redirect_url, expires_at later than created_at
  check('TOP-01', async () => {
    const customer = await aCustomer();
    for (const addresses of [ADDRESSES, ...ODD_ADDRESSES]) {
      const made = await initiate(customer, addresses);

      expect(made.id).toMatch(/^top_/);
      expect(made.status).toBe('initiated');
      expect(URL.canParse(made.redirect_url)).toBe(true);
      expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(made.created_at));
    }
  });

  // TOP-02: each of five required fields missing in turn → rejected
  check('TOP-02', async () => {
    const whole = request(await aCustomer());
    for (const field of ['customer_id', 'amount', 'currency', 'return_url', 'failure_url'])
      await refused('createTopUp', { body: omit(whole, field) });
  });

  // TOP-06: expires_at is 24 hours after created_at
  check('TOP-06', async (t) => {
    const { created_at, expires_at } = await initiate(await aCustomer());
    const minutes = (Date.parse(expires_at) - Date.parse(created_at)) / MINUTE_MS;
    t.observeSetting('top_up_link_lifetime', `PT${Math.round(minutes)}M`);

    expect(minutes).toBe(24 * 60);
  });

  // TOP-08: return_url or failure_url that is not a URI → rejected
  check('TOP-08', async () => {
    const customer = await aCustomer();
    await refused('createTopUp', { body: request(customer, { return_url: 'nowhere' }) });
    await refused('createTopUp', { body: request(customer, { failure_url: 'nowhere' }) });
  });

  // TOP-14: amount 0 or below, unknown currency → rejected
  check('TOP-14', async () => {
    const customer = await aCustomer();
    for (const changes of [{ amount: 0 }, { amount: -1 }, { currency: 'ABCDE' }])
      await refused('createTopUp', { body: request(customer, changes) });
  });

  // TOP-13: redirect_url returns an HTML page without a key
  check('TOP-13', async () => {
    const { redirect_url } = await initiate(await aCustomer());
    const { status, type } = await pageAt(redirect_url);

    expect(status).toBe(200);
    expect(type).toMatch(/^text\/html/);
  });
});

describe('getTopUp', () => {
  // TOP-03: GET shows the same customer, amount, currency, status
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

  // TOP-05: unknown → 404
  check('TOP-05', async () => {
    await api('getTopUp', { path: { topUpId: unknownId('top') } }, 404);
  });

  // TOP-09: description, metadata and destination accepted; GET shows the destination
  check('TOP-09', async () => {
    const destination = { account_name: 'bonus', asset: 'USD' };
    const texts = { description: 'Contract', metadata: { ...runMark(), 'a key': 'ünï ✨' } };
    const made = await initiate(await aCustomer(), { ...texts, destination });
    const shown = await api('getTopUp', { path: { topUpId: made.id } }, 200);

    expect(shown.destination).toMatchObject(destination);
  });
});

describe('wallet before a top-up is paid', () => {
  // TOP-04: balance unchanged while initiated (payment flow)
  // TOP-07: unpaid top-up → pending_in unchanged, pending_out 0
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
