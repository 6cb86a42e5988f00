import { api, type Body, type OwnProduct } from '../../kit/index.ts';

export type Version = Body<'getProductVersion', 200>;

export async function versionOf(
  { id }: Pick<OwnProduct, 'id'>,
  version: string | number = 'default',
): Promise<Version> {
  return api('getProductVersion', { path: { productId: id, version: String(version) } }, 200);
}

export const addVersion = async ({ id }: Pick<OwnProduct, 'id'>, body: object) =>
  api('createProductVersion', { path: { productId: id }, body: body as never }, 201);

export const ENTITLEMENT = {
  name: 'Included',
  asset: 'USD',
  amount: 5,
  purpose: 'bundled',
} as const;
