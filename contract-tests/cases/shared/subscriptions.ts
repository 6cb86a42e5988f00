import {
  api,
  type Body,
  call,
  completePaymentPage,
  eventually,
  type OwnObject,
  type OwnProduct,
} from '../../kit/index.ts';

export type Subscription = Body<'createSubscription', 201>;

export const subscribe = async (customer: OwnObject, body: object): Promise<Subscription> =>
  api('createSubscription', { path: { customerId: customer.id }, body: body as never }, 201);

export const to = (product: OwnProduct, changes: object = {}) => ({
  products: [{ id: product.id, ...changes }],
});

/** A customer by id. */
export const detailOf = ({ id }: Pick<OwnObject, 'id'>) =>
  api('getCustomer', { path: { customerId: id } }, 200);

/** A subscription as `getCustomer` returns it. */
export async function shown(customer: OwnObject, id: string): Promise<Subscription> {
  const { subscriptions } = await detailOf(customer);
  return subscriptions?.find((one) => one.id === id) as Subscription;
}

/** A customer created with these subscriptions. */
export const withSubscriptions = (subscriptions: readonly object[]) =>
  api('createCustomer', { body: { name: 'Contract inline', subscriptions } as never }, 201);

/** Updates a subscription. */
export const update = (customer: OwnObject, subscriptionId: string, body: object) =>
  call('updateSubscription', { path: { customerId: customer.id, subscriptionId }, body }, [204]);

/** Moves a subscription to another version of its product. */
export const moveTo = (
  customer: OwnObject,
  subscriptionId: string,
  product: Pick<OwnProduct, 'id'>,
  version: unknown,
) => {
  const path = { customerId: customer.id, subscriptionId, productId: product.id };
  return call('updateSubscriptionProduct', { path, body: { version } }, [204]);
};

/** Makes the payment that a subscription requires, and waits until it is active. */
export async function pay(
  customer: OwnObject,
  { id, required_actions }: Subscription,
): Promise<Subscription> {
  await completePaymentPage(required_actions?.[0]?.redirect_url ?? '', 'paid');
  return eventually(
    () => shown(customer, id),
    ({ status }) => status === 'active',
  );
}

/** A one-time price. */
export const ONE_TIME = {
  name: 'Set-up',
  type: 'fixed',
  billing_model: { type: 'one_time' },
  pricing: [{ asset: 'USD', values: [{ unit_price: 20 }] }],
};
