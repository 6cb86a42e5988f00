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
import type { TopUpRecord, UsageRecord } from './records.ts';
import type { Subscription } from './subscription.ts';

/** Revenue, with the instant for which stats count it. */
export interface Earning {
  readonly at: number;
  readonly amount: Rational;
}

export interface Customer extends CustomerSketch {
  readonly index: number;
  /** By id. */
  readonly accounts: Map<string, Account>;
  /** The quantities that prices have counted, by price, asset, group and period. */
  readonly quantities: Map<string, Rational>;
  readonly earnings: Earning[];
  /** Whether its saved payment method pays; undefined without one. */
  saved?: 'pays' | 'declines' | undefined;
}

/** The contents of a product's versions, their states, and the number of the default version (`standard`). */
export interface Shelf {
  readonly contents: ContentSketch[];
  readonly archived: Set<number>;
  readonly drafts: Set<number>;
  standard: number | undefined;
}

export class ModelWorld {
  now = START;
  sequence = 0;
  /** The relative tolerance for amounts, because the last digits of divided shares are not specified. */
  slack = 0;
  readonly customers: Customer[];
  readonly subscriptions: Subscription[] = [];
  /** By product. */
  readonly shelves: Shelf[];
  /** The caller's adjustments and charges, each with its account. */
  readonly transactions: { readonly customer: number; readonly account: string }[] = [];
  readonly topUps: TopUpRecord[] = [];
  /** Usage events in the order of submission. */
  readonly usage: UsageRecord[] = [];
  /** Rates to the reporting currency by asset, each with its first instant. */
  readonly rates = new Map<string, { readonly from: number; readonly rate: Rational }[]>();

  constructor(readonly history: History) {
    this.customers = history.customers.map(createCustomer);
    this.shelves = history.products.map((versions) => ({
      contents: versions.map(({ draft, ...content }) => draft ?? content),
      archived: new Set(),
      drafts: new Set(versions.flatMap(({ draft }, index) => (draft ? [index + 1] : []))),
      standard: versions.findIndex(({ draft }) => !draft) + 1 || 1,
    }));
    for (const { code, rate } of history.assets)
      if (rate !== undefined) this.rates.set(code, [{ from: START, rate: Rational.of(rate) }]);
  }
}

const createCustomer = (given: CustomerSketch, index: number): Customer => ({
  ...given,
  index,
  accounts: new Map(),
  quantities: new Map(),
  earnings: [],
});

/** The customer for simulations that name none. */
export const nobody = (): Customer =>
  createCustomer(
    { name: '', external_id: null, email: null, metadata: null, external_accounts: [] },
    -1,
  );

/** A copy of a customer, with copies of the credit and quantities that pricing changes. */
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

/** The version to subscribe to: the given one if it is for sale, otherwise the default. */
export function versionForSale(world: ModelWorld, product: number, given: number) {
  const number = versionNumber(world, product, given);
  return isForSale(shelfOf(world, product), number) ? number : defaultForSale(world, product);
}

/** The default version of a product; undefined when it is not for sale. */
export function defaultForSale(world: ModelWorld, product: number): number | undefined {
  const shelf = shelfOf(world, product);
  return isForSale(shelf, shelf.standard ?? 0) ? shelf.standard : undefined;
}

export const isForSale = ({ contents, archived, drafts }: Shelf, version: number): boolean =>
  contents[version - 1] !== undefined && !archived.has(version) && !drafts.has(version);

/** The number of an existing version, from any number. */
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

export const placesOf = ({ history }: ModelWorld, asset: string): number =>
  history.assets.find(({ code }) => code === asset)?.precision ?? 10;

/** The value of an amount in the reporting currency, by the rate of an instant, or by the first rate before that. */
export function worthOf(world: ModelWorld, asset: string, amount: Rational, at: number): Rational {
  if (asset === 'USD') return amount;
  const first = world.rates.get(asset)?.[0]?.from ?? at;
  return amount.times(rateAt(world, asset, Math.max(at, first)) ?? 0).rounded(10);
}

/** The rate in force at an instant; undefined when there is none. */
const rateAt = ({ rates }: ModelWorld, asset: string, at: number): Rational | undefined =>
  rates.get(asset)?.findLast(({ from }) => from <= at)?.rate;

export function earn(world: ModelWorld, customer: number, amount: Rational, at = world.now): void {
  customerOf(world, customer).earnings.push({ at, amount });
}

type GivenCredit = Omit<Credit, 'sequence' | 'left' | 'isEffective' | 'priority' | 'movement'> &
  Partial<Pick<Credit, 'priority'>> & { readonly account?: string } & Described;

type Described = Pick<Movement, 'source' | 'texts' | 'about'>;

/** Adds credit, and makes it effective unless its time is in the future. */
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

/** Records the movement of a draw on an account. */
export function postDraw(
  { now }: ModelWorld,
  account: Account,
  amount: Rational,
  described: Described,
): void {
  const movement = { ...described, amount: amount.negated, createdAt: now };
  execute(account, movement, now);
}

/** Ends the rest of a credit, and records revenue and movement. */
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

/** The requested parts of a version's final content. */
export const contentOf = (
  { products }: History,
  product: number,
  version: number,
  parts: readonly (keyof ContentSketch)[],
): Partial<ContentSketch> =>
  Object.fromEntries(parts.map((part) => [part, products[product]?.[version - 1]?.[part]]));
