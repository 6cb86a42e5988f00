import { compare, type Decimal, isNegative, isPositive, ZERO } from '../decimal.ts';
import type { Instant } from '../instant.ts';
import { type EventData, mostExact, numberOf } from './matching.ts';
import { modelOf } from './models.ts';
import type { PriceGroup, UsageCalculation, UsagePrice } from './price.ts';
import { amountOf, type PriceBreakdown } from './price-breakdown.ts';
import { type Count, countOf } from './quantity.ts';

/** The fields of a usage event that pricing needs. */
interface PricedUsage {
  readonly occurred_at: Instant;
  readonly data: EventData;
}

/** The cost of an event in one asset. */
export interface AssetFee {
  readonly asset: string;
  readonly amount: Decimal;
  readonly group: PriceGroup;
  readonly breakdown: PriceBreakdown;
  /** How much the event adds to a quantity, if the price keeps one. */
  readonly counted?: {
    readonly count: Count;
    readonly before: Decimal;
    readonly quantity: Decimal;
  };
}

/** A fee before it has an id and an account. */
export interface FeeLine extends AssetFee {
  /** Null if the price does not count volume. */
  readonly volume: Decimal | null;
  /** The fee in each asset that has a matching value, in order. */
  readonly choices: readonly AssetFee[];
}

/** What pricing needs to know about the payer. */
export interface Payer<P extends UsagePrice = UsagePrice> {
  /** The balance in an asset; undefined if there is no particular payer. */
  available(asset: string): Decimal | undefined;
  /** Decimal places that a fee in the asset is rounded to. */
  placesOf(asset: string): number;
  /** When what the price counts last changed; undefined if it never did. */
  countStart(price: P, at: Instant): Instant | undefined;
  /** The quantity so far. */
  quantityOf(price: P, count: Count): Decimal;
}

/** Why a price has no fee for an event: no value matches its data, or its volume is missing or not a number. */
export type NoFee = 'unmatched_usage' | 'unusable_volume';

/**
 * The fee of an event by the model of the price, or why there is none.
 *
 * @units   the amount in the asset of the entry chosen, rounded once; volume in what `volume_field` counts
 * @source  specification, Usage event (Fee) and Product (Price)
 * @assumes
 */
export function priceEvent<P extends UsagePrice>(
  usage: PricedUsage,
  price: P,
  payer: Payer<P>,
): FeeLine | NoFee {
  const fitting = fittingGroups(price, usage.data);
  if (fitting.length === 0) return 'unmatched_usage';
  const volume = billableVolume(price.usage_calculation, usage.data);
  if (volume === undefined) return 'unusable_volume';
  const choices = fitting.map(({ asset, group }) =>
    feeIn(asset, group, volume, usage.occurred_at, price, payer),
  );
  return { volume, choices, ...chooseAsset(choices, payer) };
}

/** Each asset that has a matching value, in order, with the group that matches best. */
function fittingGroups(price: UsagePrice, data: EventData) {
  const fitting: { readonly asset: string; readonly group: PriceGroup }[] = [];
  const { hasTiers } = modelOf(price);
  for (const entry of price.pricing) {
    const group = mostExact(entry, hasTiers, data);
    if (group) fitting.push({ asset: entry.asset, group });
  }
  return fitting;
}

function feeIn<P extends UsagePrice>(
  asset: string,
  group: PriceGroup,
  volume: Decimal | null,
  at: Instant,
  price: P,
  payer: Payer<P>,
): AssetFee {
  const model = modelOf(price);
  const quantity = model.quantity(price, volume);
  const count = quantity && countOf(price, asset, group, at, payer.countStart(price, at));
  const before = count ? payer.quantityOf(price, count) : ZERO;
  const breakdown = model.amount(price, group, volume, before);
  const amount = amountOf(breakdown, payer.placesOf(asset));
  const fee = { asset, amount, group, breakdown };
  return quantity && count ? { counted: { count, before, quantity }, ...fee } : fee;
}

/**
 * The first fee that its account covers in full; otherwise the first whose account has a positive balance; otherwise
 * the first.
 *
 * @assumes A-509
 */
function chooseAsset(fees: readonly AssetFee[], payer: Payer): AssetFee {
  const first = fees[0] as AssetFee;
  if (fees.length < 2) return first;
  const held = fees.map((fee) => ({ fee, available: payer.available(fee.asset) }));
  const chosen =
    held.find(({ fee, available }) => available && compare(available, fee.amount) >= 0) ??
    held.find(({ available }) => available && isPositive(available));
  return chosen?.fee ?? first;
}

/** The volume of an event; null if the price counts none, undefined if the event has none that is usable. */
function billableVolume(
  { usage_type, volume_field }: UsageCalculation,
  data: EventData,
): Decimal | null | undefined {
  if (usage_type === 'unit' || volume_field === undefined) return null;
  const volume = Object.hasOwn(data, volume_field) ? numberOf(data[volume_field]) : undefined;
  return volume && !isNegative(volume) ? volume : undefined;
}
