import { type DecimalText, decimal, format, isZero } from '../../domain/decimal.ts';
import type { Instant } from '../../domain/instant.ts';
import { isRoundedAway } from '../../domain/pricing/price-breakdown.ts';
import {
  type FeeLine,
  type NoFee,
  type Payer,
  priceEvent,
} from '../../domain/pricing/price-event.ts';
import { type CountKind, countKindOf } from '../../domain/pricing/quantity.ts';
import type {
  AssetChoice,
  CustomerRow,
  Draft,
  EventRow,
  FeeRecord,
  TransactionRow,
} from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { findPlaces } from '../assets/asset-lookup.ts';
import type { Context } from '../context.ts';
import { DEFAULT_ACCOUNT_NAME, openAccount } from '../wallet-accounts.ts';
import { Debits, revenueText } from '../wallets/transactions.ts';
import { countUsage, quantitySoFar } from './price-quantities.ts';
import {
  type OfferedPrice,
  type PriceList,
  type PricesAt,
  pricesFor,
  pricesOfCustomer,
  termsOf,
} from './usage-prices.ts';

/** The fields of an event that pricing and the ledger need. */
export type BillableUsage = Pick<
  EventRow,
  'event_id' | 'event_type' | 'occurred_at' | 'subject' | 'description' | 'data'
>;

/** The prices and the payer of usage; without a customer, prices are only simulated. */
interface BillingTerms {
  readonly pricesAt: PricesAt;
  readonly customer: CustomerRow | undefined;
  nextFeeId(): string;
}

export interface Billing extends BillingTerms {
  readonly context: Context;
  /** The debits for fees, written after all usage is billed. */
  readonly debits: Debits;
  readonly payer: Payer<OfferedPrice>;
}

/** Opens the billing of one batch. Each fee sees the balances that earlier fees left. */
export function openBilling(context: Context, terms: BillingTerms): Billing {
  const { customer } = terms;
  const debits = new Debits(context);
  const payer: Payer<OfferedPrice> = {
    available: (asset) => customer && decimal(availableOf(debits, customer, asset)),
    placesOf: (asset) => findPlaces(context, asset) ?? 0,
    countStart: countStartsOf(context, customer),
    quantityOf: (price, count) => quantitySoFar(context, customer, price, count),
  };
  return { context, debits, payer, ...terms };
}

/** Why usage costs nothing: no price counts it, or a price that counts it has no fee or one that is rounded to 0. */
export type FreeUsage =
  | { readonly why: 'no_price'; readonly prices: PriceList }
  | { readonly why: NoFee; readonly price: OfferedPrice }
  | { readonly why: 'rounded_away'; readonly price: OfferedPrice; readonly asset: string };

/** The fees of a usage event, why it costs nothing, or nothing by some price, and the products that were considered. */
interface BilledUsage {
  readonly fees: FeeRecord[];
  readonly free: readonly FreeUsage[];
  readonly billed_by: PriceList['billed_by'];
}

/**
 * Prices one usage event and debits its fees. Each fee sees the balances that earlier fees left.
 *
 * @assumes
 */
export function billUsage(billing: Billing, usage: BillableUsage): BilledUsage {
  const fees: FeeRecord[] = [];
  const free: FreeUsage[] = [];
  const prices = billing.pricesAt(usage.occurred_at);
  const counting = pricesFor(prices, usage.event_type);
  if (counting.length === 0) free.push({ why: 'no_price', prices });
  for (const price of counting) {
    const line = priceEvent(usage, price, billing.payer);
    if (typeof line === 'string') {
      free.push({ why: line, price });
      continue;
    }
    const { asset, amount, breakdown } = line;
    if (isRoundedAway(breakdown, amount)) free.push({ why: 'rounded_away', price, asset });
    fees.push(recordFee(billing, usage, price, line));
  }
  return { fees, free, billed_by: prices.billed_by };
}

function recordFee(
  billing: Billing,
  usage: BillableUsage,
  price: OfferedPrice,
  line: FeeLine,
): FeeRecord {
  const { context, customer } = billing;
  const { counted, volume } = line;
  const choices = choicesOf(billing, line);
  const id = billing.nextFeeId();
  const taken = takeFee(billing, usage, line, id);
  const revenue = taken ? revenueText(taken) : '0';
  // Written field by field: objects made by spreading do not share their hidden class.
  const fee: Draft<FeeRecord> = {
    id,
    terms: termsOf(price, line, usage),
    amount: format(line.amount),
    input_volume: volume && format(volume),
    revenue,
    transaction_id: taken?.transaction_id ?? null,
  };
  if (counted) fee.counted = countUsage(context, customer, price, counted);
  if (choices) fee.choices = choices;
  return fee;
}

/** The assets to choose from, with the balance of each before the fee. @assumes A-509 */
function choicesOf(
  { debits, customer }: Billing,
  { choices }: FeeLine,
): readonly AssetChoice[] | undefined {
  if (choices.length < 2 || !customer) return undefined;
  return choices.map(({ asset, amount }) => ({
    asset,
    available: availableOf(debits, customer, asset),
    amount: format(amount),
  }));
}

/** Debits a fee from its payer's account, which the first fee creates. A fee of 0 posts nothing. @assumes A-508 */
function takeFee(
  { context, debits, customer }: Billing,
  { event_id, occurred_at, subject, description }: BillableUsage,
  { asset, amount }: FeeLine,
  fee_id: string,
): TransactionRow | undefined {
  if (!customer || isZero(amount)) return undefined;
  return debits.take(openAccount(context, customer, asset), {
    source: 'usage',
    to: 'revenue',
    amount,
    event_id,
    fee_id,
    subject,
    description,
    occurred_at,
  });
}

/** What a customer can pay with in an asset, by the debits so far. */
const availableOf = (debits: Debits, customer: CustomerRow, asset: string): DecimalText =>
  debits.available(key(customer.id, `${DEFAULT_ACCOUNT_NAME}:${asset}`));

/** Since when a price counts a customer's usage as it does; undefined if it always did. */
type CountStart = (price: OfferedPrice, at: Instant) => Instant | undefined;

/**
 * Finds when the versions that billed a customer last changed the basis or the period of a price. A version without
 * the price changes neither.
 *
 * @assumes A-1501
 */
function countStartsOf(context: Context, customer: CustomerRow | undefined): CountStart {
  const changes = customer ? changesOf(context, customer) : [];
  // With one version there is nothing to change.
  if (!customer || changes.length < 2) return () => undefined;
  const pricesAt = pricesOfCustomer(context, customer);
  const known = new Map<string, Instant | undefined>();
  return (price, at) => {
    const last = changes.findLastIndex((change) => change <= at);
    const id = `${price.price_id} ${last}`;
    if (!known.has(id)) known.set(id, lastChange(price, changes.slice(0, last + 1), pricesAt));
    return known.get(id);
  };
}

/** The instants at which the customer's versions changed, earliest first. */
function changesOf({ tables }: Context, { id }: CustomerRow): Instant[] {
  const started = [...tables.subscriptions.sorted('started', id)];
  const phases = started.flatMap(({ history }) => history);
  const ends = phases.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]));
  return [...new Set(ends)].sort();
}

function lastChange(
  price: OfferedPrice,
  changes: readonly Instant[],
  pricesAt: (at: Instant) => PriceList,
): Instant | undefined {
  const wanted = countKindOf(price);
  let since: Instant | undefined;
  for (const change of changes.toReversed()) {
    const kinds = kindsAt(pricesAt(change), price);
    if (kinds.length === 0) continue;
    if (!kinds.some((kind) => isSame(kind, wanted))) return since ?? change;
    since = change;
  }
  return undefined;
}

/** How the versions in force count the price of that name; empty if they do not. */
const kindsAt = ({ offers }: PriceList, { product_id, price_name }: OfferedPrice): CountKind[] =>
  offers
    .flatMap((offer) => [...offer.values()].flat())
    .filter((other) => other.product_id === product_id && other.price_name === price_name)
    .map(countKindOf)
    .filter((kind) => kind !== undefined);

const isSame = (kind: CountKind, other: CountKind | undefined): boolean =>
  kind.basis === other?.basis && kind.period === other.period;
