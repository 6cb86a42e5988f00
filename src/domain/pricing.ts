import {
  add,
  type Decimal,
  type DecimalText,
  decimal,
  divide,
  format,
  multiply,
  ONE,
  round,
  ZERO,
} from './decimal.ts';

export type EventData = Readonly<Record<string, string | number | boolean>>;

/** One row of a price: what it asks of events that have its dimensions. */
export interface PricingValue {
  readonly name?: string;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly unit_price?: DecimalText;
  readonly volume_rate?: DecimalText;
  readonly package_size?: number;
}

/** The rows of a price in one asset. */
export interface PricingEntry {
  readonly asset: string;
  readonly values: readonly PricingValue[];
}

export type UsageType = 'unit' | 'volume' | 'unit_and_volume';

export interface UsageCalculation {
  readonly event_type: string;
  readonly usage_type: UsageType;
  readonly volume_field?: string;
  readonly billable_dimensions: readonly string[];
  readonly source_reference_field?: string;
}

export interface UsagePrice {
  readonly usage_calculation: UsageCalculation;
  readonly pricing: readonly PricingEntry[];
}

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
  const amount = amountOf(value, volume ?? ZERO, payer.placesOf(asset));
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

/** A value and the dimensions that an event must have for it, those that anything matches left out. */
export interface RankedValue {
  readonly value: PricingValue;
  readonly required: readonly (readonly [field: string, text: string])[];
  readonly rank: number;
}

/** The order of an entry's values depends on nothing else, so it is worked out once. */
const rankings = new WeakMap<PricingEntry, readonly RankedValue[]>();

/** The value with the most dimensions equal to the event's; `*` fits anything; ties go to the first. */
function mostExact(entry: PricingEntry, data: EventData): PricingValue | undefined {
  let ranking = rankings.get(entry);
  if (!ranking) {
    ranking = entry.values.map(rankValue).sort((left, right) => right.rank - left.rank);
    rankings.set(entry, ranking);
  }
  return ranking.find(({ required }) =>
    required.every(([field, text]) => textOf(data, field) === text),
  )?.value;
}

/** A value without dimensions ranks below one that anything matches. */
export function rankValue(value: PricingValue): RankedValue {
  const dimensions = Object.entries(value.dimensions ?? {});
  const required = dimensions.filter(([, text]) => text !== '*');
  return { value, required, rank: dimensions.length === 0 ? -1 : required.length };
}

/** A field of the event as text, numbers in plain notation. */
export function textOf(data: EventData, field: string): string | undefined {
  if (!Object.hasOwn(data, field)) return undefined;
  const value = data[field];
  return typeof value === 'number' ? format(decimal(value)) : String(value);
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

/** The numbers of a value as they are reckoned with; the unit price is that of a whole package. */
interface Operands {
  readonly unit: Decimal;
  readonly rate: Decimal | undefined;
  readonly size: Decimal;
}

/** A value never changes, so its numbers are read once. */
const operands = new WeakMap<PricingValue, Operands>();

function operandsOf(value: PricingValue): Operands {
  const known = operands.get(value);
  if (known) return known;
  const size = decimal(value.package_size ?? 1);
  const unit = multiply(decimal(value.unit_price ?? '0'), size);
  const rate = value.volume_rate === undefined ? undefined : decimal(value.volume_rate);
  const read = { unit, rate, size };
  operands.set(value, read);
  return read;
}

/** A partly used package is billed pro rata. @assumes A-508 */
function amountOf(value: PricingValue, volume: Decimal, places: number): Decimal {
  const { unit, rate, size } = operandsOf(value);
  const amount = rate ? add(unit, multiply(volume, rate)) : unit;
  return size.eq(ONE) ? round(amount, places) : divide(amount, size, places);
}
