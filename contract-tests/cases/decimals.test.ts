import {
  aFreshAsset,
  amount,
  api,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
} from '../kit/index.ts';
import { type Schedule, scheduleOf } from './shared/assets.ts';
import { aPayer, price, stored } from './shared/events.ts';

describe('asset decimals', () => {
  check(
    'AST-48',
    { requirement: 'R-AST-27', level: 'ASSUMED', effect: 'E3', assumes: ['A-303', 'A-902'] },
    'rates of ten decimals, of fifteen digits, very large, and each in exponent notation → accepted, shown exactly, and used exactly in quotes and in the revenue of a fee',
    async () => {
      for (const [sent, rate, paid, bought] of [
        ['0.00000025', '0.00000025', 1, '4000000'],
        ['2.5e-7', '0.00000025', 1, '4000000'],
        ['25E-8', '0.00000025', 0.75, '3000000'],
        ['1e-10', '0.0000000001', 0.5, '5000000000'],
        ['0.1234567891', '0.1234567891', 1234567891, '10000000000'],
        ['12345.6789012345', '12345.6789012345', 123456789012345, '10000000000'],
        ['123456789012.5', '123456789012.5', 246913578025, '2'],
        ['1.25e+12', '1250000000000', 2500000000000, '2'],
        ['999999999999999', '999999999999999', 999999999999999, '1'],
      ] as const) {
        const { code } = await aFreshAsset({ precision: 2 });
        const path = { assetCode: code };
        await call('setAssetRate', { path, raw: `{"source":"USD","rate":${sent}}` }, [204]);
        const [shown] = await scheduleOf(code);
        const quote = await api('quoteAsset', { path, body: { source: 'USD', amount: paid } }, 200);
        const { customer, eventType } = await aPayer((type) => [
          { ...price(type, 'unit', []), pricing: [{ asset: code, values: [{ unit_price: 1 }] }] },
        ]);
        const { id } = await aUsageEvent(customer, eventType);
        const { stats } = await stored(id);

        expect(
          [
            amount(shown as Schedule[number], 'rate'),
            amount(quote, 'rate'),
            amount(quote, 'destination_amount'),
            amount(stats as NonNullable<typeof stats>, 'gross_revenue'),
          ].map(String),
          sent,
        ).toEqual([rate, rate, bought, rate]);
      }
    },
  );
});
