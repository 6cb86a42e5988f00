import { Rational } from '../kit/rational.ts';
import {
  type Account,
  type Credit,
  end,
  execute,
  type Movement,
  makeEffective,
} from './account.ts';
import { type ContentSketch, type CustomerSketch, type History, START } from './history.ts';
import { type Hook, type LogEvent, matchedBy, TOPIC } from './hooks.ts';
import type { TopUpRecord, UsageRecord } from './records.ts';
import type { Subscription } from './subscription.ts';

/** What came in at a moment that statistics count it for. */
export interface Earning {
  readonly at: number;
  readonly amount: Rational;
}

export interface Customer extends CustomerSketch {
  readonly index: number;
  /** By id. */
  readonly accounts: Map<string, Account>;
  /** What prices have counted, by price, asset, group and period. */
  readonly quantities: Map<string, Rational>;
  readonly earnings: Earning[];
}

/** What the versions of a product hold, which of them may be subscribed to, and which is the default. */
export interface Shelf {
  readonly contents: ContentSketch[];
  readonly archived: Set<number>;
  readonly drafts: Set<number>;
  standard: number | undefined;
}

/** The state of the model. */
export interface ModelWorld {
  readonly history: History;
  now: number;
  sequence: number;
  /** How much, of each unit, amounts may differ: the last digits of shares that shrink are left open. */
  slack: number;
  readonly customers: Customer[];
  readonly subscriptions: Subscription[];
  /** By product. */
  readonly shelves: Shelf[];
  readonly hooks: Hook[];
  readonly log: LogEvent[];
  /** The world of the platform, where this is that of a connected account. */
  readonly platform: ModelWorld | undefined;
  /** The callers' own transactions, adjustments and charges, each with its account. */
  readonly transactions: { readonly customer: number; readonly account: string }[];
  readonly topUps: TopUpRecord[];
  /** Usage events in the order of submission. */
  readonly usage: UsageRecord[];
  /** Rates to the reporting currency by asset, each with its first instant. */
  readonly rates: Map<string, { readonly from: number; readonly rate: Rational }[]>;
}

export function createWorld(history: History, platform?: ModelWorld): ModelWorld {
  const rates: ModelWorld['rates'] = new Map();
  for (const { code, rate } of history.assets)
    if (rate !== undefined) rates.set(code, [{ from: START, rate: Rational.of(rate) }]);
  return {
    history,
    now: START,
    sequence: 0,
    slack: 0,
    customers: history.customers.map(createCustomer),
    subscriptions: [],
    shelves: history.products.map((versions) => ({
      contents: versions.map(({ draft, ...content }) => draft ?? content),
      archived: new Set(),
      drafts: new Set(versions.flatMap(({ draft }, index) => (draft ? [index + 1] : []))),
      standard: versions.findIndex(({ draft }) => !draft) + 1 || 1,
    })),
    hooks: [],
    log: [],
    platform,
    transactions: [],
    topUps: [],
    usage: [],
    rates,
  };
}

const createCustomer = (given: CustomerSketch, index: number): Customer => ({
  ...given,
  index,
  accounts: new Map(),
  quantities: new Map(),
  earnings: [],
});

/** A customer for whom events are simulated where no other is named. */
export const nobody = (): Customer =>
  createCustomer(
    { name: '', external_id: null, email: null, metadata: null, external_accounts: [] },
    -1,
  );

/** A copy of a customer, with the credit and quantities that pricing draws on. */
export const copyOf = (customer: Customer): Customer => ({
  ...customer,
  accounts: new Map(
    [...customer.accounts].map(([id, account]) => [
      id,
      { ...account, credits: account.credits.map((credit) => ({ ...credit })) },
    ]),
  ),
  quantities: new Map(customer.quantities),
});

export const customerOf = (world: ModelWorld, index: number) => world.customers[index] as Customer;

export const versionOf = (
  world: ModelWorld,
  { product, version }: { readonly product: number; readonly version: number },
) => shelfOf(world, product).contents[version - 1] as ContentSketch;

export const shelfOf = ({ shelves }: ModelWorld, product: number) => shelves[product] as Shelf;

/** The number of a version that may be subscribed to: the given one, or else the default. */
export function versionForSale(world: ModelWorld, product: number, given: number) {
  const number = versionNumber(world, product, given);
  return isForSale(shelfOf(world, product), number) ? number : defaultForSale(world, product);
}

/** The default of a product, unless it has none that may be subscribed to. */
export function defaultForSale(world: ModelWorld, product: number): number | undefined {
  const shelf = shelfOf(world, product);
  return isForSale(shelf, shelf.standard ?? 0) ? shelf.standard : undefined;
}

export const isForSale = ({ contents, archived, drafts }: Shelf, version: number): boolean =>
  contents[version - 1] !== undefined && !archived.has(version) && !drafts.has(version);

/** The number of a version that a product has, for any number. */
export const versionNumber = ({ history }: ModelWorld, product: number, given: number): number =>
  (given % (history.products[product]?.length ?? 1)) + 1;

export function accountOf({ accounts }: Customer, asset: string, name = 'default'): Account {
  const id = `${name}:${asset}`;
  const account = accounts.get(id) ?? { id, credits: [], movements: [], debt: Rational.ZERO };
  accounts.set(id, account);
  return account;
}

/** Opens an account for each asset that a version names. */
export function openAccounts(world: ModelWorld, customer: number, version: ContentSketch): void {
  const prices = version.prices.flatMap(({ pricing }) => pricing.map(({ asset }) => asset));
  const credit = version.entitlements.map(({ asset }) => asset);
  for (const asset of [...prices, ...credit]) accountOf(customerOf(world, customer), asset);
}

/** Decimal places of an amount in an asset. */
export const placesOf = ({ history }: ModelWorld, asset: string): number =>
  history.assets.find(({ code }) => code === asset)?.precision ?? 10;

/** What an amount is worth in the reporting currency by the rate of a moment, or of the first rate before it. */
export function worthOf(world: ModelWorld, asset: string, amount: Rational, at: number): Rational {
  if (asset === 'USD') return amount;
  const first = world.rates.get(asset)?.[0]?.from ?? at;
  return amount.times(rateAt(world, asset, Math.max(at, first)) ?? 0).rounded(10);
}

/** The rate in force at a moment. */
export const rateAt = ({ rates }: ModelWorld, asset: string, at: number): Rational | undefined =>
  rates.get(asset)?.findLast(({ from }) => from <= at)?.rate;

/** Notes that a subscription became active. */
export const notify = (world: ModelWorld, { customer, index }: Subscription): void =>
  emit(world, { customer, subscription: index });

/** Sends an event to one destination or all, and to those of the platform that listen to connected accounts. */
export function emit({ hooks, log, now, platform }: ModelWorld, data: object, named?: Hook): void {
  log.push({ at: now, topic: TOPIC, data, matched: matchedBy(hooks, named) });
  const beyond = platform && !named ? matchedBy(platform.hooks, undefined, true) : [];
  if (beyond.length > 0)
    platform?.log.push({ at: now, topic: TOPIC, data, matched: beyond, isBeside: true });
}

export function earn(world: ModelWorld, customer: number, amount: Rational, at = world.now): void {
  customerOf(world, customer).earnings.push({ at, amount });
}

type GivenCredit = Omit<Credit, 'sequence' | 'left' | 'isEffective' | 'priority' | 'movement'> &
  Partial<Pick<Credit, 'priority'>> & { readonly account?: string } & Described;

type Described = Pick<Movement, 'source' | 'texts' | 'about'>;

/** Gives credit, which begins at once unless its time lies ahead. */
export function giveCredit(world: ModelWorld, customer: number, given: GivenCredit): void {
  world.sequence += 1;
  const { sequence, now } = world;
  const { amount: left, priority = Number.POSITIVE_INFINITY, source, texts, about } = given;
  const movement: Movement = { source, amount: left, createdAt: now, texts, about };
  const credit: Credit = { ...given, sequence, priority, left, isEffective: false, movement };
  const account = accountOf(customerOf(world, customer), given.asset, given.account);
  account.credits.push(credit);
  if (given.effectiveAt <= now) makeEffective(account, credit, now);
}

/** Notes what a draw took from an account. */
export function postDraw(
  { now }: ModelWorld,
  account: Account,
  amount: Rational,
  described: Described,
): void {
  const movement = { ...described, amount: amount.negated, createdAt: now };
  execute(account, movement, now);
}

/** Ends what is left of a credit. */
export function endCredit(world: ModelWorld, customer: number, account: Account, credit: Credit) {
  const { left } = credit;
  earn(world, customer, end(credit));
  postDraw(world, account, left, { source: 'expiry' });
}

export const pendingIn = (world: ModelWorld, customer: number, { id, credits }: Account) => {
  const onTheirWay = world.topUps.filter(
    (topUp) => topUp.customer === customer && topUp.account === id && topUp.status === 'pending',
  );
  return Rational.sum([
    ...credits.filter(({ isEffective }) => !isEffective).map(({ amount }) => amount),
    ...onTheirWay.map(({ credited }) => credited),
  ]);
};

/** Those parts of what a version becomes that are asked for. */
export const contentOf = (
  { products }: History,
  product: number,
  version: number,
  parts: readonly (keyof ContentSketch)[],
): Partial<ContentSketch> =>
  Object.fromEntries(parts.map((part) => [part, products[product]?.[version - 1]?.[part]]));
