import { Rational } from '../kit/rational.ts';
import type { Account } from './account.ts';
import { later } from './calendar.ts';
import { type ActionContents, DAY } from './history.ts';
import { payUnpaid, saveMethod } from './moves.ts';
import type { TopUpRecord } from './records.ts';
import { accountOf, customerOf, giveCredit, type ModelWorld, placesOf, worthOf } from './world.ts';

/** Starts a top-up, and performs its payment. Returns its account, or undefined when it would bring no credit. */
export function topUp(
  world: ModelWorld,
  customer: number,
  given: ActionContents['top_up'],
): Account | undefined {
  const { asset, account_name = 'default', currency, exchange_rate, outcome } = given;
  const amount = Rational.of(given.amount);
  const credited = amount.over(exchange_rate ?? 1).rounded(placesOf(world, asset));
  if (credited.sign === 0) return undefined;
  const account = accountOf(customerOf(world, customer), asset, account_name);
  const record: TopUpRecord = {
    ...{ customer, currency, amount, credited, account: account.id },
    endsAt: world.now + DAY,
    arrivesAt: world.now + DAY,
    status:
      outcome === 'processing' ? 'pending' : outcome === 'abandoned' ? 'expired' : 'initiated',
  };
  world.topUps.push(record);
  if (outcome === 'succeeded' || outcome === 'failed') arrive(world, record);
  return account;
}

function arrive(world: ModelWorld, record: TopUpRecord): void {
  const { customer, account, amount, credited, currency } = record;
  const [name, asset] = account.split(':') as [string, string];
  record.status = 'succeeded';
  saveMethod(world, customer, false);
  giveCredit(world, customer, {
    ...{ source: 'top_up', account: name, asset, purpose: 'paid', amount: credited },
    effectiveAt: world.now,
    expiresAt: later(world.now, 'year', 1),
    worth: worthOf(world, currency, amount, world.now),
    countsAlways: true,
  });
  payUnpaid(world, customer);
}

/** The due items of a top-up: the end of its link, or the arrival of its payment. */
export function topUpItems(world: ModelWorld, record: TopUpRecord) {
  const { status, endsAt, arrivesAt } = record;
  const end = () => {
    record.status = 'expired';
  };
  if (status === 'initiated') return [{ at: endsAt, rank: 1, run: end }];
  if (status === 'pending') return [{ at: arrivesAt, rank: 2, run: () => arrive(world, record) }];
  return [];
}
