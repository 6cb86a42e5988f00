import { draw, NEVER } from './account.ts';
import { later } from './calendar.ts';
import { advance } from './due.ts';
import { minus, over, plus, rational, rounded, ZERO_FRACTION } from './fraction.ts';
import type { Action, Step } from './history.ts';
import { change, endNow, pay, resume, subscribe } from './moves.ts';
import type { Subscription } from './subscription.ts';
import { type ExpectedEvent, type ExpectedFee, simulate, submitEvent } from './usage.ts';
import {
  accountOf,
  customerOf,
  earn,
  giveCredit,
  type ModelWorld,
  placesOf,
  versionNumber,
  worthOf,
} from './world.ts';

/** What a step came to: the subscription that it was about, and what its events must answer. */
export interface Outcome {
  readonly isDone: boolean;
  readonly subscription?: number;
  readonly events?: readonly ExpectedEvent[];
  readonly simulated?: readonly (readonly ExpectedFee[])[];
}

const DONE: Outcome = { isDone: true };
const NOTHING: Outcome = { isDone: false };

/** Does one step. A step that nothing can be done for is left out by whoever plays it. */
export function act(world: ModelWorld, step: Step): Outcome {
  advance(world, world.now + step.after);
  return (ACTIONS[step.action.do] as Act)(world, step, step.action);
}

type Act = (world: ModelWorld, step: Step, action: Action) => Outcome;

const ACTIONS: { readonly [K in Action['do']]: ActOf<K> } = {
  wait: () => DONE,
  events: (world, { customer }, { events }) => ({
    isDone: true,
    events: events.map((event) => submitEvent(world, customer, event)),
  }),
  simulate(world, { customer, product }, { version, forCustomer, events }) {
    const nobody = {
      index: -1,
      accounts: new Map(),
      quantities: new Map(),
      revenue: ZERO_FRACTION,
    };
    const copy = structuredClone(forCustomer ? customerOf(world, customer) : nobody);
    const billed = { product, version: versionNumber(world, product, version) };
    return { isDone: true, simulated: simulate(world, copy, billed, events) };
  },
  adjust,
  charge(world, { customer }, { asset, amount }) {
    const { counted, debt } = draw(accountOf(customerOf(world, customer), asset), rational(amount));
    earn(world, customer, plus(counted, worthOf(world, asset, debt, world.now)));
    return DONE;
  },
  top_up(world, { customer }, { asset, amount, currency, exchange_rate = 1 }) {
    const paid = rational(amount);
    const credited = rounded(over(paid, rational(exchange_rate)), placesOf(world, asset));
    if (credited.top === 0n) return NOTHING;
    giveCredit(world, customer, {
      asset,
      purpose: 'paid',
      amount: credited,
      effectiveAt: world.now,
      expiresAt: later(world.now, 'year', 1),
      worth: worthOf(world, currency, paid, world.now),
      countsAlways: true,
    });
    return DONE;
  },
  subscribe(world, { customer, product }, { version: given, starts = 0 }) {
    const version = versionNumber(world, product, given);
    const { index } = subscribe(world, { customer, product, version }, starts);
    return { isDone: true, subscription: index };
  },
  pay: (world, step, { pick, declines }) =>
    withOne(world, step, pick, isAwaitingPayment, (subscription) =>
      pay(world, subscription, declines),
    ),
  end: (world, step, { pick }) =>
    withOne(world, step, pick, isRunning, (subscription) => endNow(world, subscription)),
  resume: (world, step, { pick }) =>
    withOne(
      world,
      step,
      pick,
      ({ status }) => status === 'inactive',
      (subscription) => resume(world, subscription),
    ),
  change: (world, step, { pick, version }) =>
    withOne(world, step, pick, hasBegun, (subscription) =>
      change(world, subscription, versionNumber(world, subscription.product, version)),
    ),
  rate(world, _, { asset, rate }) {
    const schedule = world.rates.get(asset) ?? [];
    world.rates.set(asset, [...schedule, { from: world.now, rate: rational(rate) }]);
    return DONE;
  },
};

type ActOf<K extends Action['do']> = (
  world: ModelWorld,
  step: Step,
  action: Extract<Action, { readonly do: K }>,
) => Outcome;

const isAwaitingPayment = ({ status }: Subscription) => status === 'action_required';
const hasBegun = (subscription: Subscription, { now }: ModelWorld) =>
  subscription.status === 'active' && subscription.startedAt <= now;
const isRunning = (subscription: Subscription, world: ModelWorld) =>
  subscription.isPastDue || hasBegun(subscription, world);

/** Does something for one of the customer's subscriptions of which it can be done. */
function withOne(
  world: ModelWorld,
  { customer }: Step,
  pick: number,
  isFit: (subscription: Subscription, world: ModelWorld) => boolean,
  work: (subscription: Subscription) => void,
): Outcome {
  const fit = world.subscriptions.filter(
    (each) => each.customer === customer && isFit(each, world),
  );
  const subscription = fit[pick % Math.max(fit.length, 1)];
  if (!subscription) return NOTHING;
  work(subscription);
  return { isDone: true, subscription: subscription.index };
}

function adjust(
  world: ModelWorld,
  { customer }: Step,
  given: Extract<Action, { readonly do: 'adjust' }>,
): Outcome {
  const { asset, reason } = given;
  const amount = rational(given.amount);
  if (amount.top < 0n) {
    const { shares } = draw(
      accountOf(customerOf(world, customer), asset),
      minus(ZERO_FRACTION, amount),
      reason === 'external_refund',
    );
    earn(world, customer, shares);
    return DONE;
  }
  const { effective = 0, lasts } = given;
  const effectiveAt = world.now + effective;
  const isGift = reason === 'gift';
  giveCredit(world, customer, {
    asset,
    purpose: isGift ? 'promotion' : 'paid',
    amount,
    effectiveAt,
    expiresAt: lasts === undefined ? NEVER : Math.max(effectiveAt, world.now) + lasts,
    worth: isGift ? ZERO_FRACTION : worthOf(world, asset, amount, world.now),
    countsAlways: !isGift,
  });
  return DONE;
}
