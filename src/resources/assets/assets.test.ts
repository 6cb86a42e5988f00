import { describe, expect, it } from 'vitest';
import {
  CREDIT_ASSET as CREDIT,
  ofCredit as path,
  usd,
  withCredit,
} from '../../testing/catalog.ts';
import { createTestClient, TEST_NOW } from '../../testing/client.ts';

describe('createAsset', () => {
  it.each(['◆', '€', '👩‍👩‍👧', '🇳🇴', '👍🏽', 'é', '1️⃣'])(
    'accepts %s as a symbol of one character',
    async (symbol) => {
      const { api } = await withCredit({ symbol });

      expect((await api('getAsset', { path }, 200)).symbol).toBe(symbol);
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
  ])('rejects %j', async (fields, field) => {
    const { api } = createTestClient();

    const { errors } = await api('createAsset', { body: { ...CREDIT, ...fields } }, 422);

    expect(Object.keys(errors)).toEqual([field]);
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

  it('is listed only after createAsset, which succeeds once', async () => {
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

  it('has the number of its minor units as default precision', async () => {
    const { api } = createTestClient();
    await api('createAsset', { body: { code: 'KWD', name: 'Dinar' } }, 201);

    expect((await api('getAsset', { path: { assetCode: 'KWD' } }, 200)).precision).toBe(3);
  });
});
