import { describe, expect, it } from 'vitest';
import { instant } from '../../domain/instant.ts';
import { ofCredit as path, setRate, usd, withCredit } from '../../testing/catalog.ts';
import { createTestClient, TEST_NOW, type TestClient } from '../../testing/client.ts';

describe('quoteAsset', () => {
  const quoteOf = ({ api }: TestClient, body: object, status = 200) =>
    api('quoteAsset', { path, body }, status);

  it.each([
    [1, 20],
    [10, 200],
    [50, 1000],
    [0.12, 2],
  ])('converts %d USD at 0.05 to whole credits: %d', async (amount, bought) => {
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
    [0.125, 0, 2], // 2.5, rounded to even
    [0.175, 0, 4], // 3.5, rounded to even
    [0.125, 1, 2.5],
    [0.0999, 3, 1.998],
  ])('converts %d USD, rounded to %i decimals: %d', async (amount, precision, bought) => {
    const client = await withCredit({ precision, rates: [usd(0.05)] });

    const { destination_amount } = await quoteOf(client, { source: 'USD', amount });

    expect(destination_amount).toBe(bought);
  });

  it('rounds a currency to ten decimals, regardless of its minor units', async () => {
    const { api } = createTestClient();
    const yen = { assetCode: 'JPY' };
    await api('setAssetRate', { path: yen, body: usd(0.007) }, 204);

    const quoted = await api('quoteAsset', { path: yen, body: { source: 'USD', amount: 1 } }, 200);

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

  it('returns the rate 1 from a currency to itself', async () => {
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

  it('uses the rate in force now', async () => {
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
  ])('returns 422 while the only rate %s', async (_, span) => {
    const client = await withCredit();
    await setRate(client, { ...usd(1), ...span });

    const { errors } = await quoteOf(client, { source: 'USD', amount: 1 }, 422);

    expect(errors).toEqual({ source: ['No exchange rate is in force at that time.'] });
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

  it.each([0, -1, 0.00000000001, 1e15, 1e308, '1', null])(
    'rejects an amount of %j',
    async (amount) => {
      const client = await withCredit({ rates: [usd(1)] });

      const { errors } = await quoteOf(client, { source: 'USD', amount }, 422);

      expect(Object.keys(errors)).toEqual(['amount']);
    },
  );
});

describe('quoteAsset with exchange_at', () => {
  it('uses the rate in force at that time', async () => {
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
