import { Rational } from '../kit/rational.ts';
import { NEVER } from './account.ts';
import { nextAfter } from './calendar.ts';
import type { EntitlementSketch } from './history.ts';
import {
  cycleOf,
  dayOf,
  dueOnce,
  endOf,
  hasFixedFee,
  keyOf,
  recurringFee,
  type Subscription,
} from './subscription.ts';
import {
  accountOf,
  customerOf,
  earn,
  endCredit,
  giveCredit,
  type ModelWorld,
  versionOf,
} from './world.ts';

/** What a subscription would have to pay now. */
export function costOf(world: ModelWorld, subscription: Subscription): Rational {
  const version = versionOf(world, subscription);
  return recurringFee(version).plus(dueOnce(version, subscription.oneTimes).sum);
}

/** Ends the running stretch and begins one with what holds from now on. */
export function hold(world: ModelWorld, subscription: Subscription, from = world.now): void {
  release(world, subscription);
  const { version, isPastDue } = subscription;
  subscription.holdings.push({ version, from, to: NEVER, isPastDue });
}

export function release({ now }: ModelWorld, { holdings }: Subscription): void {
  const last = holdings.at(-1);
  if (last) last.to = Math.min(last.to, now);
}

/** Collects what is due for the period that begins at the anchor or holds now. */
export function collect(world: ModelWorld, subscription: Subscription): void {
  const version = versionOf(world, subscription);
  const amount = costOf(world, subscription);
  for (const name of dueOnce(version, subscription.oneTimes).names) subscription.oneTimes.add(name);
  subscription.collected = recurringFee(version);
  subscription.nextRenewal = renewalAfter(world, subscription);
  forgo(world, subscription);
  earn(world, subscription.customer, amount.minus(defer(world, subscription, amount)));
}

export function renewalAfter(world: ModelWorld, subscription: Subscription): number {
  const cycle = cycleOf(versionOf(world, subscription));
  const { anchor } = subscription;
  if (!cycle) return NEVER;
  return nextAfter(anchor, cycle.interval, cycle.every, Math.max(world.now, anchor));
}

const SLACK = 1e-6;

/** Sets shares of a fee aside for the bundled credit due before the next one; answers their sum. */
function defer(world: ModelWorld, subscription: Subscription, fee: Rational): Rational {
  if (fee.sign === 0) return fee;
  const { anchor, nextRenewal, shares } = subscription;
  const from = Math.max(anchor, world.now);
  const wanted = versionOf(world, subscription)
    .entitlements.filter(({ purpose }) => purpose === 'bundled')
    .flatMap((entitlement) => {
      const { amount, accounting } = entitlement;
      const worth = Rational.of(amount).times(accounting?.revenue_basis ?? 0);
      return daysOf(subscription, entitlement, from, nextRenewal).map((day) => ({
        key: shareKey(entitlement, day),
        day,
        worth,
      }));
    })
    .filter(({ worth }) => worth.sign > 0)
    .sort((left, right) => left.day - right.day);
  let sum = Rational.sum(wanted.map(({ worth }) => worth));
  let rest = sum.min(fee);
  const total = rest;
  for (const { key, worth } of wanted) {
    const exact = rest.times(worth).over(sum);
    const share = exact.rounded(10);
    if (!share.equals(exact)) world.slack = SLACK;
    shares.set(key, share);
    [rest, sum] = [rest.minus(share), sum.minus(worth)];
  }
  return total;
}

const shareKey = (entitlement: EntitlementSketch, day: number) => `${keyOf(entitlement)}@${day}`;

/** The days of an entitlement's schedule that are still to be given before an end. */
function daysOf(
  subscription: Subscription,
  entitlement: EntitlementSketch,
  from: number,
  until: number,
): number[] {
  const { anchor, given } = subscription;
  const { lifecycle } = entitlement;
  const last = given.get(keyOf(entitlement));
  if (!lifecycle?.refresh) return last === undefined ? [dayOf(entitlement, anchor, from)] : [];
  if (until === NEVER) return [dayOf(entitlement, anchor, from)];
  const days: number[] = [];
  let day = dayOf(entitlement, anchor, from);
  while (day < until) {
    if (last === undefined || day > last) days.push(day);
    day = nextAfter(anchor, lifecycle.duration, 1, day);
  }
  return days;
}

/** Gives each entitlement of the version that is due on a day of its schedule that has come. */
export function giveDue(world: ModelWorld, subscription: Subscription, isNewOnly = false): void {
  for (const entitlement of versionOf(world, subscription).entitlements) {
    const last = subscription.given.get(keyOf(entitlement));
    const day = dayOf(entitlement, subscription.anchor, world.now);
    if (last === undefined || (!isNewOnly && entitlement.lifecycle?.refresh && day > last))
      give(world, subscription, entitlement, day);
  }
}

/** The share that waits for a grant; one that is no bundled credit carries none. */
function takeShare({ shares }: Subscription, entitlement: EntitlementSketch, day: number) {
  if (entitlement.purpose !== 'bundled') return undefined;
  const key = shareKey(entitlement, day);
  const share = shares.get(key);
  shares.delete(key);
  return share;
}

export function give(
  world: ModelWorld,
  subscription: Subscription,
  entitlement: EntitlementSketch,
  day: number,
) {
  const { anchor, customer, index } = subscription;
  const key = keyOf(entitlement);
  subscription.given.set(key, day);
  const expiresAt = endOf(entitlement, anchor, world.now);
  const amount = Rational.of(entitlement.amount);
  const share = takeShare(subscription, entitlement, day);
  const basis = entitlement.accounting?.revenue_basis ?? 0;
  const hasFee = hasFixedFee(versionOf(world, subscription));
  const { asset, purpose, priority } = entitlement;
  const rolls = entitlement.lifecycle?.refresh?.strategy === 'rollover';
  if (rolls) for (const credit of creditsOf(world, subscription, key)) credit.expiresAt = expiresAt;
  giveCredit(world, customer, {
    source: 'entitlement',
    asset,
    purpose,
    amount,
    effectiveAt: world.now,
    expiresAt,
    worth: share ?? (hasFee ? Rational.ZERO : amount.times(basis).rounded(10)),
    countsAlways: share !== undefined,
    rolls,
    from: { subscription: index, key },
    ...(priority !== undefined && { priority }),
  });
}

const creditsOf = (world: ModelWorld, { customer, index }: Subscription, key: string) =>
  [...customerOf(world, customer).accounts.values()]
    .flatMap(({ credits }) => credits)
    .filter(({ from, left }) => from?.subscription === index && from.key === key && left.sign > 0);

/** Begins a period now: its fee was collected, and credit that refreshes is given anew. */
export function reopen(world: ModelWorld, subscription: Subscription): void {
  const { entitlements } = versionOf(world, subscription);
  for (const entitlement of entitlements) {
    const key = keyOf(entitlement);
    if (!entitlement.lifecycle?.refresh) continue;
    subscription.given.delete(key);
    if (entitlement.lifecycle.refresh.strategy === 'rollover') continue;
    const account = accountOf(customerOf(world, subscription.customer), entitlement.asset);
    for (const credit of creditsOf(world, subscription, key)) {
      endCredit(world, subscription.customer, account, credit);
      credit.expiresAt = world.now;
    }
  }
}

/** The first day on which credit with a share is due. */
export const firstShareDay = ({ shares }: Subscription): number =>
  Math.min(NEVER, ...[...shares.keys()].map(dayOfKey));

const dayOfKey = (key: string) => Number(key.split('@')[1]);

/** Counts the shares of credit that was due by now and not given. */
export function forgoMissed(world: ModelWorld, { shares, customer }: Subscription): void {
  for (const [key, share] of shares) {
    if (dayOfKey(key) > world.now) continue;
    earn(world, customer, share);
    shares.delete(key);
  }
}

/** Counts the shares of credit that will not be given any more. */
export function forgo(world: ModelWorld, { shares, customer }: Subscription): void {
  for (const share of shares.values()) earn(world, customer, share);
  shares.clear();
}
