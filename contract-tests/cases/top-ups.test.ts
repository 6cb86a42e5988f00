import {
  aCustomer,
  aFreshCustomer,
  amount,
  anAsset,
  api,
  check,
  describe,
  expect,
  ODD_ADDRESSES,
  refused,
  table,
} from '../kit/index.ts';
import { initiate, pageAt, request } from './shared/top-ups.ts';

describe('createTopUp and getTopUp', () => {
  const texts = { description: 'Contract', metadata: { 'a key': 'ünï ✨' } };

  table<object>(
    'TOP-01',
    {
      requirement: [
        ...['R-CONV-10', 'R-TOP-02', 'R-TOP-03', 'R-TOP-04', 'R-TOP-06', 'R-TOP-07', 'R-TOP-08'],
        ...['R-TOP-09', 'R-TOP-11', 'R-TOP-12'],
      ],
      level: 'MUST',
      effect: 'E4',
    },
    'create → 201, `top_` id, status initiated, absolute redirect_url, expires_at later than created_at; GET shows the same customer, amount, currency, status, destination',
    {
      'the required fields': {},
      'every field': { ...texts, destination: { account_name: 'bonus', asset: 'USD' } },
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
      expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.parse(made.created_at));
      expect(shown).toMatchObject({
        ...{ id: made.id, customer_id: customer.id, status: made.status },
        ...{ amount: 12.5, currency: 'USD' },
        ...('destination' in fields && { destination: fields.destination }),
      });
    },
  );

  table<object>(
    'TOP-02',
    { requirement: ['R-TOP-01', 'R-TOP-02'], level: 'MUST', effect: 'E1' },
    'each of five required fields missing in turn → rejected',
    Object.fromEntries(
      ['customer_id', 'amount', 'currency', 'return_url', 'failure_url'].map((field) => [
        field,
        { [field]: undefined },
      ]),
    ),
    async (changes) => {
      await refused('createTopUp', { body: request(await aCustomer(), changes) });
    },
  );

  table<object>(
    'TOP-14',
    { requirement: 'R-TOP-17', level: 'ASSUMED', effect: 'E1', assumes: 'A-1101' },
    'amount 0 or below, unknown currency → rejected',
    {
      'amount 0': { amount: 0 },
      'amount below 0': { amount: -1 },
      'unknown currency': { currency: 'ABCDE' },
    },
    async (changes) => {
      await refused('createTopUp', { body: request(await aCustomer(), changes) });
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

  /** Currencies with these decimals, an amount that has as many, and amounts with more. */
  interface Decimals {
    readonly currencies: readonly string[];
    readonly sent?: number;
    readonly beyond?: readonly number[];
  }

  table<Decimals>(
    'TOP-30',
    { requirement: 'R-WAL-59', level: 'ASSUMED', effect: 'E4', assumes: 'A-304' },
    'amounts with as many decimals as the currency has → shown as sent; one more → rejected, also for another asset',
    {
      none: { currencies: ['JPY', 'KRW', 'ISK', 'CLP'], sent: 1234, beyond: [0.5, 12.25] },
      two: { currencies: ['EUR', 'GBP', 'MRU', 'UYU'], sent: 1.15, beyond: [0.005, 1.234] },
      three: { currencies: ['KWD', 'TND'], sent: 5.075, beyond: [0.0005, 1.2345] },
      four: { currencies: ['CLF', 'UYW'], sent: 1.2345, beyond: [0.00005, 1.23456] },
      // ISO 4217 gives these no minor unit; they have the decimals that the asset shows.
      'those of the asset': { currencies: ['XAU', 'XDR'] },
    },
    async ({ currencies, ...row }) => {
      const [customer, { code: asset }] = [await aFreshCustomer(), await anAsset()];
      const path = { assetCode: currencies[0] as string };
      const { precision } = await api('getAsset', { path }, 200);
      const { sent = Number(`15e-${precision}`), beyond = [Number(`15e-${precision + 1}`)] } = row;
      for (const currency of currencies) {
        const { id } = await initiate(customer, { currency, amount: sent });
        const shown = await api('getTopUp', { path: { topUpId: id } }, 200);
        expect(Number(String(amount(shown, 'amount'))), currency).toBe(sent);
        expect(shown.currency).toBe(currency);
        for (const more of beyond)
          await refused('createTopUp', { body: request(customer, { currency, amount: more }) });
      }
      const destination = { asset, exchange_rate: 0.001 };
      const other = { currency: currencies[0], amount: beyond[0], destination };
      await refused('createTopUp', { body: request(customer, other) });
    },
  );
});
