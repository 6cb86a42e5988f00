import { Rational } from '../kit/rational.ts';
import { makeEffective, NEVER } from './account.ts';
import { nextAfter } from './calendar.ts';
import {
  begin,
  collect,
  costOf,
  firstShareDay,
  forgoMissed,
  give,
  giveDue,
  hold,
  lastDayOf,
} from './life.ts';
import { awaitPayment, pay } from './moves.ts';
import { rankOfArrival } from './records.ts';
import { dayOf, entitlementsOf, type Subscription } from './subscription.ts';
import { automaticItems, topUpItems } from './top-ups.ts';
import {
  contentsOf,
  endCredit,
  hasGoodMethod,
  type ModelWorld,
  tryWithRate,
  watchBalances,
} from './world.ts';

/** A due item, and its rank among items due at the same instant. */
interface Due {
  readonly at: number;
  readonly rank: number;
  readonly run: () => void;
}

/** Moves the clock forward, and runs each due item at its own instant. */
export function advance(world: ModelWorld, to: number): void {
  for (;;) {
    watchBalances(world);
    const next = firstOf(dueItems(world));
    if (!next || next.at > to) break;
    world.now = next.at;
    next.run();
  }
  world.now = to;
}

function firstOf(items: readonly Due[]): Due | undefined {
  let first: Due | undefined;
  for (const item of items)
    if (!first || item.at < first.at || (item.at === first.at && item.rank < first.rank))
      first = item;
  return first;
}

function dueItems(world: ModelWorld): Due[] {
  return [
    ...world.topUps.flatMap((topUp) => topUpItems(world, topUp)),
    ...rateItems(world),
    ...automaticItems(world),
    ...world.customers.flatMap(({ index }) => creditItems(world, index)),
    ...world.subscriptions.flatMap((subscription) => lifeItems(world, subscription)),
  ];
}

/** A rate that begins makes automatic top-ups possible. */
function rateItems(world: ModelWorld): Due[] {
  return [...world.rates].flatMap(([asset, schedule]) =>
    schedule
      .filter(({ from }) => from > world.now)
      .map(({ from }) => ({ at: from, rank: -1, run: () => tryWithRate(world, asset) })),
  );
}

function creditItems(world: ModelWorld, customer: number): Due[] {
  const accounts = [...(world.customers[customer]?.accounts.values() ?? [])];
  return accounts.flatMap((account) =>
    account.credits.flatMap((credit): Due[] => {
      if (!credit.isEffective)
        return [
          { at: credit.effectiveAt, rank: 3, run: () => makeEffective(account, credit, world.now) },
        ];
      if (credit.left.sign === 0) return [];
      const run = () => endCredit(world, customer, account, credit);
      return [{ at: credit.expiresAt, rank: credit.rolls ? 5.5 : 0, run }];
    }),
  );
}

function lifeItems(world: ModelWorld, subscription: Subscription): Due[] {
  const { status, startsAt, nextRenewal } = subscription;
  if (status === 'scheduled')
    return [
      { at: startsAt, rank: 6, run: () => begin(world, subscription, { startedAt: world.now }) },
    ];
  const missed = {
    at: firstShareDay(subscription),
    rank: 7,
    run: () => forgoMissed(world, subscription),
  };
  if (status === 'action_required') return [missed, ...paymentItems(world, subscription)];
  if (status !== 'active') return [];
  const renewal = { at: nextRenewal, rank: 4, run: () => renew(world, subscription) };
  const start = { at: startsAt, rank: 6, run: () => startPaid(world, subscription) };
  if (subscription.isPaidAhead) return [start, renewal, missed];
  return [renewal, missed, ...refreshItems(world, subscription)];
}

/** The arrival of a payment on its way, or else the end of the payment link. */
function paymentItems(world: ModelWorld, subscription: Subscription): Due[] {
  const { link, arrivesAt, made } = subscription;
  if (arrivesAt === NEVER)
    return [{ at: link?.endsAt ?? NEVER, rank: 1, run: () => awaitPayment(world, subscription) }];
  const run = () => pay(world, subscription, 'succeeded', 'bank_debit');
  return [{ at: arrivesAt, rank: rankOfArrival(made), run }];
}

/** The next refresh of each entitlement that has been granted. */
function refreshItems(world: ModelWorld, subscription: Subscription): Due[] {
  const { anchor } = subscription;
  return entitlementsOf(contentsOf(world, subscription)).flatMap((entitlement): Due[] => {
    const { lifecycle } = entitlement;
    const last = lastDayOf(subscription, entitlement);
    if (!lifecycle.refresh || last === undefined) return [];
    const at = nextAfter(anchor, lifecycle.duration, 1, last);
    const day = () => dayOf(entitlement, anchor, world.now);
    return [{ at, rank: 5, run: () => give(world, subscription, entitlement, day()) }];
  });
}

/** Starts a subscription that was paid before its start, and grants its credit. */
function startPaid(world: ModelWorld, subscription: Subscription): void {
  subscription.isPaidAhead = false;
  giveDue(world, subscription);
}

const isDeclined = (world: ModelWorld, subscription: Subscription): boolean =>
  !hasGoodMethod(world, subscription.customer) && costOf(world, subscription).sign > 0;

/** Collects the fee of the next period, or finds that no card pays it. */
function renew(world: ModelWorld, subscription: Subscription): void {
  if (!isDeclined(world, subscription)) {
    collect(world, subscription);
    giveDue(world, subscription, true);
    return;
  }
  awaitPayment(world, subscription);
  subscription.isPastDue = true;
  subscription.collected = Rational.ZERO;
  subscription.nextRenewal = NEVER;
  hold(world, subscription);
}
