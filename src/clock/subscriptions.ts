import { fixedInterval } from '../domain/fixed-fees.ts';
import { toMillis } from '../domain/instant.ts';
import { beginSubscription } from '../resources/subscriptions/activation.ts';
import { missCredit } from '../resources/subscriptions/deferred-shares.ts';
import { grantEntitlements } from '../resources/subscriptions/entitlements.ts';
import { renewSubscription } from '../resources/subscriptions/renewal.ts';
import { pricesOf } from '../resources/subscriptions/subscribed-products.ts';
import { job, subscriptionSubject } from './job.ts';
import { SHORTEST_MS, shortestOf } from './subscription-spans.ts';

/** A subscription with a future start begins. @assumes A-603 */
export const startSubscriptions = job({
  kind: 'start',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  run: (context, subscription) => ({ outcome: beginSubscription(context, subscription).status }),
});

/** A period of a running subscription ends and the next one is collected. @assumes A-605 */
export const renewSubscriptions = job({
  kind: 'renewal',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  atMostOf({ subscription, versions, times, firstDue }) {
    const { renewal, renews_at } = subscription;
    const period = renewal?.span ?? fixedInterval(pricesOf(versions));
    if (period !== undefined) return times(shortestOf(period));
    if (renews_at === undefined) return 0;
    return times(Math.max(1, toMillis(renews_at) - toMillis(firstDue)));
  },
  run: (context, subscription) => renewSubscription(context, subscription),
});

/**
 * A running subscription receives new credit; unused credit of the last period has expired before. One that awaits a
 * payment receives none, and the share of a fee that waited for it counts.
 *
 * @assumes
 */
export const refreshEntitlements = job({
  kind: 'refresh',
  table: ({ subscriptions }) => subscriptions,
  subject: subscriptionSubject,
  // Refreshed credit also expires each time; other credit is granted once and expires on its own.
  atMostOf: ({ versions, times }) =>
    versions
      .flatMap(({ entitlements }) => entitlements)
      .map(({ lifecycle }) =>
        lifecycle?.refresh
          ? 2 * times(SHORTEST_MS[lifecycle.duration] * (lifecycle.duration_count ?? 1))
          : 1,
      )
      .reduce((sum, count) => sum + count, 0),
  run(context, subscription) {
    if (subscription.status === 'active') grantEntitlements(context, subscription, 'refresh');
    else missCredit(context, subscription);
    return {};
  },
});
