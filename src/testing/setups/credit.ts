import { createTestClient, type TestClient } from '../client.ts';

/** For tests of assets: CREDIT, and functions that change and read it. */
export const CREDIT_ASSET = { code: 'CREDIT', name: 'Credits' };
export const ofCredit = { assetCode: 'CREDIT' };
export const usd = (rate: number) => ({ source: 'USD', rate });

/** A client whose world has CREDIT, with further fields if given. */
export async function withCredit(fields: object = {}): Promise<TestClient> {
  const client = createTestClient();
  await client.api('createAsset', { body: { ...CREDIT_ASSET, ...fields } }, 201);
  return client;
}

export const setRate = ({ api }: TestClient, body: object, status = 204) =>
  api('setAssetRate', { path: ofCredit, body }, status);

/** The rates of CREDIT, by source. */
export const schedules = async ({ api }: TestClient) =>
  (await api('getAsset', { path: ofCredit }, 200)).rates;
