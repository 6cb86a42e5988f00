import {
  ADDRESSES,
  aCustomer,
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
  ODD_ADDRESSES,
  type OwnObject,
  turnOnAutoTopUp,
  unknownId,
  uuid,
} from '../kit/index.ts';
import { aCustomerWorld } from './shared/customer-world.ts';
import { MINUTE_MS } from './shared/times.ts';
import { initiate, pageAt } from './shared/top-ups.ts';

/** Description and metadata of top-ups: none, one, both and null. */
const TEXTS = [
  {},
  { description: 'Credit for "May" é ✨' },
  { metadata: { invoice: '17', 'a key': 'ünï ✨', empty: '' } },
  { description: 'Credit', metadata: { invoice: '18' } },
  { description: null, metadata: null },
];

describe('payment of a top-up', () => {
  const available = async (customer: OwnObject, accountId = 'default:USD') => {
    const { accounts } = await api('getWallet', { path: { customerId: customer.id } }, 200);
    const account = accounts.find(({ id }) => id === accountId);
    return account ? String(amount(account, 'available')) : '0';
  };
  const statusOf = async (id: string) =>
    (await api('getTopUp', { path: { topUpId: id } }, 200)).status;

  check(
    'TOP-10',
    {
      requirement: ['R-TOP-05', 'R-TOP-14'],
      level: 'MUST',
      effect: 'E4',
      assumes: 'A-1101',
      needs: 'payment.completable',
    },
    'without destination, paid → default account in the currency rises by the amount; paid → succeeded; declined → failed',
    async () => {
      const customer = await aFreshCustomer();
      const { id, redirect_url } = await initiate(customer);
      await completePaymentPage(redirect_url, 'paid');

      expect(await statusOf(id)).toBe('succeeded');
      expect(await available(customer)).toBe('12.5');

      const refusedOne = await initiate(customer);
      await completePaymentPage(refusedOne.redirect_url, 'declined');

      expect(await statusOf(refusedOne.id)).toBe('failed');
      expect(await available(customer)).toBe('12.5');
    },
  );

  check(
    'TOP-37',
    {
      requirement: ['R-CONV-18', 'R-TOP-03'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-709',
      needs: 'clock.movable',
    },
    "top-ups with a description, metadata, both and neither, paid at once and pending for a day → the transaction of each one's credit has those that were sent, and no others",
    async (t) => {
      for (const [outcome, paid_at] of [
        ['succeeded', '2026-03-01T12:00:00.000Z'],
        ['processing', '2026-03-02T12:00:00.000Z'],
      ] as const) {
        const { call, path, until } = await aCustomerWorld(t);
        for (const texts of TEXTS) {
          const bought = {
            customer_id: path.customerId,
            amount: 20,
            currency: 'USD',
            ...ADDRESSES,
          };
          const { id } = await call('createTopUp', { body: { ...bought, ...texts } });
          await call('settlePayment', { path: { id }, body: { outcome } });
        }
        await until('2026-03-03T00:00:00.000Z');
        const { items } = await call('listLedgerTransactions', { query: { source: 'top_up' } });
        const credited = [];
        for (const { id: transactionId } of items.reverse())
          credited.push(await call('getWalletTransaction', { path: { ...path, transactionId } }));

        expect(credited).toEqual(
          TEXTS.map((texts) => ({
            ...{ id: expect.any(String), type: 'adjustment', account_id: 'default:USD' },
            ...{ asset: 'USD', amount: 20, created_at: paid_at, executed_at: paid_at },
            ...(texts.description && { description: texts.description }),
            ...(texts.metadata && { metadata: texts.metadata }),
          })),
        );
      }
    },
  );

  check(
    'TOP-38',
    {
      requirement: 'R-WAL-53',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-704', 'A-710'],
      needs: 'clock.movable',
    },
    'beside credit of 3: top-ups unpaid, declined, and two that are pending until different times → no grant of theirs before the money arrives, then one grant each, of the amount of that top-up, from that time on',
    async (t) => {
      const { call, path, until, adjust } = await aCustomerWorld(t);
      const buy = async (amount: number, outcome?: string) => {
        const body = { customer_id: path.customerId, amount, currency: 'USD', ...ADDRESSES };
        const { id } = await call('createTopUp', { body });
        if (outcome) await call('settlePayment', { path: { id }, body: { outcome } });
      };
      const shown = async () => {
        const at = { path: { ...path, accountId: 'default:USD' } };
        const { available, pending_in } = await call('getWalletAccount', at);
        const { items, total_count } = await call('listGrants', at);
        const grants = items.map((item: Record<string, unknown>) => [
          item['available'],
          item['effective_at'],
        ]);
        return { available, pending_in, total_count, grants };
      };
      const [credit, first, second] = [
        [3, '2026-03-01T12:00:00.000Z'],
        [20, '2026-03-02T12:00:00.000Z'],
        [7, '2026-03-02T18:00:00.000Z'],
      ];
      const before = { available: 3, total_count: 1, grants: [credit] };
      await adjust({ amount: 3, reason: 'external_topup' });
      await buy(50);
      await buy(60, 'failed');
      expect(await shown()).toEqual({ ...before, pending_in: 0 });
      await buy(20, 'processing');
      expect(await shown()).toEqual({ ...before, pending_in: 20 });
      await until('2026-03-01T18:00:00.000Z');
      await buy(7, 'processing');
      expect(await shown()).toEqual({ ...before, pending_in: 27 });
      await until('2026-03-02T12:00:00.000Z');
      const arrived = { available: 23, pending_in: 7, total_count: 2, grants: [first, credit] };
      expect(await shown()).toEqual(arrived);
      await until('2026-03-03T12:00:00.000Z');
      const grants = [second, first, credit];
      expect(await shown()).toEqual({ available: 30, pending_in: 0, total_count: 3, grants });
    },
  );

  check(
    'TOP-15',
    {
      requirement: 'R-POR-06',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-1106',
      needs: 'payment.completable',
    },
    'automatic top-up turned on in the portal → one payment when a charge takes the balance below the threshold, none when it is at the threshold, and none for a charge while it stays below',
    async () => {
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

      // 12.5 - 7.5 is not below the threshold; 5 - 1 is, and causes one payment.
      await charge(7.5);
      expect(await settled('5')).toBe('5');
      await charge(1);
      expect(await settled('24')).toBe('24');
      // 24 - 50 falls below, and 20 are not enough: the next charge causes no payment.
      await charge(50);
      expect(await settled('-6')).toBe('-6');
      await charge(1);
      expect(await settled('-7')).toBe('-7');
    },
  );
});

describe('createPortalSession', () => {
  const session = (customer: OwnObject, changes: object = {}) => ({
    body: { customer_id: customer.id, ...ADDRESSES, ...changes },
  });

  check(
    'POR-01',
    { requirement: ['R-POR-01', 'R-POR-02', 'R-POR-03'], level: 'MUST', effect: 'E4' },
    'session, with URLs that have ports, paths, queries and fragments → 200 (not 201), redirect_url, expires_at in the future',
    async () => {
      const customer = await aCustomer();
      for (const addresses of [ADDRESSES, ...ODD_ADDRESSES]) {
        const made = await api('createPortalSession', session(customer, addresses), 200);

        expect(URL.canParse(made.redirect_url)).toBe(true);
        expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(now()));
      }
    },
  );

  check(
    'POR-03',
    { requirement: 'R-LIM-14', level: 'ASSUMED', effect: 'E4', assumes: 'A-1104' },
    'expires_at is 10 minutes after the request',
    async (t) => {
      const asked = Date.parse(now());
      const { expires_at } = await api('createPortalSession', session(await aCustomer()), 200);
      const lifetime = Date.parse(expires_at) - asked;
      t.observeSetting('portal_link_lifetime', `PT${Math.round(lifetime / MINUTE_MS)}M`);

      expect(Math.abs(lifetime - 10 * MINUTE_MS)).toBeLessThan(isOurs() ? 5_000 : 60_000);
    },
  );

  check(
    'POR-04',
    { requirement: 'R-POR-04', level: 'ASSUMED', effect: 'E4', assumes: 'A-1104' },
    'redirect_url returns an HTML page without a key',
    async () => {
      const { redirect_url } = await api('createPortalSession', session(await aCustomer()), 200);
      const { status, type } = await pageAt(redirect_url);

      expect([200, 303, 302]).toContain(status);
      if (status === 200) expect(type).toMatch(/^text\/html/);
    },
  );

  check(
    'POR-05',
    { requirement: 'R-POR-05', level: 'ASSUMED', effect: 'E1', assumes: 'A-201' },
    'session for an unknown customer → 422, 404 or 400',
    async (t) => {
      const body = { ...session(await aCustomer()).body, customer_id: unknownId('cust') };
      const { status } = await call('createPortalSession', { body }, [422, 404, 400]);
      t.observe('unknown customer', status);

      expect(status).toBe(422);
    },
  );
});
