import { api, type Body, call, type OwnProduct } from '../../kit/index.ts';
import { omit } from './fields.ts';

export type Version = Body<'getProductVersion', 200>;

export async function versionOf(
  { id }: Pick<OwnProduct, 'id'>,
  version: string | number = 'default',
): Promise<Version> {
  return api('getProductVersion', { path: { productId: id, version: String(version) } }, 200);
}

/** Adds a version. Without prices in `body` it has those of the newest version. */
export async function addVersion({ id }: Pick<OwnProduct, 'id'>, body: object) {
  const path = { productId: id };
  const whole = 'prices' in body ? body : { ...body, prices: await newestPrices(id) };
  return api('createProductVersion', { path, body: whole as never }, 201);
}

async function newestPrices(id: string): Promise<object[]> {
  const { versions } = await api('getProduct', { path: { productId: id } }, 200);
  const { prices } = await versionOf({ id }, versions[0]?.version);
  return prices.map((price) => omit(price, 'id'));
}

/** The path of a version of a product. */
const versionPath = ({ id }: Pick<OwnProduct, 'id'>, version: number | string) => ({
  productId: id,
  version: String(version),
});

export const patchVersion = (
  product: Pick<OwnProduct, 'id'>,
  version: number | string,
  body: object,
  status: number,
) => call('updateProductVersion', { path: versionPath(product, version), body }, [status]);

export const archiveVersion = (product: Pick<OwnProduct, 'id'>, version: number | string) =>
  api('archiveProductVersion', { path: versionPath(product, version) }, 204);

export const ENTITLEMENT = {
  name: 'Included',
  asset: 'USD',
  amount: 5,
  purpose: 'bundled',
  lifecycle: { duration: 'year', duration_count: 10 },
} as const;
