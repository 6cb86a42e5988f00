import { aFreshAsset, amount, api, aUsageEvent, call, expect, table } from '../kit/index.ts';
import { type Schedule, scheduleOf } from './shared/assets.ts';
import { aPayer, price, stored } from './shared/events.ts';

/** A rate as it is sent, and as it is meant; what is paid, and how much of the asset that buys. */
type Rate = readonly [sent: string, rate: string, paid: number, bought: string];

table<Rate>(
  'AST-48',
  { requirement: 'R-AST-27', level: 'ASSUMED', effect: 'E3', assumes: ['A-303', 'A-902'] },
  'rates of ten decimals, of fifteen digits, very large, and each in exponent notation → accepted, shown exactly, and used exactly in quotes and in the revenue of a fee',
  {
    'a negative exponent': ['25E-8', '0.00000025', 0.75, '3000000'],
    'the tenth decimal': ['1e-10', '0.0000000001', 0.5, '5000000000'],
    'ten decimals': ['0.1234567891', '0.1234567891', 1234567891, '10000000000'],
    'fifteen digits': ['12345.6789012345', '12345.6789012345', 123456789012345, '10000000000'],
    'a positive exponent': ['1.25e+12', '1250000000000', 2500000000000, '2'],
    'fifteen nines': ['999999999999999', '999999999999999', 999999999999999, '1'],
  },
  async ([sent, rate, paid, bought]) => {
    const { code } = await aFreshAsset({ precision: 2 });
    const path = { assetCode: code };
    await call('setAssetRate', { path, raw: `{"source":"USD","rate":${sent}}` }, [204]);
    const [shown] = await scheduleOf(code);
    const quote = await api('quoteAsset', { path, body: { source: 'USD', amount: paid } }, 200);
    const { customer, eventType } = await aPayer((type) => [
      { ...price(type, 'unit', []), pricing: [{ asset: code, values: [{ unit_price: 1 }] }] },
    ]);
    const { stats } = await stored((await aUsageEvent(customer, eventType)).id);

    expect(String(amount(shown as Schedule[number], 'rate')), 'rate').toBe(rate);
    expect(String(amount(quote, 'rate')), 'rate of the quote').toBe(rate);
    expect(String(amount(quote, 'destination_amount')), 'destination_amount').toBe(bought);
    const { gross_revenue } = stats as NonNullable<typeof stats>;
    expect(gross_revenue, 'gross_revenue').toBe(Number(rate));
  },
);
