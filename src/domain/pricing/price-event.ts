import { compare, type Decimal, decimal, isPositive, ZERO } from '../decimal.ts';
import type { Instant } from '../instant.ts';
import type { PriceGroup } from './groups.ts';
import { mostExact } from './matching.ts';
import { modelOf } from './models.ts';
import type { EventData, UsageCalculation, UsagePrice } from './price.ts';
import { type Count, countOf } from './quantity.ts';
import { amountOf, type Reckoning } from './reckoning.ts';

/** What happened, as far as it is priced. */
export interface PricedUsage {
  readonly occurred_at: Instant;
  readonly data: EventData;
}

/** What an event costs in one asset. */
export interface AssetFee {
  readonly asset: string;
  readonly amount: Decimal;
  readonly group: PriceGroup;
  readonly reckoning: Reckoning;
  /** What the event adds to a quantity, where the price keeps one. */
  readonly counted?: {
    readonly count: Count;
    readonly before: Decimal;
    readonly quantity: Decimal;
  };
}

/** A fee before it has an id and an account. */
export interface FeeLine extends AssetFee {
  /** Null where the price does not count volume. */
  readonly volume: Decimal | null;
  /** The fee in each asset in which a value fits, by listing. */
  readonly choices: readonly AssetFee[];
}

/** What a price needs to know of whoever pays. */
export interface Payer<P extends UsagePrice = UsagePrice> {
  /** What there is of an asset; undefined where nobody in particular pays. */
  available(asset: string): Decimal | undefined;
  /** Decimal places that a fee in the asset is rounded to. */
  placesOf(asset: string): number;
  /** How much was counted so far. */
  quantityOf(price: P, count: Count): Decimal;
}

/** An event whose price counts volume that the event does not say. */
export const UNUSABLE_VOLUME = Symbol('unusable volume');

/**
 * What an event of a price's type costs by the model of the price. Undefined when no value fits the event's
 * data: such usage is free.
 *
 * @units   the amount in the asset of the entry chosen, rounded once; volume in what `volume_field` counts
 * @source  specification, Usage event (Fee) and Product (Price)
 * @assumes
 */
export function priceEvent<P extends UsagePrice>(
  usage: PricedUsage,
  price: P,
  payer: Payer<P>,
): FeeLine | typeof UNUSABLE_VOLUME | undefined {
  const fitting = fittingGroups(price, usage.data);
  if (fitting.length === 0) return undefined;
  const volume = billableVolume(price.usage_calculation, usage.data);
  if (volume === UNUSABLE_VOLUME) return volume;
  const choices = fitting.map(({ asset, group }) =>
    feeIn(asset, group, volume, usage.occurred_at, price, payer),
  );
  const chosen = chooseAsset(choices, payer);
  return chosen && { ...chosen, volume, choices };
}

/** Each asset in which a value fits, by listing, with the group that fits best. */
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
  const count = quantity && countOf(price, asset, group, at);
  const before = count ? payer.quantityOf(price, count) : ZERO;
  const reckoning = model.amount(price, group, volume, before);
  const amount = amountOf(reckoning, payer.placesOf(asset));
  const fee = { asset, amount, group, reckoning };
  return quantity && count ? { ...fee, counted: { count, before, quantity } } : fee;
}

/**
 * The first fee whose account covers it whole; else the first whose account has anything; else the first.
 *
 * @assumes A-509
 */
function chooseAsset(fees: readonly AssetFee[], payer: Payer): AssetFee | undefined {
  if (fees.length < 2) return fees[0];
  const held = fees.map((fee) => ({ fee, available: payer.available(fee.asset) }));
  const chosen =
    held.find(({ fee, available }) => available && compare(available, fee.amount) >= 0) ??
    held.find(({ available }) => available && isPositive(available));
  return chosen?.fee ?? fees[0];
}

/** The volume that an event says, or null where none is counted. */
function billableVolume(
  { usage_type, volume_field }: UsageCalculation,
  data: EventData,
): Decimal | null | typeof UNUSABLE_VOLUME {
  if (usage_type === 'unit' || volume_field === undefined) return null;
  const volume = Object.hasOwn(data, volume_field) ? data[volume_field] : undefined;
  return typeof volume === 'number' && volume >= 0 ? decimal(volume) : UNUSABLE_VOLUME;
}
