import { hasFixedFee } from '../domain/fixed-fees.ts';
import { toMillis } from '../domain/instant.ts';
import { runAutoTopUp } from '../resources/payments/auto-top-ups.ts';
import { completePayment } from '../resources/payments/payments.ts';
import { expireTopUp } from '../resources/payments/settle-top-up.ts';
import { outstandingFee } from '../resources/subscriptions/renewal.ts';
import { pricesOf } from '../resources/subscriptions/subscribed-products.ts';
import { awaitPayment } from '../resources/subscriptions/subscription-payment.ts';
import type { TopUpRow } from '../store/records.ts';
import { job, subscriptionSubject } from './job.ts';
import { lengthOf } from './subscription-spans.ts';

/** The payment link of a subscription expires and a new one replaces it. @assumes A-604 */
export const renewPaymentLinks = job({
  kind: 'payment_link_expiry',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  // Links expire repeatedly while a recurring fee has no saved payment method.
  atMostOf({ subscription, versions, collection, times }, settings) {
    const isPaidByLink = collection !== 'collected' && hasFixedFee(pricesOf(versions));
    const hasLinks = subscription.payment || isPaidByLink;
    return hasLinks ? times(lengthOf(settings.payment_link_lifetime)) : 0;
  },
  run(context, subscription) {
    awaitPayment(context, subscription);
    return { outcome: 'replaced' };
  },
});

const topUpSubject = ({ owner, customer_id, id }: TopUpRow) => ({
  owner,
  customer_id,
  top_up_id: id,
});

/** The link of an unpaid top-up expires. @assumes A-1101 */
export const expireTopUps = job({
  kind: 'top_up_link_expiry',
  table: ({ top_ups }) => top_ups,
  subject: topUpSubject,
  atMost: (_world, { waiting }) => waiting,
  run: (context, topUp) => ({ outcome: expireTopUp(context, topUp).status }),
});

/** The link to a portal expires. @assumes A-1104 */
export const expirePortalLinks = job({
  kind: 'portal_link_expiry',
  table: ({ links }) => links,
  subject: ({ owner, customer_id }) => ({ owner, customer_id }),
  run({ tables }, link) {
    tables.links.put({ ...link, expired: true });
    return { outcome: 'expired' };
  },
});

/** A bank transfer for a fixed fee arrives. @assumes A-1103 */
export const settleFees = job({
  kind: 'payment_settlement',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  atMostOf: () => 1,
  run(context, subscription) {
    const fee = outstandingFee(context, subscription);
    const { status } = completePayment(context, subscription.id, { outcome: 'succeeded' });
    return { outcome: status, ...(fee && { fee }) };
  },
});

/** A bank transfer for a top-up arrives. @assumes A-1103 */
export const settleTopUps = job({
  kind: 'top_up_settlement',
  table: ({ top_ups }) => top_ups,
  subject: topUpSubject,
  // The credit of each settled top-up can also expire.
  atMost: (_world, { waiting }) => 2 * waiting,
  run: (context, { id }) => ({
    outcome: completePayment(context, id, { outcome: 'succeeded' }).status,
  }),
});

/** A balance fell below its threshold: the wallet account is topped up automatically. @assumes A-1104, A-1106 */
export const topUpAutomatically = job({
  kind: 'auto_top_up',
  table: ({ auto_top_ups }) => auto_top_ups,
  subject: ({ owner, customer_id, account_id }) => ({
    owner,
    customer_id,
    asset: account_id.slice(account_id.indexOf(':') + 1),
  }),
  // Any other item can lower a balance, or save a payment method for all waiting top-ups, and so cause top-ups. The
  // credit of each top-up expires, which can cause another.
  atMost({ tables, now }, { target, settings, before }) {
    if (tables.auto_top_ups.size === 0) return 0;
    const { top_up_credit_lifetime: lifetime } = settings;
    const span = toMillis(target) - toMillis(now);
    const turns = lifetime === 'none' ? 0 : Math.floor(span / lengthOf(lifetime));
    return before * (2 * (1 + turns) * tables.auto_top_ups.size - 1);
  },
  run: (context, rule) => ({ outcome: runAutoTopUp(context, rule) }),
});
