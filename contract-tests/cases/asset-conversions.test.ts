import {
  aFreshAsset,
  amount,
  anAsset,
  anOwnWorld,
  assuming,
  call,
  check,
  describe,
  expect,
  lexeme,
  now,
  refused,
} from '../kit/index.ts';
import { body, quoteOf, type Schedule, scheduleOf } from './shared/assets.ts';
import { DAY_MS } from './shared/times.ts';

/** Rates in USD, each with its inverse rate to twelve digits. */
const INVERSES: Readonly<Record<string, string>> = {
  3: '0.333333333333',
  6: '0.166666666667',
  7: '0.142857142857',
  8: '0.125',
  0.07: '14.2857142857',
  0.0003: '3333.33333333',
  12345.6789: '0.0000810000007371',
  0.9: '1.11111111111',
};

const NOT_POSITIVE = [0, -1, -0.0000000001];

describe('rates and inverse rates', () => {
  check(
    'AST-29',
    { requirement: ['R-AST-15', 'R-AST-21'], level: 'IMPLIED', effect: 'E3' },
    'rates without a finite inverse, and one with → the rate as set, and the same inverse to twelve digits, in the schedule and in a quote',
    async () => {
      for (const [rate, inverse] of Object.entries(INVERSES)) {
        const { code } = await aFreshAsset({
          precision: 10,
          rates: [{ source: 'USD', rate: Number(rate) }],
        });
        const period = (await scheduleOf(code))[0] as Schedule[number];
        const quoted = await quoteOf(code, 1);
        const shown = [amount(period, 'inverse_rate'), amount(quoted, 'inverse_rate')] as const;

        expect([lexeme(period, 'rate'), lexeme(quoted, 'rate')], rate).toEqual([rate, rate]);
        expect(String(shown[1]), rate).toBe(String(shown[0]));
        expect(shown[0].times(rate).minus(1).compare('0.000001'), rate).toBe(-1);
        expect(shown[0].times(rate).minus(1).compare('-0.000001'), rate).toBe(1);
        await assuming('A-304', async () =>
          expect(lexeme(quoted, 'inverse_rate'), rate).toBe(inverse),
        );
      }
    },
  );

  check(
    'AST-30',
    { requirement: 'R-AST-35', level: 'ASSUMED', effect: 'E3', assumes: 'A-402' },
    'starting rate given by its inverse alone, with a rate that agrees or does not, or with neither → calculated exactly from what was given, or rejected',
    async () => {
      const made = async (rate: object) =>
        aFreshAsset({ precision: 10, rates: [{ source: 'USD', ...rate }] } as never);
      const inverse = await made({ inverse_rate: 3 });
      const [period] = await scheduleOf(inverse.code);
      const both = await made({ rate: 8, inverse_rate: 0.125 });
      const third = await made({ rate: 3, inverse_rate: 0.333333333333 });
      const refuse = (rate: object) =>
        refused('createAsset', { body: body({ rates: [{ source: 'USD', ...rate }] }) });

      expect([period?.rate, period?.inverse_rate]).toEqual([0.333333333333, 3]);
      // 1,000,000 at 1/3 is exactly 3,000,000: the rounding of the shown rate does not matter.
      expect((await quoteOf(inverse.code, 1_000_000)).destination_amount).toBe(3_000_000);
      expect((await quoteOf(both.code, 4)).destination_amount).toBe(0.5);
      expect((await quoteOf(third.code, 3_000_000)).destination_amount).toBe(1_000_000);
      await refuse({ rate: 8, inverse_rate: 0.126 });
      await refuse({ rate: 3, inverse_rate: 0.33333333 });
      await refuse({});
    },
  );

  check(
    'AST-31',
    { requirement: ['R-AST-22', 'R-AST-23', 'R-AST-24'], level: 'IMPLIED', effect: 'E3' },
    "quotes in two sources at three precisions → the amount as sent, divided by the rate of its own source, and rounded once to the asset's last decimal",
    async () => {
      for (const [precision, inUsd, inEur] of [
        [0, '333', '400'],
        [2, '333.33', '400'],
        [10, '333.3333333333', '400'],
      ] as const) {
        const rates = [
          { source: 'USD', rate: 3 },
          { source: 'EUR', rate: 2.5 },
        ];
        const { code } = await aFreshAsset({ precision, rates });
        const [usd, eur] = [await quoteOf(code, 1000), await quoteOf(code, 1000, 'EUR')];

        expect(usd).toMatchObject({
          source: 'USD',
          source_amount: 1000,
          destination: code,
          rate: 3,
        });
        expect(eur).toMatchObject({ source: 'EUR', source_amount: 1000, rate: 2.5 });
        expect(lexeme(usd, 'destination_amount')).toBe(inUsd);
        expect(lexeme(eur, 'destination_amount')).toBe(inEur);
        expect((await quoteOf(code, 900_000)).destination_amount).toBe(300_000);
      }
    },
  );

  check(
    'AST-32',
    { requirement: 'R-AST-40', level: 'ASSUMED', effect: 'E1', assumes: 'A-404' },
    'quotes of amounts of 0 and below → rejected',
    async () => {
      const { code } = await anAsset();
      for (const sum of NOT_POSITIVE) {
        const quote = { path: { assetCode: code }, body: { source: 'USD', amount: sum } };
        await call('quoteAsset', quote, [422]);
      }
    },
  );

  check(
    'AST-51',
    {
      requirement: ['R-AST-37', 'R-AST-40'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: 'A-404',
      needs: 'clock.movable',
    },
    'currencies of no, two, three and four decimals quoted in themselves, now, in the past and in the future, with rates of others, created as assets, and for a connected account → each amount above 0 unchanged at a rate of 1; in each other → the amount is money in the source, at the rate of that direction alone',
    async (t) => {
      const call = anOwnWorld(t);
      const { id: actingFor } = await call('createConnectedAccount', { body: { name: 'Shop' } });
      const quoted = (assetCode: string, body: object, of: object = {}) =>
        call('quoteAsset', { path: { assetCode }, body, ...of });
      const expectItself = async () => {
        for (const code of ['EUR', 'USD', 'JPY', 'KWD', 'CLF'])
          for (const sum of [12.5, 0.0000000001, 1234567.87654321])
            for (const time of [
              {},
              { exchange_at: now(-400 * DAY_MS) },
              { exchange_at: now(DAY_MS) },
            ])
              for (const of of [{}, { actingFor }])
                expect(await quoted(code, { source: code, amount: sum, ...time }, of)).toEqual({
                  ...{ source: code, source_amount: sum, rate: 1, inverse_rate: 1 },
                  ...{ destination: code, destination_amount: sum },
                });
        for (const amount of NOT_POSITIVE) {
          const quote = { path: { assetCode: 'EUR' }, body: { source: 'EUR', amount } };
          await call('quoteAsset', quote, [422]);
        }
      };

      await expectItself();
      for (const [assetCode, source, rate] of [
        ['EUR', 'USD', 1.25],
        ['JPY', 'USD', 0.008],
        ['JPY', 'EUR', 0.01],
      ] as const)
        await call('setAssetRate', { path: { assetCode }, body: { source, rate } });
      const rates = [{ source: 'JPY', rate: 320 }];
      await call('createAsset', { body: { code: 'KWD', name: 'Dinar', rates } });
      await call('createAsset', { body: { code: 'JPY', name: 'Yen' } });
      await expectItself();
      for (const [code, source, sum, bought] of [
        ['EUR', 'USD', 10.123455, 8.098764],
        ['JPY', 'USD', 0.0042, 0.525],
        ['JPY', 'EUR', 7.5, 750],
        ['KWD', 'JPY', 0.8, 0.0025],
      ] as const)
        expect(await quoted(code, { source, amount: sum })).toMatchObject({
          ...{ source, source_amount: sum, destination: code, destination_amount: bought },
        });
      for (const [assetCode, source] of [
        ['USD', 'EUR'],
        ['EUR', 'JPY'],
      ] as const)
        await call('quoteAsset', { path: { assetCode }, body: { source, amount: 1 } }, [422]);
    },
  );
});
