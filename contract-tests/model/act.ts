import { Rational } from '../kit/rational.ts';
import { type Account, draw, NEVER } from './account.ts';
import { later } from './calendar.ts';
import { advance } from './due.ts';
import type { ActionContents, ActionKind, ActionOf, Step } from './history.ts';
import { change, endNow, pay, payUnpaid, resume, saveMethod, subscribe } from './moves.ts';
import type { ExpectedFee, UsageRecord } from './records.ts';
import type { Subscription } from './subscription.ts';
import { topUp } from './top-ups.ts';
import { simulate, submitEvent } from './usage.ts';
import {
  accountOf,
  contentOf,
  copyOf,
  customerOf,
  defaultForSale,
  earn,
  giveCredit,
  isForSale,
  type ModelWorld,
  nobody,
  postDraw,
  shelfOf,
  versionForSale,
  versionNumber,
  versionOf,
  worthOf,
} from './world.ts';

/** The result of a step in the model, from which the expected response is built. */
export interface Outcome {
  readonly isDone: boolean;
  readonly subscription?: number;
  readonly events?: readonly UsageRecord[];
  readonly simulated?: readonly (readonly ExpectedFee[])[];
  /** The account that the step used. */
  readonly account?: Account;
  /** The version of the step's product that the step changed. */
  readonly version?: number;
}

const DONE: Outcome = { isDone: true };
const NOTHING: Outcome = { isDone: false };

/**
 * Moves the model to the step's instant and performs the step. Returns `isDone: false` for a step that is not possible;
 * the caller then skips its request.
 */
export function act(world: ModelWorld, step: Step, now: number): Outcome {
  advance(world, now);
  return (ACTIONS[step.action.do] as Act<ActionKind>)(world, step, step.action);
}

type Act<K extends ActionKind> = (world: ModelWorld, step: Step, action: ActionOf<K>) => Outcome;

const ACTIONS: { readonly [K in ActionKind]: Act<K> } = {
  wait: () => DONE,
  events: (world, { customer }, { events }) => ({
    isDone: true,
    events: events.map((event) => submitEvent(world, customer, event)),
  }),
  simulate(world, { customer, product }, { version, forCustomer, events }) {
    const billed = { product, version: versionNumber(world, product, version) };
    const whom = forCustomer ? copyOf(customerOf(world, customer)) : nobody();
    return { isDone: true, simulated: simulate(world, whom, billed, events) };
  },
  adjust,
  charge(world, { customer }, { asset, account_name, amount: given, subject }) {
    const amount = Rational.of(given);
    const account = accountOf(customerOf(world, customer), asset, account_name);
    const { counted, debt } = draw(account, amount);
    earn(world, customer, counted.plus(worthOf(world, asset, debt, world.now)));
    const about = world.transactions.push({ customer, account: account.id }) - 1;
    postDraw(world, account, amount, { source: 'charge', about, texts: { subject } });
    return { isDone: true, account };
  },
  top_up(world, { customer }, given) {
    const account = topUp(world, customer, given);
    return account ? { isDone: true, account } : NOTHING;
  },
  subscribe(world, { customer, product }, { version: given, starts = 0 }) {
    const version = versionForSale(world, product, given);
    if (version === undefined) return NOTHING;
    const { index } = subscribe(world, { customer, product, version }, starts);
    return { isDone: true, subscription: index };
  },
  pay: (world, step, { pick, declines }) =>
    withOne(world, step, pick, isAwaitingPayment, (subscription) =>
      pay(world, subscription, declines),
    ),
  card(world, { customer }, { declines }) {
    if (declines === null) customerOf(world, customer).saved = undefined;
    else saveMethod(world, customer, declines);
    payUnpaid(world, customer);
    return DONE;
  },
  end: (world, step, { pick }) =>
    withOne(world, step, pick, isRunning, (subscription) => endNow(world, subscription)),
  resume: (world, step, { pick }) =>
    withOne(
      world,
      step,
      pick,
      ({ status, product, version }) =>
        status === 'inactive' && !shelfOf(world, product).archived.has(version),
      (subscription) => resume(world, subscription),
    ),
  change(world, step, { pick, version: given }) {
    const forSale = ({ product }: Subscription) => versionForSale(world, product, given);
    const isFit = (each: Subscription) => hasBegun(each, world) && forSale(each) !== undefined;
    return withOne(world, step, pick, isFit, (each) => change(world, each, forSale(each) ?? 0));
  },
  rate(world, _, { asset, rate, from = 0 }) {
    const schedule = world.rates.get(asset) ?? [];
    const all = [...schedule, { from: world.now + from, rate: Rational.of(rate) }];
    world.rates.set(
      asset,
      all.sort((one, other) => one.from - other.from),
    );
    return DONE;
  },
  archive(world, { product }, { version }) {
    const shelf = shelfOf(world, product);
    const number = versionNumber(world, product, version);
    shelf.archived.add(number);
    shelf.drafts.delete(number);
    if (shelf.standard !== number) return DONE;
    const all = shelf.contents.map((_, index) => index + 1);
    shelf.standard = all.findLast((each) => isForSale(shelf, each));
    return DONE;
  },
  default(world, { product }, { version }) {
    const number = versionNumber(world, product, version);
    if (!isForSale(shelfOf(world, product), number)) return NOTHING;
    shelfOf(world, product).standard = number;
    return DONE;
  },
  edit(world, { product }, { pick, parts, publish, make_default }) {
    const shelf = shelfOf(world, product);
    const version = picked([...shelf.drafts], pick);
    if (version === undefined) return NOTHING;
    shelf.contents[version - 1] = {
      ...versionOf(world, { product, version }),
      ...contentOf(world.history, product, version, parts),
    };
    if (publish) shelf.drafts.delete(version);
    if (publish && (make_default || defaultForSale(world, product) === undefined))
      shelf.standard = version;
    return { isDone: true, version };
  },
};

/** The item at an index modulo the number of items; undefined if there is none. */
const picked = <T>(things: readonly T[], pick: number): T | undefined =>
  things[pick % Math.max(things.length, 1)];

const isAwaitingPayment = ({ status }: Subscription) => status === 'action_required';
const hasBegun = (subscription: Subscription, { now }: ModelWorld) =>
  subscription.status === 'active' && subscription.startedAt <= now;
const isRunning = (subscription: Subscription, world: ModelWorld) =>
  subscription.isPastDue || hasBegun(subscription, world);

/** Calls `work` with one of the customer's subscriptions that fit. */
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
  const subscription = picked(fit, pick);
  if (!subscription) return NOTHING;
  work(subscription);
  return { isDone: true, subscription: subscription.index };
}

function adjust(world: ModelWorld, { customer }: Step, given: ActionContents['adjust']): Outcome {
  const { asset, account_name, reason, description, metadata } = given;
  const amount = Rational.of(given.amount);
  const account = accountOf(customerOf(world, customer), asset, account_name);
  const about = world.transactions.push({ customer, account: account.id }) - 1;
  const described = {
    ...{ source: 'adjustment' as const, about, texts: { reason, description, metadata } },
  };
  if (amount.sign < 0) {
    const taken = amount.negated;
    const { shares } = draw(account, taken, reason === 'external_refund');
    earn(world, customer, shares);
    postDraw(world, account, taken, described);
    return { isDone: true, account };
  }
  const { effective = 0, lasts } = given;
  const effectiveAt = world.now + effective;
  const isGift = reason === 'gift';
  const end = isGift ? NEVER : later(effectiveAt, 'year', 1);
  const isWorthless = isGift || reason === 'other';
  giveCredit(world, customer, {
    ...{ ...described, asset, account: account_name ?? 'default' },
    purpose: isGift ? 'promotion' : 'paid',
    amount,
    effectiveAt,
    expiresAt: lasts === undefined ? end : Math.max(effectiveAt, world.now) + lasts,
    worth: isWorthless ? Rational.ZERO : worthOf(world, asset, amount, world.now),
    countsAlways: !isWorthless,
  });
  return { isDone: true, account };
}
