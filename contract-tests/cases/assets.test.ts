import {
  aFreshAsset,
  amount,
  anAsset,
  api,
  assuming,
  type Body,
  call,
  check,
  describe,
  expect,
  isOurs,
  now,
  type Rational,
  refused,
  uniqueAssetCode,
  useUp,
} from '../kit/index.ts';

type Schedule = Body<'getAsset', 200>['rates'][number]['schedule'];

/** The rates of an asset in USD, newest first. */
async function scheduleOf(code: string): Promise<Schedule> {
  const { rates } = await api('getAsset', { path: { assetCode: code } }, 200);
  return rates.find(({ source }) => source === 'USD')?.schedule ?? [];
}

/** Insists that a number differs from 0 by no more than a bound. */
function expectWithin(error: Rational, bound: string): void {
  expect(error.compare(bound), `${error} is more than ${bound}`).toBeLessThanOrEqual(0);
  expect(error.times(-1).compare(bound), `${error} is less than -${bound}`).toBeLessThanOrEqual(0);
}

/** A code of a length that nobody else has: the unique part, filled up. */
function codeOfLength(length: number): string {
  return uniqueAssetCode().slice(-length).padStart(length, 'Z');
}

const body = (changes: object) => ({ code: uniqueAssetCode(), name: 'Contract units', ...changes });
const create = (changes: object = {}) =>
  useUp('asset', () => api('createAsset', { body: body(changes) }, 201));

describe('createAsset', () => {
  check('AST-01', async () => {
    const made = await create();
    const asset = await api('getAsset', { path: { assetCode: made.code } }, 200);

    expect(Date.parse(made.created_at)).not.toBeNaN();
    expect(asset).toMatchObject({ code: made.code, precision: 0, label: made.code });
  });

  check('AST-02', async () => {
    for (const code of ['A', 'C'.repeat(65), 'ctlower', 'A_B', ''])
      await refused('createAsset', { body: body({ code }) });
  });

  check('AST-03', async () => {
    const long = codeOfLength(64);
    await create({ code: long });

    expect(await api('getAsset', { path: { assetCode: long } }, 200)).toMatchObject({ code: long });
    const short = codeOfLength(2);
    const { status } = await call('createAsset', { body: body({ code: short }) }, [201, 422, 400]);
    const shown = await api('getAsset', { path: { assetCode: short } }, 200);
    expect([status === 201 || shown.code === short, shown.code]).toEqual([true, short]);
  });

  check('AST-04', { effect: 'E1', title: 'refuses -1, 11 and 1.5' }, async () => {
    for (const precision of [-1, 11, 1.5])
      await refused('createAsset', { body: body({ precision }) });
  });

  check('AST-04', { effect: 'E3', title: 'accepts 0 and 10' }, async () => {
    for (const precision of [0, 10]) {
      const { code } = await create({ precision });
      expect(await api('getAsset', { path: { assetCode: code } }, 200)).toMatchObject({
        precision,
      });
    }
  });

  check('AST-05', { effect: 'E1', title: 'refuses two letters' }, async () => {
    await refused('createAsset', { body: body({ symbol: 'AB' }) });
  });

  check('AST-05', { effect: 'E3', title: 'accepts a letter and an emoji' }, async (t) => {
    for (const symbol of ['C', '✨']) {
      const { code } = await create({ symbol });
      expect(await api('getAsset', { path: { assetCode: code } }, 200)).toMatchObject({ symbol });
    }
    const joined = await call('createAsset', { body: body({ symbol: '👩‍💻' }) }, [201, 400, 422]);
    t.observe('joined emoji', joined.status);
  });

  check('AST-06', async () => {
    const { code, name } = await anAsset();
    await refused('createAsset', { body: { code, name: 'Contract double' } });

    expect(await api('getAsset', { path: { assetCode: code } }, 200)).toMatchObject({ name });
  });

  check('AST-08', async () => {
    const { code } = await create({ rates: [{ source: 'USD', rate: 0.05 }] });
    const [period, ...others] = await scheduleOf(code);

    expect(others).toEqual([]);
    expect(period?.rate).toBe(0.05);
    expect(Date.parse(period?.valid_from ?? '')).not.toBeNaN();
  });

  check('AST-19', async () => {
    const code = uniqueAssetCode();
    await refused('createAsset', { body: { name: 'Contract units' } });
    await refused('createAsset', { body: { code } });
    await api('getAsset', { path: { assetCode: code } }, 404);
  });

  check('AST-20', async () => {
    const given = { label: 'Tokens', symbol: 'T' };
    const { code } = await create(given);

    expect(await api('getAsset', { path: { assetCode: code } }, 200)).toMatchObject(given);
  });
});

describe('listAssets', () => {
  check('AST-07', async () => {
    const { code, name } = await anAsset();
    if (isOurs()) await anAsset();
    const { items, total_count } = await api('listAssets', { query: { limit: 1000 } }, 200);
    const codes = items.map((asset) => asset.code);

    expect(codes).toEqual([...codes].sort());
    if (total_count <= 1000) expect(items).toContainEqual(expect.objectContaining({ code, name }));
  });
});

describe('getAsset', () => {
  check('AST-22', async () => {
    const { precision } = await api('getAsset', { path: { assetCode: 'JPY' } }, 200);
    const dinar = await api('getAsset', { path: { assetCode: 'KWD' } }, 200);

    expect([precision, dinar.precision]).toEqual([0, 3]);
  });
});

describe('setAssetRate', () => {
  const set = (assetCode: string, rate: object) =>
    api('setAssetRate', { path: { assetCode }, body: { source: 'USD', rate: 1, ...rate } }, 204);

  check('AST-09', async () => {
    const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
    const valid_from = now(3_600_000);
    await set(code, { rate: 3, valid_from });
    const [newest, former] = await scheduleOf(code);

    expect([newest?.rate, former?.rate]).toEqual([3, 2]);
    expect(Date.parse(newest?.valid_from ?? '')).toBe(Date.parse(valid_from));
    expect(Date.parse(former?.valid_to ?? '')).toBe(Date.parse(valid_from));
  });

  check('AST-10', async () => {
    const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 2 }] });
    await set(code, { rate: 3 });
    const quote = { path: { assetCode: code }, body: { source: 'USD', amount: 10 } };
    expect((await api('quoteAsset', quote, 200)).rate).toBe(3);
    const [period] = await scheduleOf(code);
    const distance = Math.abs(Date.parse(period?.valid_from ?? '') - Date.parse(now()));

    expect(distance).toBeLessThan(60_000);
  });

  check('AST-11', async () => {
    const { code } = await aFreshAsset();
    await set(code, { rate: 0.07 });
    const period = (await scheduleOf(code))[0] as Schedule[number];
    const product = amount(period, 'rate').times(amount(period, 'inverse_rate'));

    expectWithin(product.minus(1), '0.0000000001');
  });

  check('AST-12', async () => {
    const { code } = await anAsset();
    const path = { assetCode: code };
    const before = await scheduleOf(code);
    await refused('setAssetRate', { path, body: { rate: 2 } });
    await refused('setAssetRate', { path, body: { source: 'USD' } });

    expect(await scheduleOf(code)).toEqual(before);
  });

  check('AST-13', async () => {
    const { code } = await anAsset();
    await refused('setAssetRate', { path: { assetCode: code }, body: { source: code, rate: 2 } });
  });

  check('AST-16', async () => {
    const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 0.5 }] });
    const quote = async () =>
      (
        await api(
          'quoteAsset',
          { path: { assetCode: code }, body: { source: 'USD', amount: 10 } },
          200,
        )
      ).rate;
    const before = await quote();
    await set(code, { rate: 5, valid_from: now(86_400_000) });

    expect([before, await quote()]).toEqual([0.5, 0.5]);
  });

  check('AST-21', async (t) => {
    const { code } = await aFreshAsset();
    const [valid_from, valid_to] = [now(3_600_000), now(7_200_000)];
    await set(code, { valid_from, valid_to });
    const [period] = await scheduleOf(code);

    expect(Date.parse(period?.valid_to ?? '')).toBe(Date.parse(valid_to));
    await assuming('A-403', t, () =>
      refused('setAssetRate', {
        path: { assetCode: code },
        body: { source: 'USD', rate: 1, valid_from: valid_to, valid_to: valid_from },
      }),
    );
  });
});

describe('quoteAsset', () => {
  check('AST-14', async () => {
    const { code } = await anAsset();
    const quote = await api(
      'quoteAsset',
      { path: { assetCode: code }, body: { source: 'USD', amount: 10 } },
      200,
    );

    expect(quote).toMatchObject({ source: 'USD', destination: code });
    for (const field of ['source_amount', 'destination_amount', 'rate', 'inverse_rate'] as const)
      expect(quote[field]).toBeTypeOf('number');
  });

  check('AST-15', async (t) => {
    const { code } = await anAsset();
    const quote = await api(
      'quoteAsset',
      { path: { assetCode: code }, body: { source: 'USD', amount: 10 } },
      200,
    );
    const paid = amount(quote, 'destination_amount').times(amount(quote, 'rate'));
    const error = paid.minus(amount(quote, 'source_amount'));
    t.observe('amount is', quote.source_amount === 10 ? 'the source' : 'the destination');

    // Two decimals at 0.5 USD each: the rounding of half a hundredth is worth 0.0025 USD at most.
    expectWithin(error, '0.0025');
  });

  check('AST-17', async () => {
    const { code } = await anAsset();
    const path = { assetCode: code };
    await refused('quoteAsset', { path, body: { amount: 10 } });
    await refused('quoteAsset', { path, body: { source: 'USD' } });
  });

  check('AST-18', async (t) => {
    const path = { assetCode: uniqueAssetCode() };
    const quote = { path, body: { source: 'USD', amount: 1 } };
    const rate = { path, body: { source: 'USD', rate: 1 } };
    const asked = await call('quoteAsset', quote, [404, 422, 400]);
    const set = await call('setAssetRate', rate, [404, 422, 400]);
    t.observe('unknown asset', `${asked.status}, ${set.status}`);

    expect([asked.status, set.status]).toEqual([422, 422]);
  });

  check('AST-23', async () => {
    const { code } = await anAsset();
    const body = { source: 'CHF', amount: 1 };
    await call('quoteAsset', { path: { assetCode: code }, body }, [422]);
  });
});
