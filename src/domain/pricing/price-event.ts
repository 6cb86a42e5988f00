import { type Decimal, decimal } from '../decimal.ts';
import { mostExact } from './matching.ts';
import { modelOf } from './models.ts';
import type { EventData, PricingValue, UsageCalculation, UsagePrice } from './price.ts';

/** A fee before it has an id and an account. */
export interface FeeLine {
  readonly asset: string;
  readonly amount: Decimal;
  readonly value: PricingValue;
  /** Null where the price does not count volume. */
  readonly volume: Decimal | null;
  /** The assets in which a value fits, by listing. */
  readonly choices: readonly FittingEntry[];
}

/** What a price needs to know of whoever pays. */
export interface Payer {
  hasBalance(asset: string): boolean;
  /** Decimal places that a fee in the asset is rounded to. */
  placesOf(asset: string): number;
}

/** An event whose price counts volume that the event does not say. */
export const UNUSABLE_VOLUME = Symbol('unusable volume');

/**
 * What an event of a price's type costs: one unit at `unit_price`, plus its volume at `volume_rate` for
 * each package of `package_size`. Undefined when no value fits the event's data: such usage is free.
 *
 * @units   the amount in the asset of the entry chosen, rounded once; volume in what `volume_field` counts
 * @source  specification, Usage event (Fee) and Product (Price)
 * @assumes
 */
export function priceEvent(
  data: EventData,
  price: UsagePrice,
  payer: Payer,
): FeeLine | typeof UNUSABLE_VOLUME | undefined {
  const choices = fittingEntries(price, data);
  const entry = chooseEntry(choices, payer);
  if (!entry) return undefined;
  const volume = billableVolume(price.usage_calculation, data);
  if (volume === UNUSABLE_VOLUME) return volume;
  const { asset, value } = entry;
  const model = modelOf(price);
  const amount = model.amount(model.quantity(value, volume), payer.placesOf(asset));
  return { asset, value, volume, amount, choices };
}

export interface FittingEntry {
  readonly asset: string;
  readonly value: PricingValue;
}

/** Each asset in which a value fits, by listing, with the value that fits best. */
function fittingEntries({ pricing }: UsagePrice, data: EventData): FittingEntry[] {
  const fitting: FittingEntry[] = [];
  for (const entry of pricing) {
    const value = mostExact(entry, data);
    if (value) fitting.push({ asset: entry.asset, value });
  }
  return fitting;
}

/** The first entry whose asset the payer has, else the first. @assumes A-509 */
function chooseEntry(entries: readonly FittingEntry[], payer: Payer): FittingEntry | undefined {
  if (entries.length < 2) return entries[0];
  return entries.find(({ asset }) => payer.hasBalance(asset)) ?? entries[0];
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
