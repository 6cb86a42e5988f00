import {
  aFreshCustomer,
  amount,
  api,
  check,
  completePaymentPage,
  describe,
  expect,
  refused,
} from '../kit/index.ts';
import { initiate, request } from './shared/top-ups.ts';
import { balance } from './shared/wallets.ts';

/** Valid amounts of a currency, and one with too many decimals. */
const CURRENCIES = [
  { currency: 'KWD', amounts: [1.234, 1.23, 0.001, 1234], beyond: 1.2345 },
  { currency: 'BHD', amounts: [5.075], beyond: 0.0001 },
  { currency: 'EUR', amounts: [1.23], beyond: 1.234 },
  { currency: 'JPY', amounts: [1234], beyond: 123.4 },
] as const;

describe('top-ups in currencies with no, two and three decimals', () => {
  // TOP-30: amounts with as many decimals as the currency has → shown as sent; one more → rejected
  check('TOP-30', async () => {
    const customer = await aFreshCustomer();
    for (const { currency, amounts, beyond } of CURRENCIES) {
      for (const sent of amounts) {
        const { id } = await initiate(customer, { currency, amount: sent });
        const shown = await api('getTopUp', { path: { topUpId: id } }, 200);
        expect([String(amount(shown, 'amount')), shown.currency]).toEqual([`${sent}`, currency]);
      }
      await refused('createTopUp', { body: request(customer, { currency, amount: beyond }) });
    }
  });

  // TOP-31: paid in currencies with three decimals and with none → the account of each has what was paid
  check('TOP-31', async () => {
    const customer = await aFreshCustomer();
    for (const [currency, sent] of [
      ['KWD', 1.234],
      ['JPY', 1234],
    ] as const) {
      const { redirect_url } = await initiate(customer, { currency, amount: sent });
      await completePaymentPage(redirect_url, 'paid');
      expect(String(await balance(customer, `default:${currency}`))).toBe(`${sent}`);
    }
  });
});
