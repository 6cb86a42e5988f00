import { given } from '../../domain/given.ts';
import type { SubscriptionRow } from '../../store/records.ts';
import type { Context } from '../context.ts';

/** A subscription as responses show it. @assumes */
export function presentSubscription(context: Context, subscription: SubscriptionRow) {
  const { id, status, products, started_at, renews_at, payment } = subscription;
  return {
    id,
    status,
    products: [...products],
    ...given({ started_at, renews_at }),
    required_actions:
      status === 'action_required' && payment
        ? [{ type: 'payment' as const, redirect_url: checkoutUrl(context.baseUrl, payment.token) }]
        : [],
  };
}

/** URL of the hosted payment page. @assumes A-604 */
export const checkoutUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/hosted/checkout/${token}`;
