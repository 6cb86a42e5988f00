import { type Credit, makeEffective } from './account.ts';
import { begin, firstShareDay, forgoMissed, give, giveDue, lastDayOf } from './life.ts';
import { pay, renew } from './moves.ts';
import { rankOfArrival } from './records.ts';
import { dayOf, entitlementsOf, refreshAfter, type Subscription } from './subscription.ts';
import { automaticItems, topUpItems } from './top-ups.ts';
import { contentsOf, endCredit, type ModelWorld, tryWithRate, watchBalances } from './world.ts';

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
    const next = firstOf(dueItems(world, to));
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

/** What is due first by an instant, among others. */
function dueItems(world: ModelWorld, to: number): Due[] {
  return [
    ...world.topUps.flatMap((topUp) => topUpItems(world, topUp)),
    ...rateItems(world),
    ...automaticItems(world),
    ...world.customers.flatMap(({ index }) => creditItems(world, index, to)),
    ...world.subscriptions.flatMap((subscription) => lifeItems(world, subscription)),
  ];
}

/** A rate that begins makes automatic top-ups possible. */
function rateItems(world: ModelWorld): Due[] {
  return world.rates.flatMap(({ asset, periods }) =>
    periods
      .filter(({ from }) => from > world.now)
      .map(({ from }) => ({ at: from, rank: -1, run: () => tryWithRate(world, asset) })),
  );
}

/** The first change of each account's credit. There are many, so the others are left out. */
function creditItems(world: ModelWorld, customer: number, to: number): Due[] {
  const accounts = [...(world.customers[customer]?.accounts.values() ?? [])];
  return accounts.flatMap((account) => {
    let first: Credit | undefined;
    for (const credit of account.unspent) {
      if (credit.left.sign === 0) account.unspent.delete(credit);
      else if (changeAt(credit) <= to && (!first || isBefore(credit, first))) first = credit;
    }
    if (!first) return [];
    const credit = first;
    const become = () => makeEffective(account, credit, world.now);
    const end = () => endCredit(world, customer, account, credit);
    return [
      { at: changeAt(credit), rank: rankOfChange(credit), run: credit.isEffective ? end : become },
    ];
  });
}

/** When a credit begins, or else ends. */
const changeAt = ({ isEffective, effectiveAt, expiresAt }: Credit): number =>
  isEffective ? expiresAt : effectiveAt;

const rankOfChange = ({ isEffective, rolls }: Credit): number =>
  isEffective ? (rolls ? 5.5 : 0) : 3;

function isBefore(one: Credit, other: Credit): boolean {
  const [first, second] = [changeAt(one), changeAt(other)];
  return first < second || (first === second && rankOfChange(one) < rankOfChange(other));
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
  if (status === 'action_required') return [missed, arrivalItem(world, subscription)];
  if (status !== 'active') return [];
  const renewal = { at: nextRenewal, rank: 4, run: () => renew(world, subscription) };
  const start = { at: startsAt, rank: 6, run: () => startPaid(world, subscription) };
  if (subscription.isPaidAhead) return [start, renewal, missed];
  return [renewal, missed, ...refreshItems(world, subscription)];
}

/** The arrival of a payment on its way. */
const arrivalItem = (world: ModelWorld, subscription: Subscription): Due => ({
  at: subscription.arrivesAt,
  rank: rankOfArrival(subscription.made),
  run: () => pay(world, subscription, 'succeeded', 'bank_debit'),
});

/** The next refresh of each entitlement that has been granted. */
function refreshItems(world: ModelWorld, subscription: Subscription): Due[] {
  const { anchor } = subscription;
  const refreshed = entitlementsOf(contentsOf(world, subscription)).filter(
    ({ lifecycle }) => lifecycle.refresh,
  );
  return refreshed.flatMap((entitlement): Due[] => {
    const last = lastDayOf(world, subscription, entitlement);
    if (last === undefined) return [];
    const at = refreshAfter(entitlement, anchor, last);
    const day = () => dayOf(entitlement, anchor, world.now);
    return [{ at, rank: 5, run: () => give(world, subscription, entitlement, day()) }];
  });
}

/** Starts a subscription that was paid before its start, and grants its credit. */
function startPaid(world: ModelWorld, subscription: Subscription): void {
  subscription.isPaidAhead = false;
  giveDue(world, subscription);
}
