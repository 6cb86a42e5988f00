import { api, type Body, uniqueAssetCode } from '../../kit/index.ts';

export type Schedule = Body<'getAsset', 200>['rates'][number]['schedule'];

/** The rates of an asset in USD, newest first. */
export async function scheduleOf(code: string): Promise<Schedule> {
  const { rates } = await api('getAsset', { path: { assetCode: code } }, 200);
  return rates.find(({ source }) => source === 'USD')?.schedule ?? [];
}

export const body = (changes: object) => ({
  code: uniqueAssetCode(),
  name: 'Contract units',
  ...changes,
});
