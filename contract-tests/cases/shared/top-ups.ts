import { ADDRESSES, api, type OwnObject, runMark } from '../../kit/index.ts';

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
