import { api, type OwnObject } from '../../kit/index.ts';

/** The stats of a customer. */
export const statsOf = ({ id }: Pick<OwnObject, 'id'>) =>
  api('getCustomerStats', { path: { customerId: id } }, 200);

/** The entry of a customer in the stats list. */
export async function statsEntryOf(customer: OwnObject, query: object) {
  const { items } = await api('listCustomerStats', { query: { limit: 1000, ...query } }, 200);
  return items.find(({ id }) => id === customer.id);
}
