import type { Settings } from '../config/settings.ts';
import { fixedInterval } from '../domain/fixed-fees.ts';
import { after, FIRST_INSTANT, type Instant, type Interval, toMillis } from '../domain/instant.ts';
import { versionKey } from '../resources/products/product-lookup.ts';
import { pricesOf } from '../resources/subscriptions/subscribed-products.ts';
import type { SubscriptionRow, VersionRow } from '../state/records.ts';
import { DUE } from '../state/schema.ts';
import type { World } from '../state/world.ts';

/** A lower bound of each interval's length, so that repetitions are never counted too few. */
const SHORTEST_MS: Readonly<Record<Interval, number>> = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};

/**
 * How many items can fall due at most before an instant, webhook attempts left out. It looks at each record
 * once, so that it costs little beside doing them; the true number is often lower.
 */
export function mostDue(world: World, target: Instant, settings: Settings): number {
  const { grants, top_ups, auto_top_ups, portal_sessions, subscriptions, assets } = world.tables;
  const singles =
    countUntil(grants.list('expiries', DUE), ({ expires_at }) => expires_at, target) +
    countUntil(portal_sessions.list('links', DUE), ({ expires_at }) => expires_at, target) +
    top_ups.list('links', DUE).length +
    // What arrives by bank expires in turn.
    2 * top_ups.list('settlements', DUE).length;
  let most = singles;
  for (const { schedules } of assets.list('rates', DUE))
    most += 2 * Object.values(schedules).flat().length;
  for (const subscription of subscriptions.values())
    most += mostOf(world, subscription, target, settings);
  return auto_top_ups.size === 0 ? most : most * topUpFactor(world, target, settings);
}

/** Each item may lower a balance, so that it is topped up; what that buys expires in turn. */
function topUpFactor(world: World, target: Instant, settings: Settings): number {
  const { top_up_credit_lifetime: lifetime } = settings;
  const span = toMillis(target) - toMillis(world.now);
  return 2 * (1 + (lifetime === 'none' ? 0 : Math.floor(span / lengthOf(lifetime))));
}

function mostOf(
  { tables }: World,
  subscription: SubscriptionRow,
  target: Instant,
  { payment_link_lifetime }: Settings,
): number {
  const first = firstDue(subscription);
  if (first === undefined || first > target) return 0;
  const span = toMillis(target) - toMillis(first);
  const times = (length: number): number => Math.floor(span / length) + 1;
  const versions = subscription.products.map(
    ({ id, version }) => tables.versions.get(versionKey(id, version)) as VersionRow,
  );
  const { renewal, payment_method, renews_at } = subscription;
  const interval = fixedInterval(pricesOf(versions));
  const asked = renews_at === undefined ? undefined : toMillis(renews_at) - toMillis(first);
  const period = renewal?.span ?? interval ?? (asked && Math.max(1, asked));
  const links = interval !== undefined && (!payment_method || payment_method.declines_later);
  const credit = versions
    .flatMap(({ entitlements }) => entitlements)
    .map(({ lifecycle }) =>
      lifecycle?.refresh
        ? 2 * times(SHORTEST_MS[lifecycle.duration] * lifecycle.duration_count)
        : 1,
    );
  return (
    2 + // A start and a settlement.
    (period === undefined ? 0 : times(typeof period === 'number' ? period : SHORTEST_MS[period])) +
    (links || subscription.payment ? times(lengthOf(payment_link_lifetime)) : 0) +
    credit.reduce((total, count) => total + count, 0)
  );
}

/** When something falls due first for a subscription as it is; nothing happens to it before. */
function firstDue(subscription: SubscriptionRow): Instant | undefined {
  const { status, renews_at, refreshes_at, begins_at, payment } = subscription;
  const running = status === 'active' ? [renews_at, refreshes_at] : [];
  return [...running, begins_at, payment?.settles_at, payment?.expires_at]
    .filter((moment) => moment !== undefined)
    .sort()[0];
}

const lengthOf = (duration: string): number => toMillis(after(FIRST_INSTANT, duration));

/** How many rows of a list in order of instants lie at or before one. */
function countUntil<R>(
  rows: readonly R[],
  instantOf: (row: R) => Instant | null,
  target: Instant,
): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((instantOf(rows[middle] as R) ?? '') <= target) low = middle + 1;
    else high = middle;
  }
  return low;
}
