import {
  ADDRESSES,
  aCustomer,
  aCustomerWorld,
  aFreshAsset,
  aFreshCustomer,
  anAdjustment,
  api,
  assuming,
  check,
  completePaymentPage,
  eventually,
  expect,
  leadsTo,
  ODD_ADDRESSES,
  table,
  turnOnAutoTopUp,
} from '../kit/index.ts';
import { balance, charged, initiate, pageAt } from './shared/wallets.ts';

const texts = { description: 'Contract', metadata: { 'a key': 'ünï ✨' } };

table<object>(
  'TOP-01',
  {
    requirement:
      'R-CONV-10 R-TOP-02 R-TOP-03 R-TOP-04 R-TOP-06 R-TOP-07 R-TOP-08 R-TOP-09 R-TOP-11 R-TOP-12 R-TOP-16',
    effect: 'E4',
    partly: 'A-1103',
  },
  'a top-up → 201, `top_` id, status initiated, absolute redirect_url, expires_at later than created_at; by id the same customer, amount, currency, status and destination; the link is an HTML page',
  {
    'the required fields': {},
    'every field': { ...texts, destination: { account_name: 'bonus', asset: 'USD' } },
    'an account alone': { destination: { account_name: 'bonus' } },
    ...Object.fromEntries(
      ODD_ADDRESSES.map((addresses, index) => [`odd URLs, ${index + 1}`, addresses]),
    ),
  },
  async (fields) => {
    const customer = await aCustomer();
    const made = await initiate(customer, fields);
    const shown = await api('getTopUp', { path: { topUpId: made.id } }, 200);

    expect(made.id).toMatch(/^top_/);
    expect(made.status).toBe('initiated');
    expect(URL.canParse(made.redirect_url), made.redirect_url).toBe(true);
    await assuming('A-1103', async () =>
      expect(await pageAt(made.redirect_url)).toMatchObject({
        status: 200,
        type: expect.stringMatching(/^text\/html/),
      }),
    );
    expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(made.created_at));
    expect(shown).toMatchObject({
      id: made.id,
      customer_id: customer.id,
      status: made.status,
      amount: 12.5,
      currency: 'USD',
      ...('destination' in fields && { destination: fields.destination }),
    });
  },
);

table<readonly [currency: string, sent: number]>(
  'TOP-10',
  {
    requirement: 'R-TOP-05 R-TOP-10 R-TOP-14 R-WAL-53 R-WAL-59',
    effect: 'E4',
    partly: 'A-304 A-710 A-1101',
    needs: 'payment.completable',
  },
  'without destination, unpaid → balance, pending_in and pending_out as before; paid → succeeded, and the default account in the currency rises by the amount, to its last decimal; declined → failed, and can still be paid',
  {
    'four decimals': ['CLF', 1.2345],
    two: ['USD', 12.5],
    none: ['JPY', 1234],
  },
  async ([currency, sent]) => {
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { asset: currency });
    const path = { customerId: customer.id, accountId: `default:${currency}` };
    const held = async () => {
      const { available, pending_in, pending_out } = await api('getWalletAccount', { path }, 200);
      return [available, pending_in, pending_out];
    };
    for (const [outcome, status] of [
      ['paid', 'succeeded'],
      ['declined', 'failed'],
    ] as const) {
      const before = await held();
      const { id, redirect_url } = await initiate(customer, { currency, amount: sent });
      expect(await held(), 'while it is unpaid').toEqual(before);
      await completePaymentPage(redirect_url, outcome);
      expect((await api('getTopUp', { path: { topUpId: id } }, 200)).status).toBe(status);
      expect(await held(), outcome).toEqual([10 + sent, 0, 0]);
      if (outcome === 'paid') continue;
      await completePaymentPage(redirect_url, 'paid');
      expect((await api('getTopUp', { path: { topUpId: id } }, 200)).status).toBe('succeeded');
      expect((await held())[0], 'paid after it was declined').toBe(10 + 2 * sent);
    }
  },
);

check(
  'TOP-19',
  {
    requirement: 'R-TOP-02 R-TOP-18',
    effect: 'E4',
    assumes: 'A-1103',
    needs: 'payment.completable',
  },
  'a top-up paid, its link opened again, and another declined → leads to the return_url, or the failure_url, exactly as sent',
  async () => {
    const customer = await aFreshCustomer();
    for (const { return_url, failure_url } of ODD_ADDRESSES) {
      const { redirect_url } = await initiate(customer, { return_url, failure_url });
      const second = await initiate(customer, { return_url, failure_url });

      expect(await leadsTo(redirect_url, 'paid')).toBe(return_url);
      expect((await pageAt(redirect_url)).location).toBe(return_url);
      expect(await leadsTo(second.redirect_url, 'declined')).toBe(failure_url);
    }
  },
);

check(
  'TOP-21',
  { requirement: 'R-TOP-15', effect: 'E4', assumes: 'A-1102', needs: 'payment.completable' },
  "the asset's rate changed between creation and payment → credit at the rate at creation, rounded to the asset's decimal places; a rate given by its inverse → exact",
  async () => {
    const customer = await aFreshCustomer();
    const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 0.3 }] });
    const { id, redirect_url } = await initiate(customer, { destination: { asset: code } });
    const path = { assetCode: code };
    await api('setAssetRate', { path, body: { source: 'USD', rate: 5 } }, 204);
    const { destination } = await api('getTopUp', { path: { topUpId: id } }, 200);
    await completePaymentPage(redirect_url, 'paid');

    expect(destination).toMatchObject({ asset: code, exchange_rate: 0.3 });
    // 12.5 ÷ 0.3 = 41.666…
    expect(String(await balance(customer, `default:${code}`))).toBe('41.67');
    expect(String(await balance(customer))).toBe('0');
    // The rate is exactly 1/3, whatever digits of it are shown: 1,000 buy 3,000.
    const third = { precision: 10, rates: [{ source: 'USD', inverse_rate: 3 }] };
    const { code: exact } = await aFreshAsset(third);
    const bought = await initiate(customer, { amount: 1000, destination: { asset: exact } });
    await completePaymentPage(bought.redirect_url, 'paid');
    expect(String(await balance(customer, `default:${exact}`))).toBe('3000');
  },
);

check(
  'TOP-32',
  {
    requirement: 'R-LIM-15 R-TOP-18',
    effect: 'E4',
    assumes: 'A-1101 A-1103',
    needs: 'clock.movable',
  },
  'top-ups not paid, declined and pending → initiated, failed and pending until 24 hours have passed; then expired, failed, and succeeded with the credit, and each link leads to the URL that was sent; one whose payment began an hour later is pending for that hour too',
  async (t) => {
    const { call, path, until, topUp, settle } = await aCustomerWorld(t);
    const [ids, links]: [string[], string[]] = [[], []];
    for (const [index, outcome] of [undefined, 'failed', 'processing'].entries()) {
      const { id, expires_at, redirect_url } = await topUp(ODD_ADDRESSES[index]);
      expect(expires_at).toBe('2026-03-02T12:00:00.000Z');
      ids.push(id);
      links.push(redirect_url);
      if (outcome) await settle(id, outcome);
    }
    const { id: later } = await topUp();
    await until('2026-03-01T13:00:00.000Z');
    await settle(later, 'processing');
    const statuses = async () => {
      const found = [];
      for (const topUpId of ids) found.push((await call('getTopUp', { path: { topUpId } })).status);
      return found;
    };
    const available = async () =>
      (await call('getWallet', { path })).accounts.map((account: { available: number }) => [
        account.available,
      ]);

    expect(await statuses()).toEqual(['initiated', 'failed', 'pending']);
    await until('2026-03-02T11:59:59.999Z');
    expect(await statuses()).toEqual(['initiated', 'failed', 'pending']);
    await until('2026-03-02T12:00:00.000Z');
    expect(await statuses()).toEqual(['expired', 'failed', 'succeeded']);
    expect((await Promise.all(links.map(pageAt))).map(({ location }) => location)).toEqual([
      ODD_ADDRESSES[0].failure_url,
      ODD_ADDRESSES[1].failure_url,
      ODD_ADDRESSES[2].return_url,
    ]);
    await expect(settle(ids[1] as string)).rejects.toThrow('422');
    expect(await available()).toEqual([[20]]);
    await until('2026-03-02T12:59:59.999Z');
    expect(await available()).toEqual([[20]]);
    await until('2026-03-02T13:00:00.000Z');
    expect(await available()).toEqual([[40]]);
  },
);

check(
  'TOP-15',
  { requirement: 'R-POR-06', effect: 'E4', assumes: 'A-1106', needs: 'payment.completable' },
  'automatic top-up turned on in the portal → one payment when a charge takes the balance below the threshold, none when it is at the threshold',
  async () => {
    const customer = await aFreshCustomer();
    const { redirect_url } = await initiate(customer);
    await completePaymentPage(redirect_url, 'paid');
    const visit = { customer_id: customer.id, ...ADDRESSES };
    const portal = await api('createPortalSession', { body: visit }, 200);
    const terms = { threshold: '5', amount: '20', currency: 'USD' };
    await turnOnAutoTopUp(portal.redirect_url, terms);
    const expectLeft = async (taken: number, wanted: string) => {
      await charged(customer, { amount: taken });
      const left = await eventually(
        async () => String(await balance(customer)),
        (seen) => seen === wanted,
      );
      expect(left, `after a charge of ${taken}`).toBe(wanted);
    };

    // 12.5 - 7.5 is not below the threshold; 5 - 1 is, and causes one payment.
    await expectLeft(7.5, '5');
    await expectLeft(1, '24');
  },
);
