import type { Instant } from '../domain/instant.ts';
import { beginSubscription } from '../resources/subscriptions/activation.ts';
import { DUE } from '../state/schema.ts';
import { job, subscriptionSubject } from './job.ts';

/** A subscription begins at a start that lay ahead. @assumes A-603 */
export const startSubscriptions = job({
  kind: 'start',
  waiting: ({ tables }) => tables.subscriptions.sorted('starts', DUE),
  dueAt: ({ begins_at }) => begins_at as Instant,
  subject: subscriptionSubject,
  run: (context, subscription) => ({ outcome: beginSubscription(context, subscription).status }),
});
