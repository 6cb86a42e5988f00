import { type Decimal, decimalPlaces } from '../decimal.ts';
import { type FixedTerms, validateFixedTerms } from '../fixed-fees.ts';
import { type Finding, finding, findingIf, isGiven } from '../rules.ts';
import { modelOf } from './models.ts';
import type { PricingModel } from './price.ts';
import { type UsagePriceInput, type UsageTerms, validateFixedValues } from './usage-rules.ts';

/** What the price rules need to know about an asset. */
interface AssetTerms {
  readonly isCurrency: boolean;
  readonly precision: number;
}

/**
 * Whether an amount has more decimals than a custom asset allows. Amounts in currencies are checked elsewhere.
 * @assumes A-304
 */
export const isTooPrecise = (amount: Decimal, { isCurrency, precision }: AssetTerms): boolean =>
  !isCurrency && decimalPlaces(amount) > precision;

/** Finds an asset by its code; undefined if there is none. */
export type FindAsset = (code: string) => AssetTerms | undefined;

/** A price of a request that has passed validation against the schema. */
export interface PriceInput extends FixedTerms {
  readonly billing_model: FixedTerms['billing_model'] & {
    readonly type: 'recurring' | 'one_time' | 'real_time';
    readonly one_time?: object | null;
  };
  readonly pricing_model?: PricingModel | null;
  readonly tiering?: UsagePriceInput['tiering'];
  readonly usage_calculation?: (UsageTerms & { readonly volume_field?: string | null }) | null;
  readonly pricing: UsagePriceInput['pricing'];
}

/**
 * Returns every rule that the prices of a version break, each with its request field.
 *
 * @source  specification, Product (Price)
 * @assumes
 */
export function validatePrices(prices: readonly PriceInput[], findAsset: FindAsset): Finding[] {
  return [
    ...prices.flatMap((price, index) => validatePrice(price, `prices[${index}]`, findAsset)),
    ...validateTogether(prices, findAsset),
  ];
}

function validatePrice(price: PriceInput, field: string, findAsset: FindAsset): Finding[] {
  return [
    ...validateBillingModel(price, `${field}.billing_model`),
    ...validateCalculation(price, `${field}.usage_calculation`),
    ...validateAssets(price, `${field}.pricing`, findAsset),
    ...(price.type === 'fixed' ? validateFixed(price, field) : validateUsage(price, field)),
  ];
}

/** Fields that only one type of billing model has. */
const DETAILS = [
  { name: 'recurring', rule: 'price.interval_unexpected' },
  { name: 'one_time', rule: 'price.one_time_unexpected' },
] as const;

function validateBillingModel({ type, billing_model }: PriceInput, field: string): Finding[] {
  const isRealTime = billing_model.type === 'real_time';
  if (type === 'fixed' && isRealTime) return [finding('price.billing_model', `${field}.type`)];
  if (type === 'usage_based' && !isRealTime)
    return [finding('price.usage_billing_not_emulated', `${field}.type`)];
  const isWithoutInterval = billing_model.type === 'recurring' && !isGiven(billing_model.recurring);
  return [
    ...findingIf(isWithoutInterval, 'price.interval_required', `${field}.recurring`),
    ...DETAILS.filter(
      ({ name }) => name !== billing_model.type && isGiven(billing_model[name]),
    ).map(({ name, rule }) => finding(rule, `${field}.${name}`)),
  ];
}

function validateCalculation({ type, usage_calculation }: PriceInput, field: string): Finding[] {
  if (type === 'fixed')
    return findingIf(isGiven(usage_calculation), 'price.fixed_calculation', field);
  if (!isGiven(usage_calculation)) return [finding('price.calculation_required', field)];

  const hasField = isGiven(usage_calculation.volume_field);
  if (hasField === (usage_calculation.usage_type !== 'unit')) return [];
  const rule = hasField ? 'price.volume_field_unexpected' : 'price.volume_field_required';
  return [finding(rule, `${field}.volume_field`)];
}

function validateAssets({ type, pricing }: PriceInput, field: string, findAsset: FindAsset) {
  return pricing.flatMap(({ asset: code }, index): Finding[] => {
    const place = `${field}[${index}].asset`;
    const asset = findAsset(code);
    if (!asset) return [finding('asset.unknown', place)];
    if (type === 'fixed' && !asset.isCurrency) return [finding('price.fixed_currency', place)];
    const isRepeated = pricing.findIndex((entry) => entry.asset === code) < index;
    return findingIf(isRepeated, 'price.asset_repeated', place);
  });
}

/** Fixed prices support only the flat model. @assumes A-1510 */
function validateFixed({ pricing_model, tiering, pricing }: PriceInput, field: string): Finding[] {
  const refused = [
    ...(isGiven(pricing_model) && pricing_model !== 'flat' ? ['pricing_model'] : []),
    ...(isGiven(tiering) ? ['tiering'] : []),
  ];
  return [
    ...refused.map((name) => finding('price.fixed_model_not_emulated', `${field}.${name}`)),
    ...pricing.flatMap(({ values }, index) =>
      validateFixedValues(values, `${field}.pricing[${index}].values`),
    ),
  ];
}

/** Without a usage calculation, the amounts of a usage-based price cannot be checked. */
function validateUsage(price: PriceInput, field: string): Finding[] {
  const { usage_calculation } = price;
  return isGiven(usage_calculation)
    ? modelOf(price).validate({ ...price, usage_calculation }, field)
    : [];
}

/** A fixed price in a custom asset has its own finding; then the prices have no finding together. */
function validateTogether(prices: readonly PriceInput[], findAsset: FindAsset): Finding[] {
  const arePayable = prices.every(
    ({ type, pricing }) =>
      type !== 'fixed' || pricing.every(({ asset }) => findAsset(asset)?.isCurrency),
  );
  return validateFixedTerms(prices, arePayable);
}
