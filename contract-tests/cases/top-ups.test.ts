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
} from '../kit/index.ts';
import { omit } from './shared/fields.ts';
import { initiate, pageAt, request } from './shared/top-ups.ts';

describe('createTopUp', () => {
  check(
    'TOP-01',
    {
      requirement: ['R-CONV-10', 'R-TOP-02', 'R-TOP-06', 'R-TOP-09', 'R-TOP-11'],
      level: 'MUST',
      effect: 'E4',
    },
    'create, with URLs that have ports, paths, queries and fragments → 201, `top_` id, status initiated, absolute redirect_url, expires_at later than created_at',
    async () => {
      const customer = await aCustomer();
      for (const addresses of [ADDRESSES, ...ODD_ADDRESSES]) {
        const made = await initiate(customer, addresses);

        expect(made.id).toMatch(/^top_/);
        expect(made.status).toBe('initiated');
        expect(URL.canParse(made.redirect_url)).toBe(true);
        expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(made.created_at));
      }
    },
  );

  check(
    'TOP-02',
    { requirement: ['R-TOP-01', 'R-TOP-02'], level: 'MUST', effect: 'E1' },
    'each of five required fields missing in turn → rejected',
    async () => {
      const whole = request(await aCustomer());
      for (const field of ['customer_id', 'amount', 'currency', 'return_url', 'failure_url'])
        await refused('createTopUp', { body: omit(whole, field) });
    },
  );

  check(
    'TOP-14',
    { requirement: 'R-TOP-17', level: 'ASSUMED', effect: 'E1', assumes: 'A-1101' },
    'amount 0 or below, unknown currency → rejected',
    async () => {
      const customer = await aCustomer();
      for (const changes of [{ amount: 0 }, { amount: -1 }, { currency: 'ABCDE' }])
        await refused('createTopUp', { body: request(customer, changes) });
    },
  );

  check(
    'TOP-13',
    { requirement: 'R-TOP-16', level: 'ASSUMED', effect: 'E4', assumes: 'A-1103' },
    'redirect_url returns an HTML page without a key',
    async () => {
      const { redirect_url } = await initiate(await aCustomer());
      const { status, type } = await pageAt(redirect_url);

      expect(status).toBe(200);
      expect(type).toMatch(/^text\/html/);
    },
  );
});

describe('getTopUp', () => {
  check(
    'TOP-03',
    { requirement: ['R-TOP-07', 'R-TOP-12'], level: 'MUST', effect: 'E4' },
    'GET shows the same customer, amount, currency, status',
    async () => {
      const customer = await aCustomer();
      const { id, status } = await initiate(customer);

      expect(await api('getTopUp', { path: { topUpId: id } }, 200)).toMatchObject({
        id,
        customer_id: customer.id,
        amount: 12.5,
        currency: 'USD',
        status,
      });
    },
  );

  check(
    'TOP-09',
    { requirement: ['R-TOP-03', 'R-TOP-04', 'R-TOP-08'], level: 'MUST', effect: 'E4' },
    'description, metadata and destination accepted; GET shows the destination',
    async () => {
      const destination = { account_name: 'bonus', asset: 'USD' };
      const texts = { description: 'Contract', metadata: { ...runMark(), 'a key': 'ünï ✨' } };
      const made = await initiate(await aCustomer(), { ...texts, destination });
      const shown = await api('getTopUp', { path: { topUpId: made.id } }, 200);

      expect(shown.destination).toMatchObject(destination);
    },
  );
});

describe('wallet before a top-up is paid', () => {
  check(
    'TOP-04',
    { requirement: ['R-TOP-10', 'R-WAL-53'], level: 'IMPLIED', effect: 'E4', assumes: 'A-710' },
    'balance unchanged while initiated (payment flow); unpaid top-up → pending_in unchanged, pending_out 0',
    async () => {
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
    },
  );
});
