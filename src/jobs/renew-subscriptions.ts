import { type Instant, toMillis } from '../domain/instant.ts';
import { renewSubscription } from '../resources/subscriptions/renewal.ts';
import { DUE } from '../state/schema.ts';
import { job, subscriptionSubject } from './job.ts';
import { feeInterval, shortestOf } from './subscription-spans.ts';

/** A period of a running subscription ends and the next is collected. @assumes A-605 */
export const renewSubscriptions = job({
  kind: 'renewal',
  waiting: ({ tables }) => tables.subscriptions.sorted('renewals', DUE),
  dueAt: ({ renews_at }) => renews_at as Instant,
  subject: subscriptionSubject,
  atMostOf({ subscription, versions, times, firstDue }) {
    const { renewal, renews_at } = subscription;
    const period = renewal?.span ?? feeInterval(versions);
    if (period !== undefined) return times(shortestOf(period));
    if (renews_at === undefined) return 0;
    return times(Math.max(1, toMillis(renews_at) - toMillis(firstDue)));
  },
  run: (context, subscription) => renewSubscription(context, subscription),
});
