import { describe, expect, it } from 'vitest';
import { ofCredit as path, schedules, setRate, usd, withCredit } from '../../testing/catalog.ts';
import { createTestClient, TEST_NOW } from '../../testing/client.ts';

describe('setAssetRate', () => {
  it('starts a rate now and ends the previous one', async () => {
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

  it('rejects a rate from a currency to itself, and an unknown asset', async () => {
    const { api } = createTestClient();

    const own = await api('setAssetRate', { path: { assetCode: 'USD' }, body: usd(1) }, 422);
    const unknown = await api('setAssetRate', { path, body: usd(1) }, 422);

    expect(own.errors).toEqual({ source: ['A currency has no exchange rate to itself.'] });
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
  ])('rejects the valid_from %s', async (valid_from) => {
    const client = await withCredit();

    const { errors } = await setRate(client, { ...usd(1), valid_from }, 422);

    expect(Object.keys(errors)).toEqual(['valid_from']);
  });
});

describe('an initial rate given as inverse_rate', () => {
  it('is used exactly and returned with a rate of 12 digits', async () => {
    const client = createTestClient();
    const rates = [{ source: 'USD', inverse_rate: 3 }];
    await client.api('createAsset', { body: { code: 'THIRD', name: 'Thirds', rates } }, 201);
    const path = { assetCode: 'THIRD' };
    const quoted = (body: object) =>
      client.api('quoteAsset', { path, body: { source: 'USD', ...body } }, 200);

    // 1,000,000,000,000 × 3; with the rounded rate it would be 3,000,000,000,003.
    expect((await quoted({ amount: 1_000_000_000_000 })).destination_amount).toBe(
      3_000_000_000_000,
    );
    expect(await quoted({ amount: 1 })).toMatchObject({ rate: 0.333333333333, inverse_rate: 3 });
    const { rates: shown } = await client.api('getAsset', { path }, 200);
    expect(shown[0].schedule).toMatchObject([{ rate: 0.333333333333, inverse_rate: 3 }]);
  });

  it('may be given with a rate that equals it to 12 digits', async () => {
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
