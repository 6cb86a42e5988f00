import { describe, expect, it } from 'vitest';
import { instant } from '../../domain/instant.ts';
import {
  createTestClient,
  TEST_NOW,
  type TestCallParts,
  type TestClient,
} from '../../testing/client.ts';

const CREDIT = { code: 'CREDIT', name: 'Credits' };
const path = { assetCode: 'CREDIT' };
const usd = (rate: number) => ({ source: 'USD', rate });

/** A client whose world has CREDIT, with further fields if given. */
async function withCredit(fields: object = {}): Promise<TestClient> {
  const client = createTestClient();
  await client.api('createAsset', { body: { ...CREDIT, ...fields } }, 201);
  return client;
}

const setRate = ({ api }: TestClient, body: object, status = 204) =>
  api('setAssetRate', { path, body }, status);

const schedules = async ({ api }: TestClient) => (await api('getAsset', { path }, 200)).rates;

describe('createAsset', () => {
  it('keeps an asset with everything that was given', async () => {
    const { api } = createTestClient();
    const given = { ...CREDIT, precision: 2, label: 'credits', symbol: '◆' };
    const rates = [usd(0.05), { source: 'EUR', rate: 0.03 }];

    const created = await api('createAsset', { body: { ...given, rates } }, 201);

    expect(created).toEqual({ code: 'CREDIT', created_at: TEST_NOW });
    expect(await api('getAsset', { path }, 200)).toEqual({
      ...given,
      rates: [
        {
          source: 'USD',
          schedule: [{ valid_from: TEST_NOW, rate: 0.05, inverse_rate: 20 }],
        },
        {
          source: 'EUR',
          schedule: [{ valid_from: TEST_NOW, rate: 0.03, inverse_rate: 33.3333333333 }],
        },
      ],
      created_at: TEST_NOW,
    });
  });

  it('has no decimals, its code for a label and no rates where they are left out', async () => {
    const { api } = await withCredit({ precision: null, label: null, symbol: null, rates: null });

    expect(await api('getAsset', { path }, 200)).toEqual({
      ...CREDIT,
      precision: 0,
      label: 'CREDIT',
      rates: [],
      created_at: TEST_NOW,
    });
  });

  it.each(['◆', '€', '👩‍👩‍👧', '🇳🇴', '👍🏽', 'é', '1️⃣'])(
    'takes %s as one character',
    async (symbol) => {
      const { api } = await withCredit({ symbol });

      expect((await api('getAsset', { path }, 200)).symbol).toBe(symbol);
    },
  );

  it.each(['US', '👍👍', '🇳🇴🇸🇪', ''])('refuses "%s" as a symbol', async (symbol) => {
    const { api } = createTestClient();

    const { errors } = await api('createAsset', { body: { ...CREDIT, symbol } }, 422);

    expect(Object.keys(errors)).toEqual(['symbol']);
  });

  it('refuses a code a second time', async () => {
    const { api } = await withCredit();

    const { errors } = await api('createAsset', { body: CREDIT }, 422);

    expect(errors).toEqual({ code: ['An asset with this code exists already.'] });
  });

  it('reports all that is wrong at once', async () => {
    const { api } = createTestClient();
    const rates = [usd(1), usd(2), { source: 'JPY', rate: 3 }, { source: 'ZZZ', rate: 4 }];
    const body = { code: 'JPY', name: 'Yen', precision: 2, symbol: 'JP', rates };

    const { errors } = await api('createAsset', { body }, 422);

    expect(errors).toEqual({
      precision: ['The precision of a currency is fixed; leave it out or send its own.'],
      symbol: ['Expected one character or emoji.'],
      'rates[1].source': ['Each source may be listed once.'],
      'rates[2].source': ['A currency has no rate in itself.'],
      'rates[3].source': ['Expected the code of a currency.'],
    });
    expect((await api('listAssets', {}, 200)).items).toEqual([]);
  });

  it.each([
    [{ code: 'credit' }, 'code'],
    [{ code: 'C' }, 'code'],
    [{ precision: 11 }, 'precision'],
    [{ precision: 1.5 }, 'precision'],
    [{ rates: [usd(0)] }, 'rates[0].rate'],
    [{ rates: [usd(-1)] }, 'rates[0].rate'],
    [{ rates: [usd(0.00000000001)] }, 'rates[0].rate'],
    [{ rates: [{ ...usd(3), inverse_rate: 0.3333333333 }] }, 'rates[0].inverse_rate'],
    [{ rates: [{ source: 'USD' }] }, 'rates[0].rate'],
  ])('refuses %j', async (fields, field) => {
    const { api } = createTestClient();

    const { errors } = await api('createAsset', { body: { ...CREDIT, ...fields } }, 422);

    expect(Object.keys(errors)).toEqual([field]);
  });

  it('keeps the assets of every owner and environment apart', async () => {
    const { api, send } = await withCredit();
    const { id } = await api('createConnectedAccount', { body: { name: 'Northwind' } }, 201);
    const others: TestCallParts[] = [
      { headers: { 'X-Service-Account': id } },
      { key: 'key_live_emulator' },
      { key: 'key_test_other' },
    ];

    for (const other of others) {
      expect((await send('getAsset', { path, ...other })).status).toBe(404);
      expect((await api('listAssets', other, 200)).total_count).toBe(0);
      await api('createAsset', { body: { ...CREDIT, name: 'Own' }, ...other }, 201);
    }
    expect((await api('getAsset', { path }, 200)).name).toBe('Credits');
  });
});

describe('a currency', () => {
  it.each([
    ['USD', 'US Dollar', 2],
    ['JPY', 'Yen', 0],
    ['KWD', 'Kuwaiti Dinar', 3],
    ['CLF', 'Unidad de Fomento', 4],
    ['KMF', 'Comorian Franc', 0],
    ['XCG', 'Caribbean Guilder', 2],
  ])('%s exists without being created', async (code, name, precision) => {
    const { api } = createTestClient();

    expect(await api('getAsset', { path: { assetCode: code } }, 200)).toEqual({
      code,
      name,
      precision,
      label: code,
      rates: [],
      created_at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('is listed once it was created, and can be created once', async () => {
    const { api } = createTestClient();
    const body = { code: 'EUR', name: 'Euros', label: 'euro', symbol: '€', precision: 2 };
    expect((await api('listAssets', {}, 200)).items).toEqual([]);

    await api('createAsset', { body }, 201);
    const { errors } = await api('createAsset', { body }, 422);

    expect(Object.keys(errors)).toEqual(['code']);
    expect((await api('listAssets', {}, 200)).items).toEqual([{ code: 'EUR', name: 'Euros' }]);
    expect(await api('getAsset', { path: { assetCode: 'EUR' } }, 200)).toEqual({
      ...body,
      rates: [],
      created_at: TEST_NOW,
    });
  });

  it('has the minor units of its table where precision is left out', async () => {
    const { api } = createTestClient();
    await api('createAsset', { body: { code: 'KWD', name: 'Dinar' } }, 201);

    expect((await api('getAsset', { path: { assetCode: 'KWD' } }, 200)).precision).toBe(3);
  });

  it('takes rates unlisted, and keeps them when it is created', async () => {
    const { api } = createTestClient();
    const euro = { assetCode: 'EUR' };
    await api('setAssetRate', { path: euro, body: usd(1.25) }, 204);
    expect((await api('listAssets', {}, 200)).items).toEqual([]);
    expect((await api('getAsset', { path: euro }, 200)).created_at).toBe(
      '1970-01-01T00:00:00.000Z',
    );

    const rates = [{ source: 'GBP', rate: 0.8 }];
    await api('createAsset', { body: { code: 'EUR', name: 'Euro', rates } }, 201);

    expect((await api('getAsset', { path: euro }, 200)).rates).toEqual([
      { source: 'USD', schedule: [{ valid_from: TEST_NOW, rate: 1.25, inverse_rate: 0.8 }] },
      { source: 'GBP', schedule: [{ valid_from: TEST_NOW, rate: 0.8, inverse_rate: 1.25 }] },
    ]);
  });
});

describe('listAssets', () => {
  it('pages by code', async () => {
    const { api } = createTestClient();
    for (const code of ['TOKEN', 'USD', 'A1', 'CREDIT'])
      await api('createAsset', { body: { code, name: code.toLowerCase() } }, 201);

    const page = await api('listAssets', { query: { limit: 2, offset: 1 } }, 200);

    expect(page).toEqual({
      items: [
        { code: 'CREDIT', name: 'credit' },
        { code: 'TOKEN', name: 'token' },
      ],
      total_count: 4,
      limit: 2,
      offset: 1,
    });
  });
});

describe('getAsset', () => {
  it.each(['NONE', 'credit', 'usd', 'constructor', 'A'])('does not know %s', async (assetCode) => {
    const { send } = await withCredit();

    const response = await send('getAsset', { path: { assetCode } });

    expect([response.status, response.text]).toEqual([404, '']);
  });

  it('shows the source with the most recent rate first', async () => {
    const client = await withCredit({ rates: [usd(0.05), { source: 'EUR', rate: 0.04 }] });
    await setRate(client, { source: 'GBP', rate: 0.03, valid_from: '2026-01-01T00:00:00Z' });
    await setRate(client, { source: 'EUR', rate: 0.05, valid_from: '2026-02-01T00:00:00Z' });

    const rates = await schedules(client);

    expect(rates.map(({ source }: { source: string }) => source)).toEqual(['EUR', 'USD', 'GBP']);
  });

  it('writes small rates without exponent and their inverses to 12 digits', async () => {
    const { send } = await withCredit({ rates: [usd(0.0000000003)] });

    const { text } = await send('getAsset', { path });

    expect(text).toContain('"rate":0.0000000003,"inverse_rate":3333333333.33}');
  });
});

describe('setAssetRate', () => {
  it('closes the previous rate now', async () => {
    const client = await withCredit();
    await setRate(client, { ...usd(0.05), valid_from: '2026-01-01T00:00:00Z' });
    await setRate(client, { ...usd(0.04), valid_from: null, valid_to: null });

    expect(await schedules(client)).toEqual([
      {
        source: 'USD',
        schedule: [
          { valid_from: TEST_NOW, rate: 0.04, inverse_rate: 25 },
          {
            valid_from: '2026-01-01T00:00:00.000Z',
            valid_to: TEST_NOW,
            rate: 0.05,
            inverse_rate: 20,
          },
        ],
      },
    ]);
  });

  it('fills the time up to a later rate, and keeps a superseded one empty', async () => {
    const client = await withCredit({ rates: [usd(0.05)] });
    await setRate(client, { ...usd(0.1), valid_from: '2026-03-01T01:00:00+01:00' });
    await setRate(client, usd(0.04));

    expect(await schedules(client)).toEqual([
      {
        source: 'USD',
        schedule: [
          { valid_from: '2026-03-01T00:00:00.000Z', rate: 0.1, inverse_rate: 10 },
          {
            valid_from: TEST_NOW,
            valid_to: '2026-03-01T00:00:00.000Z',
            rate: 0.04,
            inverse_rate: 25,
          },
          { valid_from: TEST_NOW, valid_to: TEST_NOW, rate: 0.05, inverse_rate: 20 },
        ],
      },
    ]);
  });

  it.each([
    [{ valid_to: TEST_NOW }, 'Expected a moment after valid_from.'],
    [
      { valid_from: '2026-02-01T00:00:00Z', valid_to: '2026-02-01T01:00:00+01:00' },
      'Expected a moment after valid_from.',
    ],
    [
      { valid_to: '2026-03-01T00:00:00.001Z' },
      'The period reaches into one that is scheduled later.',
    ],
  ])('refuses %j', async (span, message) => {
    const client = await withCredit();
    await setRate(client, { ...usd(0.1), valid_from: '2026-03-01T00:00:00Z' });
    const before = await schedules(client);

    const { errors } = await setRate(client, { ...usd(0.05), ...span }, 422);

    expect(errors).toEqual({ valid_to: [message] });
    expect(await schedules(client)).toEqual(before);
  });

  it('reports source and span at once', async () => {
    const client = await withCredit();
    const body = { source: 'ZZZ', rate: 1, valid_to: '2026-01-01T00:00:00Z' };

    const { errors } = await setRate(client, body, 422);

    expect(errors).toEqual({
      source: ['Expected the code of a currency.'],
      valid_to: ['Expected a moment after valid_from.'],
    });
  });

  it('refuses a currency in itself, and an asset that is not there', async () => {
    const { api } = createTestClient();

    const own = await api('setAssetRate', { path: { assetCode: 'USD' }, body: usd(1) }, 422);
    const unknown = await api('setAssetRate', { path, body: usd(1) }, 422);

    expect(own.errors).toEqual({ source: ['A currency has no rate in itself.'] });
    expect(unknown.errors).toEqual({ assetCode: ['No asset or currency has this code.'] });
  });

  it.each([
    '2026-01-31T24:00:00Z',
    '2026-01-31T10:00:60Z',
    '2026-02-29T10:00:00Z',
    '2026-01-31T10:00:00+24:00',
    '2026-01-31T10:00:00+01:60',
    '2026-01-31T10:00:00',
    '2026-01-31',
  ])('refuses %s as a moment', async (valid_from) => {
    const client = await withCredit();

    const { errors } = await setRate(client, { ...usd(1), valid_from }, 422);

    expect(Object.keys(errors)).toEqual(['valid_from']);
  });
});

describe('quoteAsset', () => {
  const quoteOf = ({ api }: TestClient, body: object, status = 200) =>
    api('quoteAsset', { path, body }, status);

  it.each([
    [1, 20],
    [10, 200],
    [50, 1000],
    [0.12, 2],
  ])('buys with USD %d at 0.05 whole credits: %d', async (amount, bought) => {
    const client = await withCredit({ rates: [usd(0.05)] });

    expect(await quoteOf(client, { source: 'USD', amount })).toEqual({
      source: 'USD',
      source_amount: amount,
      destination: 'CREDIT',
      destination_amount: bought,
      rate: 0.05,
      inverse_rate: 20,
    });
  });

  it.each([
    [0.125, 0, 2], // 2.5, to the even one
    [0.175, 0, 4], // 3.5, to the even one
    [0.125, 1, 2.5],
    [0.0999, 3, 1.998],
  ])('buys with USD %d to %i places: %d', async (amount, precision, bought) => {
    const client = await withCredit({ precision, rates: [usd(0.05)] });

    const { destination_amount } = await quoteOf(client, { source: 'USD', amount });

    expect(destination_amount).toBe(bought);
  });

  it('keeps ten decimals of a currency, whatever its minor units', async () => {
    const { api } = createTestClient();
    const yen = { assetCode: 'JPY' };
    await api('setAssetRate', { path: yen, body: usd(0.007) }, 204);

    const quoted = await api('quoteAsset', { path: yen, body: { source: 'USD', amount: 1 } }, 200);

    expect(quoted).toMatchObject({
      destination_amount: 142.8571428571, // 1 over 0.007
      inverse_rate: 142.857142857,
    });
  });

  it('writes every digit of a large amount', async () => {
    const { send } = await withCredit({ rates: [usd(0.0000000001)] });
    const body = { source: 'USD', amount: 123456789012345 };

    const { text } = await send('quoteAsset', { path, body });

    expect(text).toBe(
      '{"source":"USD","source_amount":123456789012345,"destination":"CREDIT",' +
        '"destination_amount":1234567890123450000000000,"rate":0.0000000001,' +
        '"inverse_rate":10000000000}',
    );
  });

  it('quotes a currency in itself at 1', async () => {
    const { api } = createTestClient();
    const body = { source: 'USD', amount: 12.345 };

    expect(await api('quoteAsset', { path: { assetCode: 'USD' }, body }, 200)).toEqual({
      source: 'USD',
      source_amount: 12.345,
      destination: 'USD',
      destination_amount: 12.345,
      rate: 1,
      inverse_rate: 1,
    });
  });

  it('takes the rate in force now', async () => {
    const client = await withCredit({ rates: [usd(0.05)] });
    await setRate(client, { ...usd(0.5), valid_from: '2026-01-15T12:00:00.001Z' });
    const body = { source: 'USD', amount: 1 };
    const earlier = await quoteOf(client, body);

    const world = client.emulator.worlds.find('key_test_emulator');
    if (world) world.clock.state = { mode: 'frozen', at: instant('2026-01-15T12:00:00.001Z') };
    const later = await quoteOf(client, body);

    expect([earlier.destination_amount, later.destination_amount]).toEqual([20, 2]);
  });

  it.each([
    ['has not begun', { valid_from: '2026-01-15T12:00:00.001Z' }],
    ['has just ended', { valid_from: '2026-01-01T00:00:00Z', valid_to: TEST_NOW }],
  ])('refuses while the only rate %s', async (_, span) => {
    const client = await withCredit();
    await setRate(client, { ...usd(1), ...span });

    const { errors } = await quoteOf(client, { source: 'USD', amount: 1 }, 422);

    expect(errors).toEqual({ source: ['No exchange rate is in force at that time.'] });
  });

  it('refuses sources that have no rate or are no currency, and assets that are not there', async () => {
    const client = await withCredit({ rates: [usd(1)] });
    const unknown = await client.api(
      'quoteAsset',
      { path: { assetCode: 'credit' }, body: { source: 'USD', amount: 1 } },
      422,
    );

    expect(await quoteOf(client, { source: 'EUR', amount: 1 }, 422)).toMatchObject({
      errors: { source: ['No exchange rate is in force at that time.'] },
    });
    expect(await quoteOf(client, { source: 'ZZZ', amount: 1 }, 422)).toMatchObject({
      errors: { source: ['Expected the code of a currency.'] },
    });
    expect(unknown.errors).toEqual({ assetCode: ['No asset or currency has this code.'] });
  });

  it.each([0, -1, 0.00000000001, 1e15, 1e308, '1', null])(
    'refuses an amount of %j',
    async (amount) => {
      const client = await withCredit({ rates: [usd(1)] });

      const { errors } = await quoteOf(client, { source: 'USD', amount }, 422);

      expect(Object.keys(errors)).toEqual(['amount']);
    },
  );
});

describe('a starting rate by its inverse', () => {
  it('is exact, and is answered with its other side to 12 digits', async () => {
    const client = createTestClient();
    const rates = [{ source: 'USD', inverse_rate: 3 }];
    await client.api('createAsset', { body: { code: 'THIRD', name: 'Thirds', rates } }, 201);
    const path = { assetCode: 'THIRD' };
    const quoted = (body: object) =>
      client.api('quoteAsset', { path, body: { source: 'USD', ...body } }, 200);

    // 1,000,000,000,000 × 3; by the rounded rate it would be 3,000,000,000,003.
    expect((await quoted({ amount: 1_000_000_000_000 })).destination_amount).toBe(
      3_000_000_000_000,
    );
    expect(await quoted({ amount: 1 })).toMatchObject({ rate: 0.333333333333, inverse_rate: 3 });
    const { rates: shown } = await client.api('getAsset', { path }, 200);
    expect(shown[0].schedule).toMatchObject([{ rate: 0.333333333333, inverse_rate: 3 }]);
  });

  it('may stand beside a rate that agrees with it to 12 digits', async () => {
    const client = createTestClient();
    const rates = [{ source: 'USD', rate: 3, inverse_rate: 0.333333333333 }];
    const body = { code: 'TRIPLE', name: 'Triples', rates };
    await client.api('createAsset', { body }, 201);
    const even = [{ source: 'USD', rate: 4, inverse_rate: 0.25 }];
    await client.api('createAsset', { body: { ...body, code: 'EVEN', rates: even } }, 201);
    const quote = { path: { assetCode: 'TRIPLE' }, body: { source: 'USD', amount: 9 } };
    expect((await client.api('quoteAsset', quote, 200)).destination_amount).toBe(3);
  });
});

describe('a quote for another time', () => {
  it('takes the rate in force then', async () => {
    const client = createTestClient();
    const rates = [{ source: 'USD', rate: 0.5 }];
    await client.api('createAsset', { body: { code: 'LATER', name: 'Later', rates } }, 201);
    const path = { assetCode: 'LATER' };
    const rate = { source: 'USD', rate: 0.25, valid_from: '2026-02-01T00:00:00Z' };
    await client.api('setAssetRate', { path, body: rate }, 204);
    const quoted = (exchange_at: string, status = 200) =>
      client.api('quoteAsset', { path, body: { source: 'USD', amount: 1, exchange_at } }, status);

    expect((await quoted('2026-01-31T23:59:59Z')).destination_amount).toBe(2);
    expect((await quoted('2026-02-01T00:00:00Z')).destination_amount).toBe(4);
    expect((await quoted('2025-12-31T00:00:00Z', 422)).errors).toHaveProperty('source');
  });
});
