import { Rational } from '../kit/rational.ts';
import { type Account, accountId, draw, NEVER } from './account.ts';
import { later } from './calendar.ts';
import { advance } from './due.ts';
import type { ActionContents, ActionKind, ActionOf, PaymentOutcome, Step } from './history.ts';
import {
  agree,
  change,
  endNow,
  moveRenewal,
  pay,
  payUnpaid,
  reactivate,
  saveMethod,
  subscribe,
} from './moves.ts';
import type { UsageRecord } from './records.ts';
import { cycleOf, type Plan, planOf, type Subscription } from './subscription.ts';
import { canSettle, setAutomatic, settle, topUp } from './top-ups.ts';
import { submitEvent } from './usage.ts';
import {
  accountOf,
  contentsOf,
  customerOf,
  earn,
  giveCredit,
  type ModelWorld,
  postDraw,
  rateAt,
  setRate,
  versionNumber,
  worthOf,
} from './world.ts';

/** The result of a step in the model, from which the expected response is built. */
export interface Outcome {
  readonly subscription?: number;
  readonly events?: readonly UsageRecord[];
  /** The place of a top-up among those ordered. */
  readonly topUp?: number | undefined;
  /** Whose account the step used, if not its own customer's. */
  readonly customer?: number;
  /** The account that the step used. */
  readonly account?: Account | undefined;
}

const DONE: Outcome = {};

/** Moves the model to the step's instant and performs the step. Returns undefined if it is not possible, and changes nothing. */
export function act(world: ModelWorld, step: Step, now: number): Outcome | undefined {
  advance(world, now);
  const outcome = (ACTIONS[step.action.do] as Act<ActionKind>)(world, step, step.action);
  // What falls below a threshold is topped up at once.
  advance(world, now);
  return outcome;
}

type Act<K extends ActionKind> = (
  world: ModelWorld,
  step: Step,
  action: ActionOf<K>,
) => Outcome | undefined;

const ACTIONS: { readonly [K in ActionKind]: Act<K> } = {
  wait: () => DONE,
  events: (world, { customer }, { events }) => ({
    events: events.map((event) => submitEvent(world, customer, event)),
  }),
  adjust,
  charge(world, { customer }, { asset, account_name, amount: given }) {
    const amount = Rational.of(given);
    const account = accountOf(customerOf(world, customer), asset, account_name);
    const { counted, debt } = draw(account, amount);
    earn(world, customer, counted.plus(worthOf(world, asset, debt, world.now)));
    postDraw(world, account, amount, 'charge');
    return { account };
  },
  top_up(world, { customer }, given) {
    const account = topUp(world, customer, given);
    return account && { account };
  },
  settle(world, _, action) {
    const record = settledBy(world, action);
    if (!record) return undefined;
    const { customer, account, ordered } = record;
    settle(world, record, action.outcome);
    return { topUp: ordered, customer, account };
  },
  auto_top_up(world, { customer }, given) {
    const { asset, account_name, currency } = given;
    const account = customerOf(world, customer).accounts.get(accountId(asset, account_name));
    if (!account || !rateAt(world, asset, world.now, currency)) return undefined;
    setAutomatic(world, customer, account, given);
    return { account };
  },
  subscribe(world, step, action) {
    const plans = plansOf(world, step, action);
    if (!agree(world, plans)) return undefined;
    const { customer } = step;
    const { index } = subscribe(world, { customer, plans }, action);
    return { subscription: index };
  },
  pay: (world, step, { pick, outcome, declines }) =>
    withOne(world, step, pick, canBePaid(outcome), (subscription) =>
      pay(world, subscription, outcome, declines ? 'declining' : 'card'),
    ),
  card(world, { customer }, { method }) {
    if (method === 'none') customerOf(world, customer).saved = undefined;
    else saveMethod(world, customer, method);
    payUnpaid(world, customer);
    return DONE;
  },
  move: (world, step, { pick, to }) =>
    withOne(world, step, pick, canMove, (subscription) =>
      moveRenewal(subscription, world.now + to),
    ),
  end: (world, step, { pick }) =>
    withOne(world, step, pick, canEnd, (subscription) => endNow(world, subscription)),
  resume: (world, step, { pick }) =>
    withOne(world, step, pick, hasEnded, (subscription) => reactivate(world, subscription)),
  change: (world, step, { pick, version }) =>
    withOne(world, step, pick, canChange, (subscription) => {
      const former = planOf(subscription, step.product);
      const changed = { ...former, version: versionNumber(world, former.product, version) };
      const plans = subscription.plans.map((plan) => (plan === former ? changed : plan));
      if (!agree(world, plans)) return false;
      if (changed.version === former.version) return true;
      // The amount of a payment on its way can no longer change.
      if (subscription.arrivesAt !== NEVER) return false;
      change(world, subscription, plans);
      return true;
    }),
  rate: (world, _, given) => (setRate(world, given) ? DONE : undefined),
};

/** The item at an index modulo the number of items; undefined if there is none. */
const picked = <T>(things: readonly T[], pick: number): T | undefined =>
  things[pick % Math.max(things.length, 1)];

/** The top-up that a step pays, or fails to; undefined if there is none. */
export const settledBy = (world: ModelWorld, { pick, outcome }: ActionContents['settle']) =>
  picked(
    world.topUps.filter((each) => canSettle(world, each, outcome)),
    pick,
  );

/** The versions that a step subscribes to. */
export function plansOf(
  world: ModelWorld,
  { product }: Step,
  { version, others }: ActionContents['subscribe'],
): Plan[] {
  const { length } = world.history.products;
  return [version, ...others].map((given, place) => {
    const held = (product + place) % length;
    return { product: held, version: versionNumber(world, held, given) };
  });
}

/** A payment on its way cannot be abandoned. */
const canBePaid =
  (outcome: PaymentOutcome) =>
  ({ status, arrivesAt }: Subscription): boolean =>
    status === 'action_required' && (outcome !== 'abandoned' || arrivesAt === NEVER);
const hasEnded = ({ status }: Subscription) => status === 'inactive';
/** The documents leave open whether a renewal that was asked for outlasts a start that was paid ahead and never came. */
const canEnd = ({ isPaidAhead, countedFrom, span }: Subscription) =>
  !isPaidAhead || (countedFrom ?? span) === undefined;
/** The documents leave open whether a version changed to between a payment and a later start is due at the start. */
const canChange = ({ isPaidAhead }: Subscription) => !isPaidAhead;
/** The documents leave open what is counted from a moved renewal if no price recurs. */
const canMove = (subscription: Subscription, world: ModelWorld) =>
  !hasEnded(subscription) && cycleOf(contentsOf(world, subscription)) !== undefined;

/** Calls `work` with one of the customer's subscriptions that fit. It returns false for what is not possible. */
function withOne(
  world: ModelWorld,
  { customer }: Step,
  pick: number,
  isFit: (subscription: Subscription, world: ModelWorld) => boolean,
  work: (subscription: Subscription) => unknown,
): Outcome | undefined {
  const fit = world.subscriptions.filter(
    (each) => each.customer === customer && isFit(each, world),
  );
  const subscription = picked(fit, pick);
  if (!subscription || work(subscription) === false) return undefined;
  return { subscription: subscription.index };
}

function adjust(world: ModelWorld, { customer }: Step, given: ActionContents['adjust']): Outcome {
  const { asset, account_name, reason } = given;
  const amount = Rational.of(given.amount);
  const account = accountOf(customerOf(world, customer), asset, account_name);
  if (amount.sign < 0) {
    const taken = amount.negated;
    const { shares } = draw(account, taken, reason === 'external_refund');
    earn(world, customer, shares);
    postDraw(world, account, taken, 'adjustment');
    return { account };
  }
  const { effective = 0, lasts } = given;
  const effectiveAt = world.now + effective;
  const isGift = reason === 'gift';
  const end = isGift ? NEVER : later(effectiveAt, 'year', 1);
  const isWorthless = isGift || reason === 'other';
  giveCredit(world, customer, {
    source: 'adjustment',
    asset,
    account: account_name ?? 'default',
    purpose: isGift ? 'promotion' : 'paid',
    amount,
    effectiveAt,
    expiresAt: lasts === undefined ? end : Math.max(effectiveAt, world.now) + lasts,
    worth: isWorthless ? Rational.ZERO : worthOf(world, asset, amount, world.now),
    countsAlways: !isWorthless,
  });
  return { account };
}
