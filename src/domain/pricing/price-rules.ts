import { fixedInterval, fixedTermsRules } from '../fixed-fees.ts';
import type { Interval } from '../instant.ts';
import { type Finding, finding, isGiven } from '../rules.ts';
import { modelOf, type PricingModel } from './models.ts';
import { judgeFixedValues, type UsageTerms, type ValueInput } from './value-rules.ts';

/** What a price needs to know of an asset. */
export interface AssetTerms {
  readonly isCurrency: boolean;
  readonly precision: number;
}

/** Looks an asset up by its code; undefined for one that does not exist. */
export type FindAsset = (code: string) => AssetTerms | undefined;

/** A price of a request, of the right shape. */
export interface PriceInput {
  readonly type: 'fixed' | 'usage_based';
  readonly billing_model: {
    readonly type: 'recurring' | 'real_time';
    readonly recurring?: { readonly interval: Interval } | null;
  };
  readonly pricing_model?: PricingModel;
  readonly usage_calculation?: (UsageTerms & { readonly volume_field?: string | null }) | null;
  readonly pricing: readonly EntryInput[];
}

interface EntryInput {
  readonly asset: string;
  readonly values: readonly ValueInput[];
}

/**
 * Every rule that the prices of a version break, each at its field of the request.
 *
 * @source  specification, Product (Price)
 * @assumes
 */
export function judgePrices(prices: readonly PriceInput[], findAsset: FindAsset): Finding[] {
  return [
    ...prices.flatMap((price, index) => judgePrice(price, `prices[${index}]`, findAsset)),
    ...judgeIntervals(prices),
    ...judgeCurrencies(prices, findAsset),
  ];
}

function judgePrice(price: PriceInput, field: string, findAsset: FindAsset): Finding[] {
  return [
    ...judgeBillingModel(price, `${field}.billing_model`),
    ...judgeCalculation(price, `${field}.usage_calculation`),
    ...judgeAssets(price, `${field}.pricing`, findAsset),
    ...price.pricing.flatMap((entry, index) =>
      judgeValues(price, entry, `${field}.pricing[${index}].values`),
    ),
  ];
}

function judgeBillingModel({ type, billing_model }: PriceInput, field: string): Finding[] {
  const expected = type === 'fixed' ? 'recurring' : 'real_time';
  if (billing_model.type !== expected) return [finding('price.billing_model', `${field}.type`)];
  const isRecurring = isGiven(billing_model.recurring);
  if (isRecurring === (type === 'fixed')) return [];
  const rule = isRecurring ? 'price.interval_unexpected' : 'price.interval_required';
  return [finding(rule, `${field}.recurring`)];
}

function judgeCalculation({ type, usage_calculation }: PriceInput, field: string): Finding[] {
  if (type === 'fixed')
    return isGiven(usage_calculation) ? [finding('price.fixed_calculation', field)] : [];
  if (!isGiven(usage_calculation)) return [finding('price.calculation_required', field)];

  const hasField = isGiven(usage_calculation.volume_field);
  if (hasField === (usage_calculation.usage_type !== 'unit')) return [];
  const rule = hasField ? 'price.volume_field_unexpected' : 'price.volume_field_required';
  return [finding(rule, `${field}.volume_field`)];
}

function judgeAssets({ type, pricing }: PriceInput, field: string, findAsset: FindAsset) {
  return pricing.flatMap(({ asset: code }, index): Finding[] => {
    const place = `${field}[${index}].asset`;
    const asset = findAsset(code);
    if (!asset) return [finding('asset.unknown', place)];
    if (type === 'fixed' && !asset.isCurrency) return [finding('price.fixed_currency', place)];
    const isRepeated = pricing.findIndex((entry) => entry.asset === code) < index;
    return isRepeated ? [finding('price.asset_repeated', place)] : [];
  });
}

/** Amounts of a usage-based price without its calculation cannot be judged. */
function judgeValues(price: PriceInput, { values }: EntryInput, field: string): Finding[] {
  if (price.type === 'fixed') return judgeFixedValues(values, field);
  const terms = price.usage_calculation;
  if (!isGiven(terms)) return [];
  return modelOf(price).validate(values, field, terms);
}

function judgeIntervals(prices: readonly PriceInput[]): Finding[] {
  const interval = fixedInterval(prices.filter((price) => isGiven(intervalOf(price))));
  return prices.flatMap((price, index) => {
    const own = price.type === 'fixed' ? intervalOf(price) : undefined;
    return own === undefined || own === interval
      ? []
      : [finding('price.interval_mixed', `prices[${index}].billing_model.recurring.interval`)];
  });
}

const intervalOf = ({ billing_model }: PriceInput): Interval | undefined =>
  billing_model.recurring?.interval;

/** A price in what is no currency is found at its own field; then nothing is said of them all. */
function judgeCurrencies(prices: readonly PriceInput[], findAsset: FindAsset): Finding[] {
  const arePayable = prices.every(
    ({ type, pricing }) =>
      type !== 'fixed' || pricing.every(({ asset }) => findAsset(asset)?.isCurrency),
  );
  return arePayable && fixedTermsRules(prices).includes('price.fixed_no_shared_currency')
    ? [finding('price.fixed_no_shared_currency', 'prices')]
    : [];
}
