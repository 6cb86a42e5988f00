import type { Instant } from '../domain/instant.ts';
import { grantEntitlements } from '../resources/subscriptions/entitlements.ts';
import { DUE } from '../state/schema.ts';
import { job, subscriptionSubject } from './job.ts';
import { SHORTEST_MS } from './subscription-spans.ts';

/** Credit of a running subscription is given anew; what was left of it has expired before. @assumes A-511 */
export const refreshEntitlements = job({
  kind: 'refresh',
  waiting: ({ tables }) => tables.subscriptions.sorted('refreshes', DUE),
  dueAt: ({ refreshes_at }) => refreshes_at as Instant,
  subject: subscriptionSubject,
  // Credit that is given again expires as often; other credit is given once and expires by its own end.
  atMostOf: ({ versions, times }) =>
    versions
      .flatMap(({ entitlements }) => entitlements)
      .map(({ lifecycle }) =>
        lifecycle?.refresh
          ? 2 * times(SHORTEST_MS[lifecycle.duration] * lifecycle.duration_count)
          : 1,
      )
      .reduce((sum, count) => sum + count, 0),
  run(context, subscription) {
    grantEntitlements(context, subscription, 'refresh');
    return {};
  },
});
