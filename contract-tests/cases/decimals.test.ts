import {
  adjustment,
  aFreshAsset,
  aFreshCustomer,
  amount,
  anAdjustment,
  api,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  refused,
  uniqueSubject,
  useUp,
} from '../kit/index.ts';
import { type Schedule, scheduleOf } from './shared/assets.ts';
import { aPayer, price, stored } from './shared/events.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { request } from './shared/top-ups.ts';
import { balance, charge } from './shared/wallets.ts';

describe('asset decimals', () => {
  check(
    'WAL-51',
    { requirement: 'R-WAL-59', level: 'ASSUMED', effect: 'E4', assumes: 'A-304' },
    'credit, charge, entitlement and top-up with as many decimals as the asset has → accepted, exact; with one more → rejected, nothing posted',
    async () => {
      for (const [precision, within, beyond] of [
        [0, 3, 3.5],
        [2, 0.25, 0.125],
      ] as const) {
        const { code } = await aFreshAsset({ precision, rates: [{ source: 'USD', rate: 1 }] });
        const customer = await aFreshCustomer();
        const path = { customerId: customer.id };
        const sold = (amount: number) => ({
          ...{ name: 'Contract', code: uniqueSubject().replaceAll(':', '-') },
          entitlements: [{ ...ENTITLEMENT, asset: code, amount }],
        });
        for (const [operation, body] of [
          ['adjustWallet', (amount: number) => adjustment({ asset: code, amount })],
          ['chargeWallet', (amount: number) => charge({ asset: code, amount })],
          ['createProduct', sold],
        ] as const) {
          const parts = operation === 'createProduct' ? {} : { path };
          await refused(operation, { ...parts, body: body(beyond) });
          await useUp('decimals', () => call(operation, { ...parts, body: body(within) }, [201]));
        }
        await anAdjustment(customer, { asset: code, amount: within });
        expect(String(await balance(customer, `default:${code}`))).toBe(String(within));
      }
      const customer = await aFreshCustomer();
      await refused('createTopUp', { body: request(customer, { amount: 1.005 }) });
      await refused('createTopUp', { body: request(customer, { amount: 1.5, currency: 'JPY' }) });
    },
  );

  check(
    'EVT-66',
    { requirement: 'R-WAL-59', level: 'ASSUMED', effect: 'E4', assumes: 'A-304' },
    'volume fees and charges by parts in assets of no, two and ten decimals, some of them halves → rounded once to the even neighbour, and the balance falls by what is shown',
    async () => {
      for (const [precision, rate, volumes, fees] of [
        [0, 0.5, [1, 2, 3, 5, 5.1], [0, 1, 2, 2, 3]],
        [2, 0.005, [1, 2, 3, 5, 5.1], [0, 0.01, 0.02, 0.02, 0.03]],
        [10, 0.005, [1, 2, 3, 5, 5.1], [0.005, 0.01, 0.015, 0.025, 0.0255]],
      ] as const) {
        const { code } = await aFreshAsset({ precision });
        const { customer, eventType } = await aPayer((type) => [
          {
            ...price(type, 'volume', []),
            pricing: [{ asset: code, values: [{ volume_rate: rate }] }],
          },
        ]);
        const path = { customerId: customer.id };
        const shown: number[][] = [];
        for (const volume of volumes) {
          const { id } = await aUsageEvent(customer, eventType, { data: { tokens: volume } });
          const parts = { asset: code, amount: undefined, input_volume: volume, volume_rate: rate };
          const taken = charge(parts);
          await api('chargeWallet', { path, body: taken }, 201);
          const of = { ...path, transactionId: taken.transaction_id };
          const { amount } = await api('getWalletTransaction', { path: of }, 200);
          shown.push([(await stored(id)).fees[0]?.amount ?? -1, 0 - amount]);
        }
        const sum = fees.reduce<number>((all, fee) => all + Math.round(fee * 1e4), 0);

        expect(shown).toEqual(fees.map((fee) => [fee, fee]));
        expect(String(await balance(customer, `default:${code}`))).toBe(String((-2 * sum) / 1e4));
      }
    },
  );

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
