import { describe, expect, it } from 'vitest';
import { CREDIT_ASSET as CREDIT, usd, withCredit } from '../../testing/catalog.ts';
import { createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';

const path = { assetCode: 'CREDIT' };

/** Changes and reads the rates of CREDIT, by source. */
const setRate = ({ api }: TestClient, body: object, status = 204) =>
  api('setAssetRate', { path, body }, status);
const schedules = async ({ api }: TestClient) => (await api('getAsset', { path })).rates;

describe('createAsset', () => {
  it.each(['◆', '€', '👩‍👩‍👧', '🇳🇴', '👍🏽', 'é', '1️⃣'])(
    'accepts %s as a symbol of one character',
    async (symbol) => {
      const { api } = await withCredit({ symbol });

      expect((await api('getAsset', { path })).symbol).toBe(symbol);
    },
  );

  it.each(['US', '👍👍', '🇳🇴🇸🇪', ''])('rejects the symbol "%s"', async (symbol) => {
    const { api } = createTestClient();

    const { errors } = await api('createAsset', { body: { ...CREDIT, symbol } }, 422);

    expect(Object.keys(errors)).toEqual(['symbol']);
  });

  it('reports all errors at once and stores nothing', async () => {
    const { api } = createTestClient();
    const rates = [usd(1), usd(2), { source: 'JPY', rate: 3 }, { source: 'ZZZ', rate: 4 }];
    const body = { code: 'JPY', name: 'Yen', precision: 2, symbol: 'JP', rates };

    const { errors } = await api('createAsset', { body }, 422);

    expect(errors).toEqual({
      precision: [
        'The precision of a currency is fixed; leave the field out or send that precision.',
      ],
      symbol: ['Expected one character or emoji.'],
      'rates[1].source': ['Each source may be listed once.'],
      'rates[2].source': ['A currency has no exchange rate to itself.'],
      'rates[3].source': ['Expected the code of a currency.'],
    });
    expect((await api('listAssets')).items).toEqual([]);
  });
});

describe('a currency', () => {
  it('exists without being created', async () => {
    const { api } = createTestClient();

    expect(await api('getAsset', { path: { assetCode: 'KWD' } })).toEqual({
      code: 'KWD',
      name: 'Kuwaiti Dinar',
      precision: 3,
      label: 'KWD',
      rates: [],
      created_at: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('setAssetRate', () => {
  it('ends the new rate where a later one starts, and keeps the replaced one as an empty period', async () => {
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
    [{ valid_to: TEST_NOW }, 'Expected a time after valid_from.'],
    [
      { valid_from: '2026-02-01T00:00:00Z', valid_to: '2026-02-01T01:00:00+01:00' },
      'Expected a time after valid_from.',
    ],
    [
      { valid_to: '2026-03-01T00:00:00.001Z' },
      'The period overlaps a period that is scheduled later.',
    ],
  ])('rejects %j and keeps the schedule', async (span, message) => {
    const client = await withCredit();
    await setRate(client, { ...usd(0.1), valid_from: '2026-03-01T00:00:00Z' });
    const before = await schedules(client);

    const { errors } = await setRate(client, { ...usd(0.05), ...span }, 422);

    expect(errors).toEqual({ valid_to: [message] });
    expect(await schedules(client)).toEqual(before);
  });

  it('reports the errors of source and valid_to at once', async () => {
    const client = await withCredit();
    const body = { source: 'ZZZ', rate: 1, valid_to: '2026-01-01T00:00:00Z' };

    const { errors } = await setRate(client, body, 422);

    expect(errors).toEqual({
      source: ['Expected the code of a currency.'],
      valid_to: ['Expected a time after valid_from.'],
    });
  });

  it.each([
    '2026-01-31T24:00:00Z',
    '2026-01-31T10:00:60Z',
    '2026-02-29T10:00:00Z',
    '2026-01-31T10:00:00+24:00',
    '2026-01-31T10:00:00+01:60',
    '2026-01-31T10:00:00',
    '2026-01-31',
  ])('rejects the valid_from %s', async (valid_from) => {
    const client = await withCredit();

    const { errors } = await setRate(client, { ...usd(1), valid_from }, 422);

    expect(Object.keys(errors)).toEqual(['valid_from']);
  });
});

describe('quoteAsset', () => {
  const quoteOf = ({ api }: TestClient, body: object, status = 200) =>
    api('quoteAsset', { path, body }, status);

  it('rounds a currency to ten decimals, regardless of its minor units', async () => {
    const { api } = createTestClient();
    const yen = { assetCode: 'JPY' };
    await api('setAssetRate', { path: yen, body: usd(0.007) }, 204);

    const quoted = await api('quoteAsset', { path: yen, body: { source: 'USD', amount: 1 } });

    expect(quoted).toMatchObject({
      destination_amount: 142.8571428571, // 1 over 0.007
      inverse_rate: 142.857142857,
    });
  });

  it('returns every digit of a large amount', async () => {
    const { send } = await withCredit({ rates: [usd(0.0000000001)] });
    const body = { source: 'USD', amount: 123456789012345 };

    const { text } = await send('quoteAsset', { path, body });

    expect(text).toBe(
      '{"source":"USD","source_amount":123456789012345,"destination":"CREDIT",' +
        '"destination_amount":1234567890123450000000000,"rate":0.0000000001,' +
        '"inverse_rate":10000000000}',
    );
  });

  it('rejects a source without a rate, an unknown currency and an unknown asset', async () => {
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
});
