import { Rational } from '../kit/rational.ts';
import { NEVER } from './account.ts';
import { type ActionContents, DAY, type PaymentMethod, type PaymentOutcome } from './history.ts';
import { activated, begin, collect, costOf, forgo, giveDue, reopen, stop } from './life.ts';
import {
  currenciesOf,
  cycleOf,
  cyclesOf,
  endPhase,
  type Plan,
  recurringFee,
  renewalAfter,
  Subscription,
  startPhase,
} from './subscription.ts';
import {
  contentsOf,
  customerOf,
  hasGoodMethod,
  type ModelWorld,
  openAccounts,
  tryAgain,
} from './world.ts';

/** Whether versions can be held by one subscription: their fixed prices share an interval, if any, and a currency. */
export function agree(world: ModelWorld, plans: readonly Plan[]): boolean {
  const contents = contentsOf(world, { plans });
  const hasFixed = contents.some(({ prices }) => prices.some(({ type }) => type === 'fixed'));
  return cyclesOf(contents).length < 2 && (!hasFixed || currenciesOf(contents).length > 0);
}

/** Subscribes a customer to some versions: `starts` milliseconds from now, `renews` after that for the first time. */
export function subscribe(
  world: ModelWorld,
  { customer, plans }: Pick<Subscription, 'customer' | 'plans'>,
  { starts = 0, renews }: Pick<ActionContents['subscribe'], 'starts' | 'renews'>,
): Subscription {
  const [index, startsAt] = [world.subscriptions.length, world.now + starts];
  const asked = renews === undefined ? undefined : startsAt + renews;
  const subscription = new Subscription(index, world.made, customer, plans, startsAt, asked);
  world.made += 1;
  world.subscriptions.push(subscription);
  openAccounts(world, subscription);
  if (costOf(world, subscription).sign > 0) awaitPayment(subscription);
  else if (starts === 0) activate(world, subscription);
  return subscription;
}

function activate(world: ModelWorld, subscription: Subscription): void {
  const startsAt = Math.max(subscription.startsAt, world.now);
  activated(world, subscription, { startedAt: startsAt, anchor: startsAt });
  startPhase(world, subscription, startsAt);
  collect(world, subscription);
  if (startsAt > world.now) subscription.isPaidAhead = true;
  else giveDue(world, subscription);
}

/** Makes a subscription wait for its payment. */
function awaitPayment(subscription: Subscription): void {
  Object.assign(subscription, { status: 'action_required', arrivesAt: NEVER });
}

/** Makes the payment that a subscription awaits, with a method that is saved if it succeeds. */
export function pay(
  world: ModelWorld,
  subscription: Subscription,
  outcome: PaymentOutcome,
  method: PaymentMethod,
): void {
  const { customer, arrivesAt } = subscription;
  if (outcome === 'processing') subscription.arrivesAt = Math.min(arrivesAt, world.now + DAY);
  else if (outcome === 'succeeded') {
    saveMethod(world, customer, method);
    settle(world, subscription);
    payUnpaid(world, customer);
  } else subscription.arrivesAt = NEVER;
}

/** Saves a payment method, with which automatic top-ups that came to nothing are tried again. */
export function saveMethod(world: ModelWorld, customer: number, method: PaymentMethod): void {
  customerOf(world, customer).saved = method;
  tryAgain(world, (rule) => rule.customer === customer && (rule.awaitsMethod || rule.awaitsRate));
}

/** Pays, with a saved method that is good, the renewals and reactivations that are unpaid. */
export function payUnpaid(world: ModelWorld, customer: number): void {
  if (!hasGoodMethod(world, customer)) return;
  for (const subscription of world.subscriptions) {
    const { status, startedAt, arrivesAt } = subscription;
    const isUnpaid = status === 'action_required' && startedAt !== NEVER && arrivesAt === NEVER;
    if (subscription.customer === customer && isUnpaid) settle(world, subscription);
  }
}

function settle(world: ModelWorld, subscription: Subscription): void {
  if (subscription.startedAt === NEVER) activate(world, subscription);
  else if (subscription.isPastDue) begin(world, subscription, { isPastDue: false });
  else beginPeriod(world, subscription);
}

/** Starts a new period of an ended subscription. */
function beginPeriod(world: ModelWorld, subscription: Subscription): void {
  if (subscription.startedAt === NEVER) {
    activate(world, subscription);
    return;
  }
  reopen(world, subscription);
  begin(world, subscription, { anchor: world.now, countedFrom: undefined, span: undefined });
}

/** Reactivates a subscription that has ended. If it costs something, this requires a payment. */
export function reactivate(world: ModelWorld, subscription: Subscription): void {
  // A start that was still ahead no longer counts.
  subscription.startsAt = Math.min(subscription.startsAt, world.now);
  if (costOf(world, subscription).sign > 0) {
    if (!hasGoodMethod(world, subscription.customer)) awaitPayment(subscription);
    else beginPeriod(world, subscription);
    return;
  }
  if (subscription.startedAt === NEVER) {
    activate(world, subscription);
    return;
  }
  activated(world, subscription);
  startPhase(world, subscription);
  const cycle = cycleOf(contentsOf(world, subscription));
  subscription.nextRenewal = renewalAfter(subscription, cycle, world.now);
  giveDue(world, subscription);
  subscription.refreshFrom = world.now;
}

/** Changes the versions of a subscription. */
export function change(
  world: ModelWorld,
  subscription: Subscription,
  plans: readonly Plan[],
): void {
  const former = cycleOf(contentsOf(world, subscription));
  subscription.plans = plans;
  openAccounts(world, subscription);
  if (subscription.startedAt !== NEVER) recount(world, subscription, former);
  const { status, isPastDue } = subscription;
  if (status === 'active' || isPastDue) startPhase(world, subscription);
  if (status === 'active') changeRunning(world, subscription);
  const isFree = costOf(world, subscription).sign === 0;
  if (status === 'scheduled' && !isFree) awaitPayment(subscription);
  if (status === 'action_required' && isFree) settle(world, subscription);
}

/** Counts renewals on after a change of the interval: from the next one, or from the anchor if there was none. */
function recount(
  world: ModelWorld,
  subscription: Subscription,
  former: ReturnType<typeof cycleOf>,
): void {
  const cycle = cycleOf(contentsOf(world, subscription));
  const { anchor, nextRenewal, countedFrom } = subscription;
  if (!cycle || nextRenewal === NEVER) subscription.countedFrom = undefined;
  else if (former?.interval !== cycle.interval || former.every !== cycle.every)
    subscription.countedFrom = { at: nextRenewal, dayOf: countedFrom?.dayOf ?? anchor };
  if (cycle) subscription.span = undefined;
  // One that does not run keeps the renewal that it missed.
  const { status, span } = subscription;
  const isMissed = status !== 'active' && nextRenewal !== NEVER && (cycle ?? span);
  if (!isMissed) subscription.nextRenewal = renewalAfter(subscription, cycle, world.now);
}

function changeRunning(world: ModelWorld, subscription: Subscription): void {
  // What comes back after days that it missed waits for its next day.
  subscription.refreshFrom = world.now;
  if (subscription.nextRenewal === NEVER && costOf(world, subscription).sign > 0) {
    // No renewal will collect a one-time fee that is new.
    renew(world, subscription);
    return;
  }
  const { currency, amount } = recurringFee(contentsOf(world, subscription));
  const { collected } = subscription;
  const isCovered = currency === collected.currency && amount.compare(collected.amount) <= 0;
  if (amount.sign === 0 || isCovered) giveDue(world, subscription, true);
}

/** Moves the next renewal, from which later ones are counted. Returns false if it would not be after the start. */
export function moveRenewal(subscription: Subscription, to: number): boolean {
  if (to <= subscription.startsAt) return false;
  const { status, isPastDue } = subscription;
  if (status === 'active' || isPastDue)
    Object.assign(subscription, { countedFrom: { at: to, dayOf: to }, nextRenewal: to });
  else subscription.asked = to;
  return true;
}

/** Ends a subscription. The deferred rest of its fee counts as revenue. */
export function endNow(world: ModelWorld, subscription: Subscription): void {
  if (subscription.status === 'inactive') return;
  endPhase(world, subscription);
  if (subscription.isPaidAhead) {
    // It never started.
    Object.assign(subscription, { isPaidAhead: false, startedAt: NEVER });
    subscription.phases.length = 0;
  }
  stop(world, subscription);
  forgo(world, subscription);
  Object.assign(subscription, {
    status: 'inactive',
    isPastDue: false,
    arrivesAt: NEVER,
  });
}

const isDeclined = (world: ModelWorld, subscription: Subscription): boolean =>
  !hasGoodMethod(world, subscription.customer) && costOf(world, subscription).sign > 0;

/** Collects the fee of the next period, or finds that no card pays it. */
export function renew(world: ModelWorld, subscription: Subscription): void {
  if (!isDeclined(world, subscription)) {
    collect(world, subscription);
    giveDue(world, subscription, true);
    return;
  }
  awaitPayment(subscription);
  subscription.isPastDue = true;
  subscription.collected = { currency: undefined, amount: Rational.ZERO };
  stop(world, subscription);
  startPhase(world, subscription);
}
