import { anAsset, expect, uniqueAssetCode } from '../../../kit/index.ts';
import { each, itemOf, itemsOf, pick, type Resource } from '../fields.ts';
import { decimals, long, NO_DECIMALS, NO_PRICES, NO_TEXTS, TINY, text } from '../values.ts';
import { assetOf } from '../wallets.ts';

/** What an asset shows after its creation, and its item in the list. */
async function shownAsset(code: string, sent: readonly object[]) {
  const { rates, ...shown } = await assetOf(code);
  for (const { schedule } of rates)
    expect(Date.parse(schedule[0]?.valid_from ?? ''), 'valid_from').not.toBeNaN();
  // Without a label of its own, an asset shows its code.
  const label = shown.label === code ? null : shown.label;
  const first = sent.map((rate, index) =>
    pick({ ...rates[index], ...rates[index]?.schedule[0] }, Object.keys(rate)),
  );
  const item = pick(await itemOf('listAssets', code), ['name']);
  return [{ ...pick(shown, ['name', 'precision', 'symbol']), label, rates: first }, item];
}

/** An inverse rate can be smaller than a rate. */
const INVERSES = [999999999999999, 99999.9999999999, TINY, 1e-14];

/** Lists of one rate. */
const inUsd = (name: string, values: readonly number[]) =>
  each(
    'rates',
    values.map((value) => [{ source: 'USD', [name]: value }]),
  );

const PRECISIONS = [1, 2, 3, 10, 0];

const KEPT_ASSETS = ['◆', '🇪🇺', 'é', '"', '%'].map((symbol, index) => ({
  name: index === 1 ? long(256) : `Contract ${text(index)}`,
  precision: PRECISIONS[index],
  label: `Label ${text(index)}`,
  symbol,
  rates: [
    { source: 'USD', rate: decimals[index] ?? 3 },
    { source: 'EUR', inverse_rate: INVERSES[index] ?? 4 },
  ],
}));

export const assets: Resource = async () => ({
  operation: 'createAsset',
  state: itemsOf('listAssets'),
  required: ['name'],
  apart: ['symbol'],
  request: async (fields) => ({
    body: { code: uniqueAssetCode(), name: 'Contract fields', ...fields },
  }),
  async shown({ code, created_at }, { body }) {
    expect(Date.parse(created_at), 'created_at').not.toBeNaN();
    return shownAsset(code, (body as { rates?: object[] }).rates ?? []);
  },
  presets: { precision: 0, rates: [] },
  kept: KEPT_ASSETS,
  wrong: [
    ...each('name', [undefined, ...NO_TEXTS]),
    ...each('code', [undefined, '', 'A', 'C'.repeat(65), 'ctlower', 'A_B']),
    ...each('precision', [-1, 11, 1.5]),
    ...each('symbol', ['AB']),
  ],
  taken: [async () => ({ code: (await anAsset()).code })],
  besides: { rates: [1, 2].map((rate) => ({ source: 'USD', rate })) },
  beyond: {
    'A-306': each('name', ['', long(257)]),
    'A-303': [
      ...inUsd('rate', NO_PRICES),
      ...inUsd(
        'inverse_rate',
        NO_PRICES.filter((rate) => rate !== 0.00000000001),
      ),
    ],
  },
});

export const assetRates: Resource = async (owners) => {
  const { code: assetCode } = await owners.asset();
  return {
    operation: 'setAssetRate',
    state: () => assetOf(assetCode),
    required: ['rate'],
    request: async (fields) => ({
      path: { assetCode },
      body: { source: 'USD', rate: 1, ...fields },
    }),
    shown: async () => [pick((await assetOf(assetCode)).rates[0]?.schedule[0], ['rate'])],
    kept: each('rate', decimals),
    wrong: [...each('source', [undefined, assetCode]), ...each('rate', [undefined])],
    beyond: { 'A-303': each('rate', NO_PRICES) },
  };
};

export const quotes: Resource = async (owners) => {
  const { code: assetCode } = await owners.asset();
  return {
    operation: 'quoteAsset',
    required: ['amount'],
    request: async (fields) => ({
      path: { assetCode },
      body: { source: 'USD', amount: 1, ...fields },
    }),
    shown: async ({ source_amount: amount }) => [{ amount }],
    kept: each('amount', decimals),
    wrong: [...each('source', [undefined, assetCode]), ...each('amount', [undefined])],
    beyond: { 'A-303': each('amount', NO_DECIMALS), 'A-404': each('amount', [0, -1, -TINY]) },
  };
};
