import { api, type Body, type OwnObject, type OwnProduct } from '../../kit/index.ts';

export type Subscription = Body<'createSubscription', 201>;

export const ADDRESSES = {
  return_url: 'https://contract.invalid/paid',
  failure_url: 'https://contract.invalid/failed',
};

export async function subscribe(customer: OwnObject, body: object): Promise<Subscription> {
  return api('createSubscription', { path: { customerId: customer.id }, body: body as never }, 201);
}

export const to = (product: OwnProduct, changes: object = {}) => ({
  products: [{ id: product.id, ...changes }],
});
