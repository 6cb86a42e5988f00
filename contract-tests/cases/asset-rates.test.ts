import {
  aFreshAsset,
  amount,
  anAsset,
  api,
  assuming,
  call,
  check,
  expect,
  lexeme,
  now,
  type Rational,
  refused,
  table,
} from '../kit/index.ts';
import { DAY_MS } from './shared/times.ts';
import { assetOf, body, quoteOf, type Schedule, scheduleOf, setRate } from './shared/wallets.ts';

/** Expects that a number differs from 0 by no more than a bound. */
function expectWithin(error: Rational, bound: string, name: string): void {
  expect(error.compare(bound), `${name}: ${error} is more than ${bound}`).toBeLessThanOrEqual(0);
  const opposite = error.times(-1).compare(bound);
  expect(opposite, `${name}: ${error} is less than -${bound}`).toBeLessThanOrEqual(0);
}

check(
  'AST-35',
  { requirement: 'R-AST-13', effect: 'E3' },
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
    for (const { source, schedule } of rates)
      expect((await quoteOf(code, 1, source)).rate, source).toBe(schedule[0]?.rate);
  },
);

check(
  'AST-14',
  { requirement: 'R-AST-21 R-AST-23 R-AST-24 R-AST-37 R-AST-39', effect: 'E1' },
  'a quote → six fields, among them the source and the asset; destination_amount × rate = source_amount within rounding, whichever of them is the amount sent, which is recorded',
  async (t) => {
    const { code } = await anAsset();
    const quote = await quoteOf(code, 10);
    const paid = amount(quote, 'destination_amount').times(amount(quote, 'rate'));
    const error = paid.minus(amount(quote, 'source_amount'));
    t.observe('amount is', quote.source_amount === 10 ? 'the source' : 'the destination');

    expect(quote).toMatchObject({ source: 'USD', destination: code });
    expect(quote.inverse_rate, 'inverse_rate').toBeTypeOf('number');
    // Two decimals at 0.5 USD each: the rounding of half a hundredth is worth 0.0025 USD at most.
    expectWithin(error, '0.0025', 'destination_amount × rate − source_amount');
  },
);

table(
  'AST-31',
  { requirement: 'R-AST-22 R-AST-23 R-AST-24 R-AST-32', effect: 'E3' },
  "quotes in two sources, with another rate from tomorrow on → the amount as sent, divided by today's rate of its own source, and rounded once to the asset's last decimal",
  {
    'no decimals': { precision: 0, inUsd: '333', inEur: '400' },
    'two decimals': { precision: 2, inUsd: '333.33', inEur: '400' },
    'ten decimals': { precision: 10, inUsd: '333.3333333333', inEur: '400' },
  },
  async ({ precision, inUsd, inEur }) => {
    const rates = [
      { source: 'USD', rate: 3 },
      { source: 'EUR', rate: 2.5 },
    ];
    const { code } = await aFreshAsset({ precision, rates });
    await setRate(code, { rate: 5, valid_from: now(DAY_MS) });
    const [usd, eur] = [await quoteOf(code, 1000), await quoteOf(code, 1000, 'EUR')];

    const sent = { source_amount: 1000, destination: code };
    expect(usd).toMatchObject({ source: 'USD', rate: 3, ...sent });
    expect(eur).toMatchObject({ source: 'EUR', rate: 2.5, ...sent });
    expect(lexeme(usd, 'destination_amount'), 'destination_amount').toBe(inUsd);
    expect(lexeme(eur, 'destination_amount'), 'destination_amount').toBe(inEur);
    expect((await quoteOf(code, 900_000)).destination_amount).toBe(300_000);
  },
);

table(
  'AST-26',
  { requirement: 'R-AST-39', effect: 'E3', assumes: 'A-304' },
  "quotes whose exact amount is halfway between two values of the asset's last decimal → rounded to the even one",
  {
    'half a cent above an odd one': { sent: 0.015, shown: '0.02' },
    'half a cent above an even one': { sent: 0.025, shown: '0.02' },
    'half a cent above the next odd one': { sent: 0.035, shown: '0.04' },
    'more than half': { sent: 0.0251, shown: '0.03' },
    'less than half': { sent: 0.0249, shown: '0.02' },
  },
  async ({ sent, shown }) => {
    const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 1 }] });
    const quote = await quoteOf(code, sent);
    expect(lexeme(quote, 'destination_amount'), 'destination_amount').toBe(shown);
  },
);

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

table(
  'AST-29',
  { requirement: 'R-AST-15 R-AST-21 R-AST-25 R-AST-28', effect: 'E3' },
  'rates with and without a finite inverse, starting or set → rate × inverse_rate = 1, in the schedule and in a quote, to twelve digits',
  Object.fromEntries(Object.entries(INVERSES).map((row) => [`a rate of ${row[0]}`, row])),
  async ([rate, inverse]) => {
    const starting = { source: 'USD', rate: Number(rate) };
    const { code } = await aFreshAsset({ precision: 10, rates: [starting] });
    const { code: other } = await aFreshAsset({ precision: 10 });
    await setRate(other, { rate: Number(rate) });
    for (const assetCode of [code, other])
      for (const shown of [
        (await scheduleOf(assetCode))[0] as Schedule[number],
        await quoteOf(assetCode, 1),
      ]) {
        const product = amount(shown, 'inverse_rate').times(rate);
        expect(lexeme(shown, 'rate'), 'rate').toBe(rate);
        expectWithin(product.minus(1), '0.000001', 'rate × inverse_rate − 1');
        await assuming('A-304', async () =>
          expect(lexeme(shown, 'inverse_rate'), 'inverse_rate').toBe(inverse),
        );
      }
  },
);

check(
  'AST-30',
  { requirement: 'R-AST-35', effect: 'E3', assumes: 'A-402' },
  'starting rate given by its inverse alone, with a rate that agrees to 12 digits or does not, with neither, or two of one source → calculated exactly from what was given, also once it has ended, or rejected',
  async () => {
    const starting = (rate: object) => body({ precision: 10, rates: [{ source: 'USD', ...rate }] });
    for (const [rate, shown, paid, bought] of [
      // 1,000,000 at 1/3 is exactly 3,000,000: the rounding of the shown rate does not matter.
      [{ inverse_rate: 3 }, [0.333333333333, 3], 1_000_000, 3_000_000],
      [{ rate: 8, inverse_rate: 0.125 }, [8, 0.125], 4, 0.5],
      [{ rate: 3, inverse_rate: 0.333333333333 }, [3, 0.333333333333], 3_000_000, 1_000_000],
      [{ rate: 0.07, inverse_rate: 14.2857142857 }, [0.07, 14.2857142857], 7, 100],
    ] as const) {
      const { code } = await api('createAsset', { body: starting(rate) }, 201);
      const [period] = await scheduleOf(code);
      expect([period?.rate, period?.inverse_rate]).toEqual(shown);
      expect((await quoteOf(code, paid)).destination_amount, JSON.stringify(rate)).toBe(bought);
      await setRate(code, { rate: 5 });
      const then = { source: 'USD', amount: paid, exchange_at: period?.valid_from as string };
      const { body: former } = await call(
        'quoteAsset',
        { path: { assetCode: code }, body: then },
        [200],
      );
      expect(former.destination_amount, 'once it has ended').toBe(bought);
    }
    for (const rate of [
      { rate: 8, inverse_rate: 0.126 },
      { rate: 3, inverse_rate: 0.33333333 },
      { rate: 0.07, inverse_rate: 14.2857142 },
      {},
    ])
      await refused('createAsset', { body: starting(rate) });
    const rates = [1, 2].map((rate) => ({ source: 'USD', rate }));
    await refused('createAsset', { body: body({ rates }) });
  },
);
