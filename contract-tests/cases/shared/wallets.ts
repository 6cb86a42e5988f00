import {
  ADDRESSES,
  amount,
  api,
  type Body,
  call,
  expect,
  type OwnObject,
  Rational,
  restOn,
  runMark,
  uniqueAssetCode,
  uuid,
} from '../../kit/index.ts';
import { statsOf } from './customers.ts';

/** The available balance of an account; 0 when it does not exist yet. */
export async function balance({ id }: OwnObject, accountId = 'default:USD'): Promise<Rational> {
  const { accounts } = await api('getWallet', { path: { customerId: id } }, 200);
  const account = accounts.find((one) => one.id === accountId);
  return account ? amount(account, 'available') : Rational.of(0);
}

/** The gross revenue of a customer in the default period. */
export const revenueOf = async (customer: OwnObject): Promise<number> =>
  (await statsOf(customer)).gross_revenue;

/** The change of an account's balance during a step, as a decimal. */
export async function change(
  customer: OwnObject,
  step: () => Promise<unknown>,
  accountId?: string,
): Promise<string> {
  const before = await balance(customer, accountId);
  await step();
  return String((await balance(customer, accountId)).minus(before));
}

/** The grants of an account, newest first. */
export async function grantsOf({ id }: Pick<OwnObject, 'id'>, accountId = 'default:USD') {
  const path = { customerId: id, accountId };
  return (await api('listGrants', { path, query: { limit: 1000 } }, 200)).items;
}

/** A grant of an account; the newest one unless an id is given. */
export async function grantOf(customer: OwnObject, grantId?: string, accountId?: string) {
  const grants = await grantsOf(customer, accountId);
  if (grantId !== undefined) return grants.find(({ id }) => id === grantId);
  const [first, last] = [grants[0], grants.at(-1)].map((grant) => grant?.created_at ?? '');
  await restOn('A-305', (first as string) >= (last as string), 'the oldest grant is listed first');
  return grants[0];
}

/** Expects 422 that names `transaction_id`, for a used id with other content. */
export async function refusedAsOther(
  operation: 'adjustWallet' | 'chargeWallet',
  { id }: OwnObject,
  body: object,
): Promise<void> {
  const answer = await call(operation, { path: { customerId: id }, body }, [422]);
  const { errors } = answer.body as { readonly errors?: object };
  expect(Object.keys(errors ?? {})).toEqual(['transaction_id']);
}

/** Charges a customer. */
export const charged = ({ id }: Pick<OwnObject, 'id'>, changes: object) =>
  api('chargeWallet', { path: { customerId: id }, body: charge(changes) }, 201);

export const charge = (changes: object = {}) => ({
  transaction_id: uuid(),
  asset: 'USD',
  amount: 1.5,
  ...changes,
});

export const request = (customer: OwnObject, changes: object = {}) => ({
  customer_id: customer.id,
  amount: 12.5,
  currency: 'USD',
  ...ADDRESSES,
  metadata: runMark(),
  ...changes,
});

export const initiate = async (customer: OwnObject, changes: object = {}) =>
  api('createTopUp', { body: request(customer, changes) as never }, 201);

/** Fetches a link as a browser does, without following redirects. Returns status, content type and `location`. */
export async function pageAt(url: string) {
  const response = await fetch(url, { headers: { Accept: 'text/html' }, redirect: 'manual' });
  await response.arrayBuffer();
  const { status, headers } = response;
  return { status, type: headers.get('content-type') ?? '', location: headers.get('location') };
}

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
