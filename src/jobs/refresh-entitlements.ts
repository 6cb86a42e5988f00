import type { Instant } from '../domain/instant.ts';
import { grantEntitlements } from '../resources/subscriptions/entitlements.ts';
import { DUE } from '../state/schema.ts';
import { job, subscriptionSubject } from './job.ts';

/** Credit of a running subscription is given anew; what was left of it has expired before. @assumes A-511 */
export const refreshEntitlements = job({
  kind: 'refresh',
  waiting: ({ tables }) => tables.subscriptions.list('refreshes', DUE),
  dueAt: ({ refreshes_at }) => refreshes_at as Instant,
  subject: subscriptionSubject,
  run(context, subscription) {
    grantEntitlements(context, subscription);
    return {};
  },
});
