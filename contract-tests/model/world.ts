import { Rational } from '../kit/rational.ts';
import {
  type Account,
  accountId,
  available,
  type Credit,
  end,
  execute,
  type Movement,
  makeEffective,
  NEVER,
} from './account.ts';
import type { ActionContents, ContentSketch, History, PaymentMethod } from './history.ts';
import type { AutoTopUp, RateSchedule, TopUpRecord, UsageRecord } from './records.ts';
import type { Plan, PlanContent, Subscription } from './subscription.ts';

/** Revenue, with the instant for which stats count it. */
interface Earning {
  readonly at: number;
  readonly amount: Rational;
}

export interface Customer {
  readonly index: number;
  /** By id. */
  readonly accounts: Map<string, Account>;
  /** The quantities that prices have counted, by price, asset, group and period. */
  readonly quantities: Map<string, Rational>;
  readonly earnings: Earning[];
  /** Its usage events, in the order in which they were submitted. */
  readonly events: UsageRecord[];
  /** Its saved payment method. */
  saved: PaymentMethod | undefined;
}

export class ModelWorld {
  now: number;
  sequence = 0;
  /** The number of top-ups and subscriptions. */
  made = 0;
  /** The relative tolerance for amounts, because the last digits of divided shares are not specified. */
  slack = 0;
  readonly customers: readonly Customer[];
  readonly subscriptions: Subscription[] = [];
  readonly topUps: TopUpRecord[] = [];
  /** At most one for each account. */
  automatic: AutoTopUp[] = [];
  /** The contents of plans that were looked at, which is often. */
  readonly contents = new WeakMap<readonly Plan[], readonly PlanContent[]>();
  /** At most one for each asset and source. */
  rates: readonly RateSchedule[];

  constructor(readonly history: History) {
    this.customers = Array.from({ length: history.customers }, (_, index) => ({
      index,
      accounts: new Map(),
      quantities: new Map(),
      earnings: [],
      events: [],
      saved: undefined,
    }));
    this.now = history.start;
    this.rates = history.assets.flatMap(({ code: asset, rates }) =>
      rates.map(({ source, rate, inverse_rate: inverse }) => {
        const exact = inverse === undefined ? Rational.of(rate ?? 1) : Rational.of(1).over(inverse);
        return { asset, source, periods: [{ from: history.start, to: NEVER, rate: exact }] };
      }),
    );
  }
}

export const customerOf = (world: ModelWorld, index: number) => world.customers[index] as Customer;

export const versionOf = ({ history }: ModelWorld, { product, version }: Plan) =>
  history.products[product]?.[version - 1] as ContentSketch;

/** What a subscription has of each of its products. */
export function contentsOf(
  world: ModelWorld,
  { plans }: Pick<Subscription, 'plans'>,
): readonly PlanContent[] {
  const known = world.contents.get(plans);
  if (known) return known;
  const contents = plans.map((plan) => ({ ...versionOf(world, plan), product: plan.product }));
  world.contents.set(plans, contents);
  return contents;
}

/** The number of an existing version, from any number. */
export const versionNumber = ({ history }: ModelWorld, product: number, given: number): number =>
  (given % (history.products[product]?.length ?? 1)) + 1;

export function accountOf({ accounts }: Customer, asset: string, name = 'default'): Account {
  const id = accountId(asset, name);
  const account = accounts.get(id) ?? {
    id,
    name,
    asset,
    credits: [],
    unspent: new Set(),
    movements: [],
    debt: Rational.ZERO,
  };
  accounts.set(id, account);
  return account;
}

/** Opens an account for each asset that a subscription's versions name. */
export function openAccounts(world: ModelWorld, subscription: Subscription): void {
  const customer = customerOf(world, subscription.customer);
  for (const { prices, entitlements } of contentsOf(world, subscription)) {
    const priced = prices.flatMap(({ pricing }) => pricing.map(({ asset }) => asset));
    const credit = entitlements.map(({ asset }) => asset);
    for (const asset of [...priced, ...credit]) accountOf(customer, asset);
  }
}

export const placesOf = ({ history }: ModelWorld, asset: string): number =>
  history.assets.find(({ code }) => code === asset)?.precision ?? 10;

/** The value of an amount in the reporting currency, by the rate of an instant, or by the first rate before that. */
export function worthOf(world: ModelWorld, asset: string, amount: Rational, at: number): Rational {
  if (asset === 'USD') return amount;
  const first = ratesOf(world, asset).find(({ from, to }) => from < to)?.from ?? at;
  return amount.times(rateAt(world, asset, Math.max(at, first)) ?? 0).rounded(10);
}

/** The rates of an asset, to the reporting currency by default. */
export const ratesOf = ({ rates }: ModelWorld, asset: string, source = 'USD') =>
  rates.find((each) => each.asset === asset && each.source === source)?.periods ?? [];

/** The rate in force at an instant, 1 for a currency in itself; undefined when there is none. */
export function rateAt(
  world: ModelWorld,
  asset: string,
  at: number,
  source = 'USD',
): Rational | undefined {
  if (asset === source) return Rational.of(1);
  return ratesOf(world, asset, source).find(({ from, to }) => from <= at && at < to)?.rate;
}

export function earn(world: ModelWorld, customer: number, amount: Rational, at = world.now): void {
  customerOf(world, customer).earnings.push({ at, amount });
}

type GivenCredit = Omit<Credit, 'sequence' | 'left' | 'isEffective' | 'priority'> &
  Partial<Pick<Credit, 'priority'>> & { readonly account?: string };

/** Adds credit, and makes it effective unless its time is in the future. What has ended already leaves at once. */
export function giveCredit(world: ModelWorld, customer: number, given: GivenCredit): void {
  world.sequence += 1;
  const { sequence, now } = world;
  const { amount: left, priority = Number.POSITIVE_INFINITY } = given;
  const credit: Credit = { ...given, sequence, priority, left, isEffective: false };
  const account = accountOf(customerOf(world, customer), given.asset, given.account);
  account.credits.push(credit);
  account.unspent.add(credit);
  if (given.effectiveAt <= now) makeEffective(account, credit, now);
  if (given.expiresAt > now || credit.left.sign === 0) return;
  // It was there, so that its end is a fall of the balance.
  watchBalances(world);
  endCredit(world, customer, account, credit);
}

/** Records the movement of a draw on an account. */
export function postDraw(
  { now }: ModelWorld,
  account: Account,
  amount: Rational,
  source: Movement['source'],
): void {
  execute(account, { source, amount: amount.negated }, now);
}

/** Ends the rest of a credit, and records revenue and movement. */
export function endCredit(world: ModelWorld, customer: number, account: Account, credit: Credit) {
  const { left } = credit;
  earn(world, customer, end(credit));
  postDraw(world, account, left, 'expiry');
}

/** The credit of the top-ups of an account whose money is on its way. */
export const onTheirWay = ({ topUps }: ModelWorld, account: Account): Rational[] =>
  topUps
    .filter((each) => each.account === account && each.status === 'pending')
    .map(({ credited }) => credited);

export const pendingIn = (world: ModelWorld, account: Account): Rational =>
  Rational.sum([
    ...account.credits.filter(({ isEffective }) => !isEffective).map(({ amount }) => amount),
    ...onTheirWay(world, account),
  ]);

/** Whether an account, with the money on its way, is below the threshold of its automatic top-up. */
export const isBelow = (
  world: ModelWorld,
  { account, threshold }: Pick<AutoTopUp, 'account' | 'threshold'>,
): boolean =>
  Rational.sum([available(account), ...onTheirWay(world, account)]).compare(threshold) < 0;

/** Makes the automatic top-ups due whose accounts fell below their thresholds since they were last looked at. */
export function watchBalances(world: ModelWorld): void {
  for (const rule of world.automatic) {
    const isNowBelow = isBelow(world, rule);
    if (isNowBelow && !rule.wasBelow && !rule.awaitsMethod) rule.isDue = true;
    if (!isNowBelow) rule.isDue = false;
    rule.wasBelow = isNowBelow;
  }
}

/** Tries the automatic top-ups again that came to nothing for a reason that has changed. */
export function tryAgain(world: ModelWorld, isMeant: (rule: AutoTopUp) => boolean): void {
  for (const rule of world.automatic)
    if (isMeant(rule))
      Object.assign(rule, {
        awaitsMethod: false,
        awaitsRate: false,
        isDue: isBelow(world, rule),
      });
}

/** The same for those that had no rate of an asset. */
export const tryWithRate = (world: ModelWorld, asset: string): void =>
  tryAgain(world, ({ awaitsRate, account }) => awaitsRate && account.asset === asset);

/** Whether a customer's saved payment method pays without the customer. */
export const hasGoodMethod = (world: ModelWorld, customer: number): boolean =>
  ['card', 'bank_debit'].includes(customerOf(world, customer).saved ?? '');

/**
 * A new rate ends the one in force as it begins, and lasts until the next one if it has no end of its own. Returns
 * false for one that would last beyond the next.
 */
export function setRate(world: ModelWorld, given: ActionContents['rate']): boolean {
  const { asset, source, lasts } = given;
  const schedule = ratesOf(world, asset, source);
  const from = world.now + (given.from ?? 0);
  const next = schedule.find((period) => period.from > from)?.from ?? NEVER;
  const to = lasts === undefined ? next : from + lasts;
  if (to > next) return false;
  for (const period of schedule) if (period.from <= from && from < period.to) period.to = from;
  const all = [...schedule, { from, to, rate: Rational.of(given.rate) }];
  const periods = all.sort((one, other) => one.from - other.from);
  const others = world.rates.filter((each) => each.asset !== asset || each.source !== source);
  world.rates = [...others, { asset, source, periods }];
  tryWithRate(world, asset);
  return true;
}
