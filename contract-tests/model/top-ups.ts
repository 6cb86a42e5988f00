import { Rational } from '../kit/rational.ts';
import type { Account } from './account.ts';
import { later } from './calendar.ts';
import { type ActionContents, DAY, type PaymentOutcome } from './history.ts';
import { payUnpaid, saveMethod } from './moves.ts';
import { type AutoTopUp, rankOfArrival, type TopUpRecord } from './records.ts';
import {
  accountOf,
  customerOf,
  giveCredit,
  hasGoodMethod,
  isBelow,
  type ModelWorld,
  placesOf,
  rateAt,
  worthOf,
} from './world.ts';

type Order = Pick<ActionContents['top_up'], 'currency' | 'amount' | 'lasts'> & {
  readonly asset: string;
  readonly name?: string | undefined;
  readonly rate: Rational;
  readonly ordered?: number;
};

/** Starts a top-up; undefined when it would bring no credit. */
function order(world: ModelWorld, customer: number, given: Order): TopUpRecord | undefined {
  const { currency, asset, name, rate, lasts, ordered } = given;
  const amount = Rational.of(given.amount);
  const credited = amount.over(rate).rounded(placesOf(world, asset));
  if (credited.sign === 0) return undefined;
  world.made += 1;
  const account = accountOf(customerOf(world, customer), asset, name);
  const record: TopUpRecord = {
    customer,
    currency,
    amount,
    credited,
    account,
    ordered,
    made: world.made,
    creditEndsAt: lasts === undefined ? undefined : world.now + lasts,
    endsAt: world.now + DAY,
    arrivesAt: Number.POSITIVE_INFINITY,
    status: 'initiated',
  };
  world.topUps.push(record);
  return record;
}

/** Starts a top-up, and performs its payment. Returns its account; undefined without a rate, or when it would bring no credit. */
export function topUp(
  world: ModelWorld,
  customer: number,
  given: ActionContents['top_up'],
): Account | undefined {
  const { account_name: name, asset, currency, exchange_rate, outcome } = given;
  const rate =
    exchange_rate === undefined
      ? rateAt(world, asset, world.now, currency)
      : Rational.of(exchange_rate);
  if (!rate) return undefined;
  const ordered = world.topUps.filter((each) => each.ordered !== undefined).length;
  const record = order(world, customer, { ...given, name, rate, ordered });
  if (!record) return undefined;
  if (outcome) settle(world, record, outcome);
  if (outcome === 'failed') settle(world, record, 'succeeded');
  return record.account;
}

/** Whether a payment of a top-up can have this outcome now. A failed one can be repeated while its link is valid. */
export function canSettle(
  { now }: ModelWorld,
  { status, endsAt, ordered }: TopUpRecord,
  outcome: PaymentOutcome,
): boolean {
  if (ordered === undefined) return false;
  if (status === 'pending') return outcome === 'succeeded' || outcome === 'failed';
  return (status === 'initiated' || status === 'failed') && now < endsAt;
}

export function settle(world: ModelWorld, record: TopUpRecord, outcome: PaymentOutcome): void {
  const isPending = record.status === 'pending';
  if (outcome === 'succeeded') arrive(world, record, isPending ? 'bank_debit' : 'card');
  else if (outcome === 'processing')
    Object.assign(record, { status: 'pending', arrivesAt: world.now + DAY });
  else record.status = outcome === 'failed' ? 'failed' : 'expired';
  if (!isPending || outcome !== 'failed') return;
  for (const rule of world.automatic)
    if (rule.account === record.account) rule.awaitsMethod ||= isBelow(world, rule);
}

function arrive(world: ModelWorld, record: TopUpRecord, method: 'card' | 'bank_debit'): void {
  const { customer, account, amount, credited, currency, creditEndsAt } = record;
  const { name, asset } = account;
  saveMethod(world, customer, method);
  record.status = 'succeeded';
  giveCredit(world, customer, {
    source: 'top_up',
    account: name,
    asset,
    purpose: 'paid',
    amount: credited,
    effectiveAt: world.now,
    expiresAt: creditEndsAt ?? later(world.now, 'year', 1),
    worth: worthOf(world, currency, amount, world.now),
    countsAlways: true,
  });
  payUnpaid(world, customer);
}

/** The due items of a top-up: the end of its link, or the arrival of its payment. */
export function topUpItems(world: ModelWorld, record: TopUpRecord) {
  const { status, endsAt, arrivesAt, made } = record;
  const end = () => {
    record.status = 'expired';
  };
  if (status === 'initiated') return [{ at: endsAt, rank: 1, run: end }];
  if (status === 'pending')
    return [
      { at: arrivesAt, rank: rankOfArrival(made), run: () => arrive(world, record, 'bank_debit') },
    ];
  return [];
}

/** The automatic top-ups that are due, which come after everything else of an instant. */
export const automaticItems = (world: ModelWorld) =>
  world.automatic
    .filter(({ isDue }) => isDue)
    .map((rule) => ({ at: world.now, rank: 8, run: () => topUpAutomatically(world, rule) }));

/**
 * Sets, replaces or removes the automatic top-up of an account. One that was paid since the balance fell below the
 * threshold before does not pay again for that fall.
 */
export function setAutomatic(
  world: ModelWorld,
  customer: number,
  account: Account,
  { threshold, amount, currency }: ActionContents['auto_top_up'],
): void {
  const former = world.automatic.find((rule) => rule.account === account);
  world.automatic = world.automatic.filter((rule) => rule !== former);
  if (threshold === null) return;
  const waits = former?.awaitsMethod || former?.awaitsRate;
  const terms = { customer, account, threshold: Rational.of(threshold), amount, currency };
  const state = { isDue: false, awaitsMethod: false, awaitsRate: false };
  const wasBelow = former !== undefined && !waits && isBelow(world, former);
  world.automatic.push({ ...terms, ...state, wasBelow });
}

/** Makes one payment with the saved method, or waits for another method. */
function topUpAutomatically(world: ModelWorld, rule: AutoTopUp): void {
  const { customer, account, amount, currency } = rule;
  rule.isDue = false;
  rule.awaitsMethod = !hasGoodMethod(world, customer);
  if (rule.awaitsMethod) return;
  const { name, asset } = account;
  const rate = rateAt(world, asset, world.now, currency);
  rule.awaitsRate = rate === undefined;
  const record = rate && order(world, customer, { currency, amount, asset, name, rate });
  const isByBank = customerOf(world, customer).saved === 'bank_debit';
  if (record) settle(world, record, isByBank ? 'processing' : 'succeeded');
}
