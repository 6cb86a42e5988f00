import { Rational } from '../kit/rational.ts';
import { accountId, available, draw } from './account.ts';
import { periodOf } from './calendar.ts';
import { type EventSketch, expenseOf, type UsagePriceSketch } from './history.ts';
import { bestGroup, type Priced, priceInGroup, volumeOf } from './pricing.ts';
import type { ExpectedFee, UsageRecord } from './records.ts';
import type { Plan, Subscription, SubscriptionPhase } from './subscription.ts';
import {
  accountOf,
  type Customer,
  customerOf,
  earn,
  type ModelWorld,
  placesOf,
  postDraw,
  versionOf,
  worthOf,
} from './world.ts';

const AHEAD = 300_000;

/** Prices an event of a customer and books its fees. */
export function submitEvent(world: ModelWorld, index: number, event: EventSketch): UsageRecord {
  const occurredAt = world.now - event.ago;
  const customer = customerOf(world, index);
  const fees: ExpectedFee[] = [];
  let revenue = Rational.ZERO;
  for (const billed of billedAt(world, index, occurredAt))
    for (const fee of feesOf(world, customer, billed, event)) {
      fees.push(fee);
      const account = accountOf(customer, fee.currency);
      const { counted, debt } = draw(account, fee.amount);
      if (fee.amount.sign > 0) postDraw(world, account, fee.amount, 'usage');
      revenue = revenue.plus(counted).plus(worthOf(world, fee.currency, debt, occurredAt));
    }
  earn(world, index, revenue, occurredAt);
  const { cost: expense } = expenseOf(event);
  const cost = worthOf(world, expense.currency, Rational.of(expense.amount), occurredAt);
  const { event_type } = event;
  const record = {
    event_type,
    at: occurredAt,
    fees,
    revenue,
    cost,
    total: totalOf(world, fees, occurredAt),
  };
  customer.events.push(record);
  return record;
}

/** The sum of fees: in their asset if they share one, or else in the reporting currency. */
function totalOf(world: ModelWorld, fees: readonly ExpectedFee[], at: number) {
  const [first] = fees;
  if (!first) return undefined;
  const isOfOne = fees.every(({ currency }) => currency === first.currency);
  return Rational.sum(
    fees.map(({ amount, currency }) => (isOfOne ? amount : worthOf(world, currency, amount, at))),
  );
}

/** The versions that bill a customer's usage of an instant, one for each product. */
function billedAt(world: ModelWorld, customer: number, occurredAt: number) {
  const at = Math.min(occurredAt, world.now);
  const held = world.subscriptions
    .filter((subscription) => subscription.customer === customer)
    .sort((one, other) => one.startedAt - other.startedAt)
    .flatMap((subscription) => {
      const phase = phaseAt(subscription, at, world.now);
      return phase?.plans.map((plan) => ({ subscription, phase, plan })) ?? [];
    });
  const products = new Map<number, (typeof held)[number]>();
  for (const each of held) {
    const { product } = each.plan;
    const other = products.get(product);
    if (other && !outranks(each, other)) continue;
    // Fees stand in the order in which the subscriptions that bill them started.
    products.delete(product);
    products.set(product, each);
  }
  return [...products.values()].map(({ plan }) => plan);
}

interface Held {
  readonly subscription: Subscription;
  readonly phase: SubscriptionPhase;
}

function outranks({ subscription, phase }: Held, other: Held): boolean {
  if (phase.isPastDue !== other.phase.isPastDue) return !phase.isPastDue;
  if (subscription.startedAt !== other.subscription.startedAt)
    return subscription.startedAt > other.subscription.startedAt;
  return subscription.index > other.subscription.index;
}

function phaseAt({ phases }: Subscription, at: number, now: number): SubscriptionPhase | undefined {
  const first = phases[0];
  const isShortlyBefore = first && at < first.from && at >= first.from - AHEAD && first.from <= now;
  const moment = isShortlyBefore ? first.from : at;
  return phases.find(({ from, to }) => from <= moment && moment < to);
}

/** Yields the fee of each matching price, in order. The caller books each fee before it takes the next one. */
function* feesOf(
  world: ModelWorld,
  customer: Customer,
  { product, version }: Plan,
  event: EventSketch,
): Generator<ExpectedFee> {
  for (const price of versionOf(world, { product, version }).prices) {
    if (price.type !== 'usage_based') continue;
    if (price.usage_calculation.event_type !== event.event_type) continue;
    const volume = volumeOf(price, event);
    if (volume === null) continue;
    const offers = offersOf({ world, customer, product, price, event, volume });
    const chosen = choose(customer, offers);
    if (!chosen) continue;
    const { key, before, priced } = chosen;
    if (price.pricing_model !== 'flat') customer.quantities.set(key, before.plus(priced.counts));
    yield { product, version, ...describe(price, event, chosen), input_volume: volume ?? null };
  }
}

interface Offer {
  readonly asset: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly key: string;
  readonly before: Rational;
  readonly priced: Priced;
  readonly amount: Rational;
}

interface Question {
  readonly world: ModelWorld;
  readonly customer: Customer;
  readonly product: number;
  readonly price: UsagePriceSketch;
  readonly event: EventSketch;
  readonly volume: Rational | undefined;
}

/** The fee of the event in each asset of a price. */
function offersOf({ world, customer, product, price, event, volume }: Question): Offer[] {
  return price.pricing.flatMap(({ asset, values }) => {
    const group = values[bestGroup(values, event)];
    if (!group) return [];
    const at = world.now - event.ago;
    const [kind, period] = countKind(price);
    const since = countedSince(world, customer, product, price, at);
    const { dimensions } = group;
    const when = [periodOf(at, period), periodOf(since, period) === periodOf(at, period) && since];
    const parts = [product, price.name, asset, dimensions, kind, period, when];
    const key = JSON.stringify(parts);
    const before = customer.quantities.get(key) ?? Rational.ZERO;
    const priced = priceInGroup(price, group, volume, before);
    const amount = priced.amount.rounded(placesOf(world, asset));
    return [{ asset, dimensions, key, before, priced, amount }];
  });
}

/** What a price counts, and in which periods. */
function countKind(price: UsagePriceSketch): [kind: string, period: string] {
  const { basis = 'package', period = 'lifetime' } = price.tiering ?? {};
  const holds = price.usage_calculation.usage_type === 'unit' ? 'events' : 'volume';
  return [basis === 'package' ? `package of ${holds}` : basis, period];
}

/** When the versions that billed a customer last changed what the price of that name counts; 0 if they never did. */
function countedSince(
  world: ModelWorld,
  customer: Customer,
  product: number,
  price: UsagePriceSketch,
  at: number,
): number {
  const changes = world.subscriptions
    .filter((subscription) => subscription.customer === customer.index)
    .flatMap(({ phases }) => phases.flatMap(({ from, to }) => [from, to]))
    .filter((change) => change <= at)
    .sort((one, other) => other - one);
  let since: number | undefined;
  for (const change of changes) {
    const kinds = billedAt(world, customer.index, change)
      .filter((billed) => billed.product === product)
      .flatMap((billed) => versionOf(world, billed).prices)
      .filter((other) => other.type === 'usage_based' && other.name === price.name)
      .filter((other) => (other as UsagePriceSketch).pricing_model !== 'flat')
      .map((other) => countKind(other as UsagePriceSketch).join());
    if (kinds.length === 0) continue;
    if (!kinds.includes(countKind(price).join())) return since ?? change;
    since = change;
  }
  return 0;
}

function choose(customer: Customer, offers: readonly Offer[]): Offer | undefined {
  const held = offers.map((offer) => {
    const account = customer.accounts.get(accountId(offer.asset));
    return { offer, balance: account ? available(account) : Rational.ZERO };
  });
  const chosen =
    held.find(({ offer, balance }) => balance.compare(offer.amount) >= 0) ??
    held.find(({ balance }) => balance.sign > 0);
  return chosen?.offer ?? offers[0];
}

function describe(price: UsagePriceSketch, event: EventSketch, offer: Offer) {
  const { usage_type, volume_field } = price.usage_calculation;
  const { row, name } = offer.priced;
  const own = Object.keys(offer.dimensions).filter((field) => field in event.data);
  const matched = own.map((field) => [field, String(event.data[field])]);
  return {
    price_name: name,
    currency: offer.asset,
    usage_type,
    amount: offer.amount,
    dimensions: matched.length > 0 ? Object.fromEntries(matched) : null,
    volume_field,
    unit_price: row?.unit_price ?? null,
    volume_rate: row?.volume_rate ?? null,
    package_size: row?.package_size ?? (row?.volume_rate === undefined ? null : 1),
  };
}
