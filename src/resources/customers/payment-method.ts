import type { CustomerRow, PaymentMethod } from '../../store/records.ts';
import type { Context } from '../context.ts';

/** The default payment methods. */
export const TEST_CARD: PaymentMethod = { kind: 'card', last4: '4242', declines_later: false };
export const TEST_ACCOUNT: PaymentMethod = {
  kind: 'bank_debit',
  last4: '6789',
  declines_later: false,
};

/** A payment method of which some is given; the rest is that of the default of its kind. */
export const methodOf = ({
  kind,
  ...given
}: Partial<PaymentMethod> & Pick<PaymentMethod, 'kind'>): PaymentMethod => ({
  ...(kind === 'card' ? TEST_CARD : TEST_ACCOUNT),
  ...given,
});

/** The outcome of a fee that is collected without the customer. */
export type Collection = 'collected' | 'declined' | 'no_payment_method';

/**
 * Whether the customer's saved payment method pays a fee without the customer. Each customer has at most one, for all
 * subscriptions and automatic top-ups.
 *
 * @assumes A-1107
 */
export function collectionBy(context: Pick<Context, 'tables'>, customerId: string): Collection {
  const method = savedMethod(context, customerId);
  if (!method) return 'no_payment_method';
  return method.declines_later ? 'declined' : 'collected';
}

/** The payment method that a customer saved last; undefined if there is none. @assumes A-1107 */
export const savedMethod = (
  { tables }: Pick<Context, 'tables'>,
  customerId: string,
): PaymentMethod | undefined => (tables.customers.get(customerId) as CustomerRow).payment_method;
