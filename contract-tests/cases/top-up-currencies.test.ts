import {
  aFreshCustomer,
  amount,
  anAsset,
  api,
  check,
  completePaymentPage,
  describe,
  expect,
  refused,
} from '../kit/index.ts';
import { initiate, request } from './shared/top-ups.ts';
import { balance } from './shared/wallets.ts';

/** Currencies by their decimals in ISO 4217, with amounts that have as many, and some with more. */
const CURRENCIES = [
  {
    codes: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    amounts: [1, 1234],
    beyond: [0.5, 123.4, 12.25],
  },
  {
    codes:
      'AED AFN ALL AMD ARS AUD BDT BRL CAD CHF CNY COP CRC CZK DKK EGP EUR GBP GHS HKD HUF IDR ILS INR IRR JMD ' +
      'KES KPW LAK LBP MGA MMK MRU MXN NGN NOK NZD PHP PKR PLN RON RSD SEK SGD SOS SYP THB TRY TWD UAH USD UYU ' +
      'UZS YER ZAR',
    amounts: [0.01, 0.1, 0.29, 1.15, 1234.56, 7],
    beyond: [0.001, 0.005, 1.234, 0.0001],
  },
  {
    codes: 'BHD IQD JOD KWD LYD OMR TND',
    amounts: [0.001, 1.001, 1.234, 1.23, 5.075, 1234],
    beyond: [0.0001, 0.0005, 1.2345],
  },
  {
    codes: 'CLF UYW',
    amounts: [0.0001, 0.0003, 1.2345, 1.23, 1234],
    beyond: [0.00001, 0.00005, 1.23456],
  },
] as const;

/** ISO 4217 gives these no minor unit; they have the decimals that the asset shows. */
const WITHOUT_MINOR_UNIT = ['XAG', 'XAU', 'XDR', 'XPD', 'XPT', 'XTS', 'XUA'];

async function decimalsShown(code: string) {
  const { precision } = await api('getAsset', { path: { assetCode: code } }, 200);
  const amountsOf = (places: number) => [Number(`1e-${places}`), Number(`15e-${places}`)];
  return { codes: code, amounts: amountsOf(precision), beyond: amountsOf(precision + 1) };
}

describe('top-ups in currencies with no to four decimals', () => {
  check(
    'TOP-30',
    { requirement: 'R-WAL-59', level: 'ASSUMED', effect: 'E4', assumes: 'A-304' },
    'amounts with as many decimals as the currency has → shown as sent; one more → rejected, also for another asset',
    async () => {
      const [customer, { code: asset }] = [await aFreshCustomer(), await anAsset()];
      const other = { destination: { asset, exchange_rate: 0.001 } };
      const others = await Promise.all(WITHOUT_MINOR_UNIT.map(decimalsShown));
      for (const { codes, amounts, beyond } of [...CURRENCIES, ...others])
        for (const currency of codes.split(' ')) {
          for (const sent of amounts) {
            const { id } = await initiate(customer, { currency, amount: sent });
            const shown = await api('getTopUp', { path: { topUpId: id } }, 200);
            expect([String(amount(shown, 'amount')), shown.currency]).toEqual([
              `${sent}`,
              currency,
            ]);
          }
          const ways = codes.startsWith(currency) ? [{}, other] : [{}];
          for (const way of beyond.flatMap((sent) => ways.map((one) => ({ ...one, amount: sent }))))
            await refused('createTopUp', { body: request(customer, { currency, ...way }) });
        }
    },
  );

  check(
    'TOP-31',
    {
      requirement: 'R-WAL-59',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-304',
      needs: 'payment.completable',
    },
    'paid in currencies with four decimals, three, two and none → the account of each has what was paid',
    async () => {
      const customer = await aFreshCustomer();
      for (const [currency, sent] of [
        ['CLF', 1.2345],
        ['KWD', 1.234],
        ['EUR', 1.15],
        ['JPY', 1234],
      ] as const) {
        const { redirect_url } = await initiate(customer, { currency, amount: sent });
        await completePaymentPage(redirect_url, 'paid');
        expect(String(await balance(customer, `default:${currency}`))).toBe(`${sent}`);
      }
    },
  );
});
