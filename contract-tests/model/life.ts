import { Rational } from '../kit/rational.ts';
import { NEVER } from './account.ts';
import {
  countRenewals,
  cycleOf,
  dayOf,
  dueOnce,
  endOf,
  entitlementsOf,
  keyOf,
  type Promised,
  recurringFee,
  refreshAfter,
  renewalAfter,
  type Subscription,
  startPhase,
} from './subscription.ts';
import {
  accountOf,
  contentsOf,
  customerOf,
  earn,
  endCredit,
  giveCredit,
  type ModelWorld,
  worthOf,
} from './world.ts';

/** The amount that a subscription would have to pay now, in the currency of its fees. */
export function costOf(world: ModelWorld, subscription: Subscription): Rational {
  const contents = contentsOf(world, subscription);
  return recurringFee(contents).amount.plus(dueOnce(contents, subscription.oneTimes).amount);
}

/** Collects the fees for the current period, or for the first one when it has not started yet. */
export function collect(world: ModelWorld, subscription: Subscription): void {
  const contents = contentsOf(world, subscription);
  const amount = costOf(world, subscription);
  for (const key of dueOnce(contents, subscription.oneTimes).keys) subscription.oneTimes.add(key);
  subscription.collected = recurringFee(contents);
  subscription.nextRenewal = renewalAfter(subscription, cycleOf(contents), world.now);
  if (amount.sign > 0) forgo(world, subscription);
  const { currency = 'USD' } = subscription.collected;
  const worth = worthOf(world, currency, amount, world.now);
  earn(world, subscription.customer, worth.minus(defer(world, subscription, worth)));
}

/** Makes a subscription active. */
export function activated(
  world: ModelWorld,
  subscription: Subscription,
  changes: Partial<Subscription> = {},
): void {
  Object.assign(subscription, { status: 'active', arrivesAt: NEVER, ...changes });
  countRenewals(subscription, cycleOf(contentsOf(world, subscription)) !== undefined);
  subscription.asked = undefined;
}

/** Makes a subscription active now: collects its fee and grants its credit. */
export function begin(
  world: ModelWorld,
  subscription: Subscription,
  changes: Partial<Subscription>,
): void {
  activated(world, subscription, changes);
  startPhase(world, subscription);
  collect(world, subscription);
  giveDue(world, subscription);
}

const SLACK = 1e-6;

/**
 * Sets shares of a fee aside for the bundled credit due before the next fee, or due now when no fee follows. Returns
 * their sum.
 */
function defer(world: ModelWorld, subscription: Subscription, fee: Rational): Rational {
  if (fee.sign === 0) return fee;
  const { anchor, nextRenewal, shares } = subscription;
  const from = Math.max(anchor, world.now);
  const contents = contentsOf(world, subscription);
  // A renewal without a recurring fee collects nothing.
  const until = recurringFee(contents).amount.sign > 0 ? nextRenewal : from + 1;
  const wanted = entitlementsOf(contents)
    .filter(({ purpose, hasFee }) => purpose === 'bundled' && hasFee)
    .flatMap((entitlement) => {
      const { amount, accounting } = entitlement;
      const worth = Rational.of(amount).times(accounting?.revenue_basis ?? 0);
      return daysOf(world, subscription, entitlement, from, until).map((day) => ({
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

const shareKey = (entitlement: Promised, day: number) => `${keyOf(entitlement)}@${day}`;

/** The days of an entitlement's schedule before `until` on which credit is still to be granted. */
function daysOf(
  world: ModelWorld,
  subscription: Subscription,
  entitlement: Promised,
  from: number,
  until: number,
): number[] {
  const { anchor } = subscription;
  const { lifecycle } = entitlement;
  const last = lastDayOf(world, subscription, entitlement);
  if (!lifecycle.refresh) return last === undefined ? [dayOf(entitlement, anchor, from)] : [];
  const days: number[] = [];
  let day = dayOf(entitlement, anchor, from);
  while (day < until) {
    if (last === undefined || day > last) days.push(day);
    day = refreshAfter(entitlement, anchor, day);
  }
  return days;
}

/** The day of its schedule up to which an entitlement has been granted, or was skipped; undefined before the first. */
export function lastDayOf({ now }: ModelWorld, subscription: Subscription, entitlement: Promised) {
  const { given, refreshFrom, heldWhenStopped } = subscription;
  const key = keyOf(entitlement);
  const last = given.get(key);
  if (last === undefined) return undefined;
  // What was not held when the subscription stopped waits for the next day.
  const isMissed = heldWhenStopped?.has(key) ?? true;
  return Math.max(last, refreshFrom, isMissed ? 0 : now);
}

/** Grants the credit of each entitlement of the versions that is due by now, or only what was never granted. */
export function giveDue(world: ModelWorld, subscription: Subscription, isNewOnly = false): void {
  for (const entitlement of entitlementsOf(contentsOf(world, subscription))) {
    const last = lastDayOf(world, subscription, entitlement);
    const day = dayOf(entitlement, subscription.anchor, world.now);
    if (last === undefined || (!isNewOnly && entitlement.lifecycle.refresh && day > last))
      give(world, subscription, entitlement, day);
    else subscription.given.set(keyOf(entitlement), last);
  }
  subscription.heldWhenStopped = undefined;
}

/** Notes what a subscription holds as it stops, unless it has stopped before. */
export function stop(world: ModelWorld, subscription: Subscription): void {
  subscription.heldWhenStopped ??= new Set(
    entitlementsOf(contentsOf(world, subscription)).map(keyOf),
  );
}

/** Removes and returns the share set aside for a grant; undefined when there is none. Only bundled credit has shares. */
function takeShare({ shares }: Subscription, entitlement: Promised, day: number) {
  if (entitlement.purpose !== 'bundled') return undefined;
  const key = shareKey(entitlement, day);
  const share = shares.get(key);
  shares.delete(key);
  return share;
}

export function give(
  world: ModelWorld,
  subscription: Subscription,
  entitlement: Promised,
  day: number,
) {
  const { anchor, customer, index } = subscription;
  const key = keyOf(entitlement);
  subscription.given.set(key, day);
  const expiresAt = endOf(entitlement, anchor, world.now);
  const amount = Rational.of(entitlement.amount);
  const share = takeShare(subscription, entitlement, day);
  const basis = entitlement.accounting?.revenue_basis ?? 0;
  const { asset, purpose, priority, hasFee } = entitlement;
  const rolls = entitlement.lifecycle.refresh?.strategy === 'rollover';
  if (rolls)
    for (const credit of creditsOf(world, subscription, key))
      if (credit.left.sign > 0) credit.expiresAt = expiresAt;
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
    .filter(({ from }) => from?.subscription === index && from.key === key);

/**
 * Prepares a new period: credit with a refresh can be granted again, and its old credit, used up or not, ends unless it
 * rolls over.
 */
export function reopen(world: ModelWorld, subscription: Subscription): void {
  for (const entitlement of entitlementsOf(contentsOf(world, subscription))) {
    const key = keyOf(entitlement);
    if (!entitlement.lifecycle.refresh) continue;
    subscription.given.delete(key);
    if (entitlement.lifecycle.refresh.strategy === 'rollover') continue;
    const account = accountOf(customerOf(world, subscription.customer), entitlement.asset);
    for (const credit of creditsOf(world, subscription, key)) {
      if (credit.expiresAt <= world.now) continue;
      if (credit.left.sign > 0) endCredit(world, subscription.customer, account, credit);
      credit.expiresAt = world.now;
    }
  }
}

/** The first day on which credit with a share is due. */
export const firstShareDay = ({ shares }: Subscription): number =>
  Math.min(NEVER, ...[...shares.keys()].map(dayOfKey));

const dayOfKey = (key: string) => Number(key.split('@')[1]);

/** Counts the shares of credit that was due by now but not granted as revenue. */
export function forgoMissed(world: ModelWorld, { shares, customer }: Subscription): void {
  for (const [key, share] of shares) {
    if (dayOfKey(key) > world.now) continue;
    earn(world, customer, share);
    shares.delete(key);
  }
}

/** Counts the shares of credit that will no longer be granted as revenue. */
export function forgo(world: ModelWorld, { shares, customer }: Subscription): void {
  for (const share of shares.values()) earn(world, customer, share);
  shares.clear();
}
