import {
  amount,
  api,
  call,
  expect,
  type OwnObject,
  Rational,
  restOn,
  uuid,
} from '../../kit/index.ts';
import { statsOf } from './customer-stats.ts';

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
