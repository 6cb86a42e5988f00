import { api, type Body, uniqueAssetCode } from '../../kit/index.ts';

export type Schedule = Body<'getAsset', 200>['rates'][number]['schedule'];

/** The rates of an asset in USD, newest first. */
export async function scheduleOf(code: string): Promise<Schedule> {
  const { rates } = await api('getAsset', { path: { assetCode: code } }, 200);
  return rates.find(({ source }) => source === 'USD')?.schedule ?? [];
}

export const assetOf = (assetCode: string) => api('getAsset', { path: { assetCode } }, 200);

/** Sets a rate of an asset, of 1 USD unless the fields say otherwise. */
export const setRate = (assetCode: string, rate: object) =>
  api('setAssetRate', { path: { assetCode }, body: { source: 'USD', rate: 1, ...rate } }, 204);

/** A quote for an amount of a currency in an asset. */
export const quoteOf = (assetCode: string, amount: number, source = 'USD') =>
  api('quoteAsset', { path: { assetCode }, body: { source, amount } }, 200);

export const body = (changes: object) => ({
  code: uniqueAssetCode(),
  name: 'Contract units',
  ...changes,
});
