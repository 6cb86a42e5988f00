import { type Account, type Credit, makeEffective } from './account.ts';
import { type Fraction, plus, rational, rounded, times, ZERO_FRACTION } from './fraction.ts';
import { type History, START, type VersionSketch } from './history.ts';
import type { Subscription } from './subscription.ts';

export interface Customer {
  readonly index: number;
  /** By asset, all of them under the default name. */
  readonly accounts: Map<string, Account>;
  /** What prices have counted, by price, asset, group and period. */
  readonly quantities: Map<string, Fraction>;
  revenue: Fraction;
}

/** The state of the model. */
export interface ModelWorld {
  readonly history: History;
  now: number;
  sequence: number;
  readonly customers: Customer[];
  readonly subscriptions: Subscription[];
  /** Rates to the reporting currency by asset, each with its first instant. */
  readonly rates: Map<string, { readonly from: number; readonly rate: Fraction }[]>;
}

export function createWorld(history: History): ModelWorld {
  const rates: ModelWorld['rates'] = new Map();
  for (const { code, rate } of history.assets)
    if (rate !== undefined) rates.set(code, [{ from: START, rate: rational(rate) }]);
  return {
    history,
    now: START,
    sequence: 0,
    customers: Array.from({ length: history.customers }, (_, index) => ({
      index,
      accounts: new Map(),
      quantities: new Map(),
      revenue: ZERO_FRACTION,
    })),
    subscriptions: [],
    rates,
  };
}

export const customerOf = (world: ModelWorld, index: number) => world.customers[index] as Customer;

export const versionOf = (
  world: ModelWorld,
  { product, version }: { readonly product: number; readonly version: number },
) => world.history.products[product]?.[version - 1] as VersionSketch;

/** The number of a version that a product has, for any number. */
export const versionNumber = ({ history }: ModelWorld, product: number, given: number): number =>
  (given % (history.products[product]?.length ?? 1)) + 1;

export function accountOf({ accounts }: Customer, asset: string): Account {
  const account = accounts.get(asset) ?? { credits: [], debt: ZERO_FRACTION };
  accounts.set(asset, account);
  return account;
}

/** Opens an account for each asset that a version names. */
export function openAccounts(world: ModelWorld, customer: number, version: VersionSketch): void {
  const prices = version.prices.flatMap(({ pricing }) => pricing.map(({ asset }) => asset));
  const credit = version.entitlements.map(({ asset }) => asset);
  for (const asset of [...prices, ...credit]) accountOf(customerOf(world, customer), asset);
}

/** Decimal places of an amount in an asset. */
export const placesOf = ({ history }: ModelWorld, asset: string): number =>
  history.assets.find(({ code }) => code === asset)?.precision ?? 10;

/** What an amount is worth in the reporting currency by the rate of a moment, or of the first rate before it. */
export function worthOf(world: ModelWorld, asset: string, amount: Fraction, at: number): Fraction {
  if (asset === 'USD') return amount;
  const schedule = world.rates.get(asset) ?? [];
  const rate = (schedule.findLast(({ from }) => from <= at) ?? schedule[0])?.rate ?? ZERO_FRACTION;
  return rounded(times(amount, rate), 10);
}

export function earn(world: ModelWorld, customer: number, amount: Fraction): void {
  const earner = customerOf(world, customer);
  earner.revenue = plus(earner.revenue, amount);
}

type GivenCredit = Omit<Credit, 'sequence' | 'left' | 'isEffective' | 'priority'> &
  Partial<Pick<Credit, 'priority'>>;

/** Gives credit, which begins at once unless its time lies ahead. */
export function giveCredit(world: ModelWorld, customer: number, given: GivenCredit): void {
  world.sequence += 1;
  const { sequence } = world;
  const { amount: left, priority = Number.POSITIVE_INFINITY } = given;
  const credit: Credit = { ...given, sequence, priority, left, isEffective: false };
  const account = accountOf(customerOf(world, customer), given.asset);
  account.credits.push(credit);
  if (given.effectiveAt <= world.now) makeEffective(account, credit);
}

export const pendingIn = ({ credits }: Account): Fraction =>
  credits
    .filter(({ isEffective }) => !isEffective)
    .reduce((sum, { amount }) => plus(sum, amount), ZERO_FRACTION);
