import { Rational } from '../kit/rational.ts';
import { NEVER } from './account.ts';
import { countBefore, later, nextAfter } from './calendar.ts';
import type { ContentSketch, EntitlementSketch, FixedPriceSketch, Interval } from './history.ts';

/** A product of a subscription, in one of its versions. */
export interface Plan {
  readonly product: number;
  readonly version: number;
}

/** What a subscription has of one product. */
export interface PlanContent extends ContentSketch {
  readonly product: number;
}

/** An entitlement of one of a subscription's products. */
export interface Promised extends EntitlementSketch {
  readonly product: number;
  /** Whether its version has a fixed fee. */
  readonly hasFee: boolean;
}

/** A time span in which a subscription had the same versions. */
export interface SubscriptionPhase {
  readonly plans: readonly Plan[];
  readonly from: number;
  to: number;
  readonly isPastDue: boolean;
}

export class Subscription {
  status: 'action_required' | 'active' | 'inactive' | 'scheduled' = 'scheduled';
  /** The instant from which refreshes are counted, and renewals unless told. */
  anchor: number;
  /** The renewal from which others are counted, with the day that they keep: one asked for, or where the interval changed. */
  countedFrom: { readonly at: number; readonly dayOf: number } | undefined;
  /** The time between renewals that were asked for without recurring prices. */
  span: number | undefined;
  startedAt = NEVER;
  nextRenewal = NEVER;
  isPastDue = false;
  /** Whether it was paid before its start, which is still ahead. */
  isPaidAhead = false;
  /** The instant from which refreshes continue after a pause or a change of version. Earlier ones are not made up for. */
  refreshFrom = 0;
  /** The entitlements, by key, that its versions had when it stopped: as a renewal was not paid, or as it ended. */
  heldWhenStopped: ReadonlySet<string> | undefined;
  /** The recurring fee collected for the current period, and its currency. */
  collected: Fee = { currency: undefined, amount: Rational.ZERO };
  /** The arrival of a payment on its way. */
  arrivesAt = NEVER;
  readonly phases: SubscriptionPhase[] = [];
  /** Parts of collected fees, deferred until credit is granted, by entitlement and day. */
  readonly shares = new Map<string, Rational>();
  /** Granted entitlements by key, each with the last day of its schedule that was granted. */
  readonly given = new Map<string, number>();
  /** The one-time prices that were paid, by product and name. */
  readonly oneTimes = new Set<string>();

  constructor(
    readonly index: number,
    /** Its position among all that is paid for, in the order in which it was made. */
    readonly made: number,
    readonly customer: number,
    public plans: readonly Plan[],
    public startsAt: number,
    /** The first renewal that was asked for. */
    public asked: number | undefined,
  ) {
    this.anchor = startsAt;
  }
}

interface Timed {
  readonly now: number;
}

/** Ends the current phase, and starts one with the subscription's present versions and state. */
export function startPhase(world: Timed, subscription: Subscription, from = world.now): void {
  endPhase(world, subscription);
  const { plans, isPastDue } = subscription;
  subscription.phases.push({ plans, from, to: NEVER, isPastDue });
}

export function endPhase({ now }: Timed, { phases }: Subscription): void {
  const last = phases.at(-1);
  if (last) last.to = Math.min(last.to, now);
}

/** Its plan of a product, or else its first. */
export const planOf = ({ plans }: Subscription, product: number): Plan =>
  plans.find((plan) => plan.product === product) ?? (plans[0] as Plan);

const fixedPrices = ({ prices }: ContentSketch): FixedPriceSketch[] =>
  prices.filter((price) => price.type === 'fixed');

const isRecurring = ({ billing_model }: FixedPriceSketch) => billing_model.type === 'recurring';

/** An amount in a currency, which is undefined if there is no fixed price. */
export interface Fee {
  readonly currency: string | undefined;
  readonly amount: Rational;
}

/** The currencies that all fixed prices have, in the order of the first price. */
export function currenciesOf(contents: readonly PlanContent[]): string[] {
  const [first, ...others] = contents.flatMap(fixedPrices);
  const currencies = first?.pricing.map(({ asset }) => asset) ?? [];
  return currencies.filter((currency) =>
    others.every(({ pricing }) => pricing.some(({ asset }) => asset === currency)),
  );
}

function feeOf(contents: readonly PlanContent[], prices: readonly FixedPriceSketch[]): Fee {
  const [currency] = currenciesOf(contents);
  return { currency, amount: Rational.sum(prices.map((price) => sumOf(price, currency))) };
}

const sumOf = ({ pricing }: FixedPriceSketch, currency: string | undefined): Rational =>
  Rational.sum(
    (pricing.find(({ asset }) => asset === currency)?.values ?? []).map(
      ({ unit_price, quantity = 1 }) => Rational.of(unit_price).times(quantity),
    ),
  );

/** The sum of all recurring prices for one period. */
export const recurringFee = (contents: readonly PlanContent[]): Fee =>
  feeOf(contents, contents.flatMap(fixedPrices).filter(isRecurring));

/** The entitlements of all products, in their order. */
export const entitlementsOf = (contents: readonly PlanContent[]): Promised[] =>
  contents.flatMap((content) => {
    if (content.entitlements.length === 0) return [];
    const hasFee = feeOf([content], fixedPrices(content)).amount.sign > 0;
    return content.entitlements.map((each) => ({ ...each, product: content.product, hasFee }));
  });

/** The one-time prices that a subscription has not paid yet, by product and name, and their sum. */
export function dueOnce(contents: readonly PlanContent[], oneTimes: ReadonlySet<string>) {
  const due = contents.flatMap((content) =>
    fixedPrices(content)
      .filter((price) => !isRecurring(price))
      .map((price) => ({ price, key: `${content.product} ${price.name}` }))
      .filter(({ key }) => !oneTimes.has(key)),
  );
  return {
    keys: due.map(({ key }) => key),
    amount: feeOf(
      contents,
      due.map(({ price }) => price),
    ).amount,
  };
}

/** The different intervals at which prices recur. Only prices that share one can be subscribed to together. */
export function cyclesOf(contents: readonly PlanContent[]): string[] {
  const cycles = contents.flatMap(fixedPrices).flatMap(({ billing_model }) => {
    if (billing_model.type !== 'recurring') return [];
    const { interval, interval_count } = billing_model.recurring;
    return [`${interval_count} ${interval}`];
  });
  return [...new Set(cycles)];
}

interface Cycle {
  readonly interval: Interval;
  readonly every: number;
}

/** The interval at which prices recur; undefined when none does. */
export function cycleOf(contents: readonly PlanContent[]): Cycle | undefined {
  const [every, interval] = cyclesOf(contents)[0]?.split(' ') ?? [];
  return interval === undefined
    ? undefined
    : { interval: interval as Interval, every: Number(every) };
}

export const keyOf = ({ product, name, asset, place }: Promised) =>
  `${product} ${name} ${asset} ${place}`;

/** The end of credit granted now: the next day of its schedule, or a duration from now. */
export function endOf(entitlement: EntitlementSketch, anchor: number, now: number): number {
  const { duration, duration_count = 1, refresh } = entitlement.lifecycle;
  return refresh ? refreshAfter(entitlement, anchor, now) : later(now, duration, duration_count);
}

/** The first day of a schedule that is after an instant. */
export const refreshAfter = ({ lifecycle }: EntitlementSketch, anchor: number, at: number) =>
  nextAfter(anchor, lifecycle.duration, lifecycle.duration_count ?? 1, at);

/** The last day of a schedule that is not after an instant. */
export function dayOf({ lifecycle }: EntitlementSketch, anchor: number, now: number): number {
  const { duration, duration_count = 1, refresh } = lifecycle;
  if (!refresh) return anchor;
  let count = duration_count * countBefore(anchor, duration, duration_count, now);
  while (later(anchor, duration, count + duration_count) <= now) count += duration_count;
  return later(anchor, duration, count);
}

/**
 * Counts renewals from a start: from the one that was asked for, or without recurring prices by the time until then,
 * unless it has passed.
 */
export function countRenewals(subscription: Subscription, isRecurring: boolean): void {
  const { asked, anchor } = subscription;
  if (asked === undefined) return;
  if (isRecurring) subscription.countedFrom = { at: asked, dayOf: asked };
  else if (asked > anchor) subscription.span = asked - anchor;
}

/** The first renewal after now and after the start. */
export function renewalAfter(
  { anchor, countedFrom, span }: Subscription,
  cycle: Cycle | undefined,
  now: number,
): number {
  const since = Math.max(now, anchor);
  if (!cycle)
    return span === undefined ? NEVER : anchor + span * (Math.floor((since - anchor) / span) + 1);
  const { at, dayOf: day } = countedFrom ?? { at: anchor, dayOf: anchor };
  return at > since ? at : nextAfter(at, cycle.interval, cycle.every, since, day);
}
