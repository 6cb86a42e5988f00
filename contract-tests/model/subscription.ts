import { Rational } from '../kit/rational.ts';
import { NEVER } from './account.ts';
import { later, nextAfter } from './calendar.ts';
import type { ContentSketch, EntitlementSketch, FixedPriceSketch, Interval } from './history.ts';

/** A time span in which a subscription had one version. */
export interface SubscriptionPhase {
  readonly version: number;
  readonly from: number;
  to: number;
  readonly isPastDue: boolean;
}

export class Subscription {
  status: 'action_required' | 'active' | 'inactive' | 'scheduled' = 'scheduled';
  /** The instant from which refreshes are counted, and renewals whose interval did not change. */
  anchor: number;
  /** The renewal from which a changed interval is counted. */
  changedAt: number | undefined;
  startedAt = NEVER;
  nextRenewal = NEVER;
  isPastDue = false;
  /** Whether it was paid before its start, which is still ahead. */
  isPaidAhead = false;
  /** The instant from which refreshes continue after a pause or a change of version. Earlier ones are not made up for. */
  refreshFrom = 0;
  /** The recurring fee collected for the current period. */
  collected = Rational.ZERO;
  readonly holdings: SubscriptionPhase[] = [];
  /** Parts of collected fees, deferred until credit is granted, by entitlement and day. */
  readonly shares = new Map<string, Rational>();
  /** Granted entitlements by key, each with the last day of its schedule that was granted. */
  readonly given = new Map<string, number>();
  readonly oneTimes = new Set<string>();

  constructor(
    readonly index: number,
    readonly customer: number,
    readonly product: number,
    public version: number,
    readonly startsAt: number,
  ) {
    this.anchor = startsAt;
  }
}

const fixedPrices = ({ prices }: ContentSketch): FixedPriceSketch[] =>
  prices.filter((price) => price.type === 'fixed');

const sumOf = ({ pricing }: FixedPriceSketch): Rational =>
  Rational.sum(
    (pricing[0]?.values ?? []).map(({ unit_price, quantity = 1 }) =>
      Rational.of(unit_price).times(quantity),
    ),
  );

/** The sum of a version's recurring prices for one period. */
export const recurringFee = (version: ContentSketch): Rational =>
  Rational.sum(
    fixedPrices(version)
      .filter(({ billing_model }) => billing_model.type === 'recurring')
      .map(sumOf),
  );

export const hasFixedFee = (version: ContentSketch): boolean =>
  fixedPrices(version)
    .map(sumOf)
    .some(({ sign }) => sign > 0);

/** The one-time prices that a subscription has not paid yet, and their sum. */
export function dueOnce(version: ContentSketch, oneTimes: ReadonlySet<string>) {
  const due = fixedPrices(version).filter(
    ({ billing_model, name }) => billing_model.type === 'one_time' && !oneTimes.has(name),
  );
  return { names: due.map(({ name }) => name), sum: Rational.sum(due.map(sumOf)) };
}

/** The renewal interval of a version; undefined when it does not renew. */
export function cycleOf(version: ContentSketch): { interval: Interval; every: number } | undefined {
  for (const { billing_model } of fixedPrices(version)) {
    if (billing_model.type !== 'recurring') continue;
    const { interval, interval_count } = billing_model.recurring;
    return { interval, every: interval_count };
  }
  return undefined;
}

export const keyOf = ({ name, asset, place }: EntitlementSketch) => `${name} ${asset} ${place}`;

/** The end of credit granted now: the next day of its schedule, or a duration from now. */
export function endOf({ lifecycle }: EntitlementSketch, anchor: number, now: number): number {
  const { duration, refresh } = lifecycle;
  return refresh ? nextAfter(anchor, duration, 1, now) : later(now, duration, 1);
}

/** The last day of a schedule that is not after an instant. */
export function dayOf({ lifecycle }: EntitlementSketch, anchor: number, now: number): number {
  if (!lifecycle.refresh) return anchor;
  let count = 0;
  while (later(anchor, lifecycle.duration, count + 1) <= now) count += 1;
  return later(anchor, lifecycle.duration, count);
}
