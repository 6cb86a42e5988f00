import type { Instant } from '../domain/instant.ts';
import { renewSubscription } from '../resources/subscriptions/renewal.ts';
import { DUE } from '../state/schema.ts';
import { job, subscriptionSubject } from './job.ts';

/** A period of a running subscription ends and the next is collected. @assumes A-605 */
export const renewSubscriptions = job({
  kind: 'renewal',
  waiting: ({ tables }) => tables.subscriptions.list('renewals', DUE),
  dueAt: ({ renews_at }) => renews_at as Instant,
  subject: subscriptionSubject,
  run: (context, subscription) => renewSubscription(context, subscription),
});
