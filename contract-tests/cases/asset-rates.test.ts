import {
  aFreshAsset,
  amount,
  anAsset,
  api,
  assuming,
  call,
  check,
  describe,
  expect,
  now,
  type Rational,
  refused,
  uniqueAssetCode,
  useUp,
} from '../kit/index.ts';
import { assetOf, quoteOf, type Schedule, scheduleOf, setRate } from './shared/assets.ts';
import { DAY_MS } from './shared/times.ts';

/** Expects that a number differs from 0 by no more than a bound. */
function expectWithin(error: Rational, bound: string): void {
  expect(error.compare(bound), `${error} is more than ${bound}`).toBeLessThanOrEqual(0);
  expect(error.times(-1).compare(bound), `${error} is less than -${bound}`).toBeLessThanOrEqual(0);
}

describe('setAssetRate', () => {
  check(
    'AST-09',
    { requirement: ['R-AST-13', 'R-AST-14', 'R-AST-25', 'R-AST-29'], level: 'MUST', effect: 'E3' },
    'add rate → 204 empty; GET: newest first, the previous rate ends at the new valid_from',
    async () => {
      const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
      const valid_from = now(3_600_000);
      await setRate(code, { rate: 3, valid_from });
      const [newest, former] = await scheduleOf(code);

      expect([newest?.rate, former?.rate]).toEqual([3, 2]);
      expect(Date.parse(newest?.valid_from ?? '')).toBe(Date.parse(valid_from));
      expect(Date.parse(former?.valid_to ?? '')).toBe(Date.parse(valid_from));
    },
  );

  check(
    'AST-10',
    { requirement: 'R-AST-28', level: 'MUST', effect: 'E3' },
    "valid_from omitted → about now by the server's clock",
    async () => {
      const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
      await setRate(code, { rate: 3 });
      expect((await quoteOf(code, 10)).rate).toBe(3);
      const [period] = await scheduleOf(code);
      const distance = Math.abs(Date.parse(period?.valid_from ?? '') - Date.parse(now()));

      expect(distance).toBeLessThan(60_000);
    },
  );

  check(
    'AST-11',
    { requirement: 'R-AST-15', level: 'IMPLIED', effect: 'E3' },
    'rate × inverse_rate = 1 within stated decimals (definitions)',
    async () => {
      const { code } = await aFreshAsset();
      await setRate(code, { rate: 0.07 });
      const period = (await scheduleOf(code))[0] as Schedule[number];
      const product = amount(period, 'rate').times(amount(period, 'inverse_rate'));

      expectWithin(product.minus(1), '0.0000000001');
    },
  );

  check(
    'AST-12',
    { requirement: ['R-AST-26', 'R-AST-27'], level: 'MUST', effect: 'E1' },
    'rate without source, or without rate → rejected (both required)',
    async () => {
      const { code } = await anAsset();
      const path = { assetCode: code };
      const before = await scheduleOf(code);
      await refused('setAssetRate', { path, body: { rate: 2 } });
      await refused('setAssetRate', { path, body: { source: 'USD' } });

      expect(await scheduleOf(code)).toEqual(before);
    },
  );

  check(
    'AST-13',
    { requirement: 'R-AST-31', level: 'IMPLIED', effect: 'E1' },
    'source that is a custom asset → rejected (only currencies as source)',
    async () => {
      const { code } = await anAsset();
      await refused('setAssetRate', { path: { assetCode: code }, body: { source: code, rate: 2 } });
    },
  );

  check(
    'AST-16',
    { requirement: 'R-AST-32', level: 'IMPLIED', effect: 'E3' },
    "future-dated rate does not change today's quote (valid_from)",
    async () => {
      const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 0.5 }] });
      const quote = async () => (await quoteOf(code, 10)).rate;
      const before = await quote();
      await setRate(code, { rate: 5, valid_from: now(86_400_000) });

      expect([before, await quote()]).toEqual([0.5, 0.5]);
    },
  );

  check(
    'AST-21',
    { requirement: ['R-AST-30', 'R-AST-36'], level: 'MUST', effect: 'E3', assumes: 'A-403' },
    'rate with valid_to → GET shows it; valid_to not after valid_from → rejected',
    async () => {
      const { code } = await aFreshAsset();
      const [valid_from, valid_to] = [now(3_600_000), now(7_200_000)];
      await setRate(code, { valid_from, valid_to });
      const [period] = await scheduleOf(code);

      expect(Date.parse(period?.valid_to ?? '')).toBe(Date.parse(valid_to));
      await assuming('A-403', () =>
        refused('setAssetRate', {
          path: { assetCode: code },
          body: { source: 'USD', rate: 1, valid_from: valid_to, valid_to: valid_from },
        }),
      );
    },
  );
});

describe('quoteAsset', () => {
  check(
    'AST-14',
    { requirement: ['R-AST-21', 'R-AST-24'], level: 'MUST', effect: 'E1' },
    'quote → six fields; source echoed; destination = asset code (a POST without effect)',
    async () => {
      const { code } = await anAsset();
      const quote = await quoteOf(code, 10);

      expect(quote).toMatchObject({ source: 'USD', destination: code });
      for (const field of ['source_amount', 'destination_amount', 'rate', 'inverse_rate'] as const)
        expect(quote[field]).toBeTypeOf('number');
    },
  );

  check(
    'AST-15',
    { requirement: ['R-AST-23', 'R-AST-37', 'R-AST-39'], level: 'IMPLIED', effect: 'E1' },
    'destination_amount × rate = source_amount within rounding, whichever side `amount` is; the direction is recorded',
    async (t) => {
      const { code } = await anAsset();
      const quote = await quoteOf(code, 10);
      const paid = amount(quote, 'destination_amount').times(amount(quote, 'rate'));
      const error = paid.minus(amount(quote, 'source_amount'));
      t.observe('amount is', quote.source_amount === 10 ? 'the source' : 'the destination');

      // Two decimals at 0.5 USD each: the rounding of half a hundredth is worth 0.0025 USD at most.
      expectWithin(error, '0.0025');
    },
  );

  check(
    'AST-17',
    { requirement: 'R-AST-22', level: 'MUST', effect: 'E1' },
    'quote with missing amount or source → 422 or 400',
    async () => {
      const { code } = await anAsset();
      const path = { assetCode: code };
      await refused('quoteAsset', { path, body: { amount: 10 } });
      await refused('quoteAsset', { path, body: { source: 'USD' } });
    },
  );

  check(
    'AST-18',
    { requirement: ['R-AST-33', 'R-ERR-21'], level: 'ASSUMED', effect: 'E1', assumes: 'A-201' },
    'quote or rates of an unknown asset → 404, 422 or 400 (404 not declared)',
    async (t) => {
      const path = { assetCode: uniqueAssetCode() };
      const quote = { path, body: { source: 'USD', amount: 1 } };
      const rate = { path, body: { source: 'USD', rate: 1 } };
      const asked = await call('quoteAsset', quote, [404, 422, 400]);
      const set = await call('setAssetRate', rate, [404, 422, 400]);
      t.observe('unknown asset', `${asked.status}, ${set.status}`);

      expect([asked.status, set.status]).toEqual([422, 422]);
    },
  );

  check(
    'AST-23',
    { requirement: 'R-AST-38', level: 'ASSUMED', effect: 'E1', assumes: 'A-404' },
    'quote in a currency without a rate in force → 422',
    async () => {
      const { code } = await anAsset();
      const body = { source: 'CHF', amount: 1 };
      await call('quoteAsset', { path: { assetCode: code }, body }, [422]);
    },
  );
});

describe('asset rates', () => {
  check(
    'AST-34',
    { requirement: 'R-AST-34', level: 'ASSUMED', effect: 'E3', assumes: 'A-401' },
    'a rate whose source is not a currency, and a quote of an asset in itself → rejected, rates unchanged',
    async () => {
      const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
      const { code: other } = await aFreshAsset();
      const path = { assetCode: code };
      await refused('setAssetRate', { path, body: { source: other, rate: 3 } });
      await refused('quoteAsset', { path, body: { source: code, amount: 1 } });
      await refused('quoteAsset', { path, body: { source: other, amount: 1 } });

      expect((await scheduleOf(code)).map(({ rate }) => rate)).toEqual([2]);
    },
  );

  check(
    'AST-35',
    { requirement: 'R-AST-13', level: 'MUST', effect: 'E3' },
    'two rates of each of four sources, set out of order → sources by the start of their current rate, latest first; within each, the current rate first',
    async () => {
      const { code } = await aFreshAsset();
      for (const [source, rate, days] of [
        ['GBP', 2, -4],
        ['GBP', 4, -3],
        ['USD', 5, -7],
        ['USD', 8, -0.5],
        ['EUR', 10, -5],
        ['EUR', 16, -1],
        ['JPY', 20, -6],
        ['JPY', 25, -2],
      ] as const)
        await setRate(code, { source, rate, valid_from: now(days * DAY_MS) });
      const { rates } = await assetOf(code);

      expect(
        rates.map(({ source, schedule }) => [source, ...schedule.map(({ rate }) => rate)]),
      ).toEqual([
        ['USD', 8, 5],
        ['EUR', 16, 10],
        ['JPY', 25, 20],
        ['GBP', 4, 2],
      ]);
      for (const { source, schedule } of rates) {
        expect((await quoteOf(code, 1, source)).rate, source).toBe(schedule[0]?.rate);
      }
    },
  );

  check(
    'AST-36',
    { requirement: 'R-AST-35', level: 'ASSUMED', effect: 'E3', assumes: 'A-402' },
    'rate and inverse_rate that agree to 12 digits → accepted; that do not → rejected',
    async () => {
      const starting = (inverse_rate: number) => ({
        code: uniqueAssetCode(),
        name: 'Rate',
        rates: [{ source: 'USD', rate: 0.07, inverse_rate }],
      });
      await refused('createAsset', { body: starting(14.2857142) });
      const { code } = await useUp('asset', () =>
        api('createAsset', { body: starting(14.2857142857) }, 201),
      );

      expect((await scheduleOf(code)).map(({ rate }) => rate)).toEqual([0.07]);
    },
  );
});
