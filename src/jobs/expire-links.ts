import { hasFixedFee } from '../domain/fixed-fees.ts';
import { expireTopUp } from '../resources/payments/settle-top-up.ts';
import { pricesOf } from '../resources/subscriptions/subscribed-products.ts';
import { awaitPayment } from '../resources/subscriptions/subscription-payment.ts';
import type { PaymentSession } from '../state/records.ts';
import { DUE } from '../state/schema.ts';
import { job, subscriptionSubject } from './job.ts';
import { lengthOf } from './subscription-spans.ts';

/** The payment link of a subscription runs out, and the next one is issued. @assumes A-604 */
export const renewPaymentLinks = job({
  kind: 'payment_link_expiry',
  waiting: ({ tables }) => tables.subscriptions.sorted('links', DUE),
  dueAt: ({ payment }) => (payment as PaymentSession).expires_at,
  subject: subscriptionSubject,
  // A link is issued again and again where a fee recurs that no saved method pays.
  atMostOf({ subscription, versions, times }, settings) {
    const { payment, payment_method } = subscription;
    const isPaidByLink = !payment_method || payment_method.declines_later;
    const hasLinks = payment || (isPaidByLink && hasFixedFee(pricesOf(versions)));
    return hasLinks ? times(lengthOf(settings.payment_link_lifetime)) : 0;
  },
  run(context, subscription) {
    awaitPayment(context, subscription);
    return { outcome: 'replaced' };
  },
});

/** The link of a top-up runs out before it was paid. @assumes A-1101 */
export const expireTopUps = job({
  kind: 'top_up_link_expiry',
  waiting: ({ tables }) => tables.top_ups.sorted('links', DUE),
  dueAt: ({ payment }) => payment.expires_at,
  subject: ({ owner, customer_id, id }) => ({ owner, customer_id, top_up_id: id }),
  atMost: ({ tables }) => tables.top_ups.sorted('links', DUE).length,
  run: (context, topUp) => ({ outcome: expireTopUp(context, topUp).status }),
});

/** The link to a portal runs out. @assumes A-1104 */
export const expirePortalLinks = job({
  kind: 'portal_link_expiry',
  waiting: ({ tables }) => tables.portal_sessions.sorted('links', DUE),
  dueAt: ({ expires_at }) => expires_at,
  subject: ({ owner, customer_id, id }) => ({
    owner,
    customer_id,
    portal_session_id: id,
  }),
  run({ tables }, session) {
    tables.portal_sessions.put({ ...session, expired: true });
    return { outcome: 'expired' };
  },
});
