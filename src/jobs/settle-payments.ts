import type { Instant } from '../domain/instant.ts';
import { completePayment } from '../resources/payments/payments.ts';
import { outstandingFee } from '../resources/subscriptions/renewal.ts';
import { DUE } from '../state/schema.ts';
import { job, subscriptionSubject } from './job.ts';

/** The money for a fixed fee arrives from a bank. @assumes A-1103 */
export const settleFees = job({
  kind: 'payment_settlement',
  waiting: ({ tables }) => tables.subscriptions.sorted('settlements', DUE),
  dueAt: ({ payment }) => payment?.settles_at as Instant,
  subject: subscriptionSubject,
  atMostOf: () => 1,
  run(context, subscription) {
    const fee = outstandingFee(context, subscription);
    const { status } = completePayment(context, subscription.id, { outcome: 'succeeded' });
    return { outcome: status, ...(fee && { fee }) };
  },
});

/** The money for a top-up arrives from a bank. @assumes A-1103 */
export const settleTopUps = job({
  kind: 'top_up_settlement',
  waiting: ({ tables }) => tables.top_ups.sorted('settlements', DUE),
  dueAt: ({ payment }) => payment.settles_at as Instant,
  subject: ({ owner, customer_id, id }) => ({ owner, customer_id, top_up_id: id }),
  // What arrives by bank expires in turn.
  atMost: ({ tables }) => 2 * tables.top_ups.sorted('settlements', DUE).length,
  run: (context, { id }) => ({
    outcome: completePayment(context, id, { outcome: 'succeeded' }).status,
  }),
});
