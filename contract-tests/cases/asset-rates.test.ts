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
  // AST-09: add rate → 204 empty; GET: newest first, the previous rate ends at the new valid_from
  check('AST-09', async () => {
    const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
    const valid_from = now(3_600_000);
    await setRate(code, { rate: 3, valid_from });
    const [newest, former] = await scheduleOf(code);

    expect([newest?.rate, former?.rate]).toEqual([3, 2]);
    expect(Date.parse(newest?.valid_from ?? '')).toBe(Date.parse(valid_from));
    expect(Date.parse(former?.valid_to ?? '')).toBe(Date.parse(valid_from));
  });

  // AST-10: valid_from omitted → about now by the server's clock
  check('AST-10', async () => {
    const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
    await setRate(code, { rate: 3 });
    expect((await quoteOf(code, 10)).rate).toBe(3);
    const [period] = await scheduleOf(code);
    const distance = Math.abs(Date.parse(period?.valid_from ?? '') - Date.parse(now()));

    expect(distance).toBeLessThan(60_000);
  });

  // AST-11: rate × inverse_rate = 1 within stated decimals (definitions)
  check('AST-11', async () => {
    const { code } = await aFreshAsset();
    await setRate(code, { rate: 0.07 });
    const period = (await scheduleOf(code))[0] as Schedule[number];
    const product = amount(period, 'rate').times(amount(period, 'inverse_rate'));

    expectWithin(product.minus(1), '0.0000000001');
  });

  // AST-12: rate without source, or without rate → rejected (both required)
  check('AST-12', async () => {
    const { code } = await anAsset();
    const path = { assetCode: code };
    const before = await scheduleOf(code);
    await refused('setAssetRate', { path, body: { rate: 2 } });
    await refused('setAssetRate', { path, body: { source: 'USD' } });

    expect(await scheduleOf(code)).toEqual(before);
  });

  // AST-13: source that is a custom asset → rejected (only currencies as source)
  check('AST-13', async () => {
    const { code } = await anAsset();
    await refused('setAssetRate', { path: { assetCode: code }, body: { source: code, rate: 2 } });
  });

  // AST-16: future-dated rate does not change today's quote (valid_from)
  check('AST-16', async () => {
    const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 0.5 }] });
    const quote = async () => (await quoteOf(code, 10)).rate;
    const before = await quote();
    await setRate(code, { rate: 5, valid_from: now(86_400_000) });

    expect([before, await quote()]).toEqual([0.5, 0.5]);
  });

  // AST-21: rate with valid_to → GET shows it; valid_to not after valid_from → rejected
  check('AST-21', async () => {
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
  });
});

describe('quoteAsset', () => {
  // AST-14: quote → six fields; source echoed; destination = asset code (a POST without effect)
  check('AST-14', async () => {
    const { code } = await anAsset();
    const quote = await quoteOf(code, 10);

    expect(quote).toMatchObject({ source: 'USD', destination: code });
    for (const field of ['source_amount', 'destination_amount', 'rate', 'inverse_rate'] as const)
      expect(quote[field]).toBeTypeOf('number');
  });

  // AST-15: destination_amount × rate = source_amount within rounding, whichever side `amount` is; the direction is
  // recorded
  check('AST-15', async (t) => {
    const { code } = await anAsset();
    const quote = await quoteOf(code, 10);
    const paid = amount(quote, 'destination_amount').times(amount(quote, 'rate'));
    const error = paid.minus(amount(quote, 'source_amount'));
    t.observe('amount is', quote.source_amount === 10 ? 'the source' : 'the destination');

    // Two decimals at 0.5 USD each: the rounding of half a hundredth is worth 0.0025 USD at most.
    expectWithin(error, '0.0025');
  });

  // AST-17: quote with missing amount or source → 422 or 400
  check('AST-17', async () => {
    const { code } = await anAsset();
    const path = { assetCode: code };
    await refused('quoteAsset', { path, body: { amount: 10 } });
    await refused('quoteAsset', { path, body: { source: 'USD' } });
  });

  // AST-18: quote or rates of an unknown asset → 404, 422 or 400 (404 not declared)
  check('AST-18', async (t) => {
    const path = { assetCode: uniqueAssetCode() };
    const quote = { path, body: { source: 'USD', amount: 1 } };
    const rate = { path, body: { source: 'USD', rate: 1 } };
    const asked = await call('quoteAsset', quote, [404, 422, 400]);
    const set = await call('setAssetRate', rate, [404, 422, 400]);
    t.observe('unknown asset', `${asked.status}, ${set.status}`);

    expect([asked.status, set.status]).toEqual([422, 422]);
  });

  // AST-23: quote in a currency without a rate in force → 422
  check('AST-23', async () => {
    const { code } = await anAsset();
    const body = { source: 'CHF', amount: 1 };
    await call('quoteAsset', { path: { assetCode: code }, body }, [422]);
  });
});

describe('asset rates', () => {
  // AST-34: a rate whose source is not a currency, and a quote of an asset in itself → rejected, rates unchanged
  check('AST-34', async () => {
    const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
    const { code: other } = await aFreshAsset();
    const path = { assetCode: code };
    await refused('setAssetRate', { path, body: { source: other, rate: 3 } });
    await refused('quoteAsset', { path, body: { source: code, amount: 1 } });
    await refused('quoteAsset', { path, body: { source: other, amount: 1 } });

    expect((await scheduleOf(code)).map(({ rate }) => rate)).toEqual([2]);
  });

  // AST-35: two rates of each of four sources, set out of order → sources by the start of their current rate, latest
  // first; within each, the current rate first
  check('AST-35', async () => {
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
  });

  // AST-36: rate and inverse_rate that agree to 12 digits → accepted; that do not → rejected
  check('AST-36', async () => {
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
  });
});
