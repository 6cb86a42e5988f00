import { type Finding, finding, isGiven, type Rule } from '../rules.ts';
import type { UsageType } from './price.ts';

export interface AmountsInput {
  readonly unit_price?: number | null;
  readonly volume_rate?: number | null;
  readonly package_size?: number | null;
}

/** A pricing value of a request, its amounts in itself or in its one nested value. */
export interface ValueInput extends AmountsInput {
  readonly dimensions?: Readonly<Record<string, string>> | null;
  readonly values?: readonly AmountsInput[] | null;
}

export interface UsageTerms {
  readonly usage_type: UsageType;
  readonly billable_dimensions?: readonly string[] | null;
}

/** The amounts of a value, wherever they stand. @assumes A-506 */
export function amountsOf(value: ValueInput): AmountsInput {
  return (!holdsAmounts(value) && value.values?.[0]) || value;
}

/** The rules that one value of a usage-based price breaks. @assumes */
export function judgeUsageValue(value: ValueInput, field: string, terms: UsageTerms): Finding[] {
  const billable = new Set(terms.billable_dimensions);
  const strangers = Object.keys(value.dimensions ?? {}).filter((name) => !billable.has(name));
  return [
    ...judgeAmounts(value, field, USAGE_AMOUNTS[terms.usage_type]),
    ...strangers.map((name) => finding('dimension.not_billable', `${field}.dimensions.${name}`)),
  ];
}

/** The rules that the values of a fixed price in one asset break. @assumes A-505 */
export function judgeFixedValues(values: readonly ValueInput[], field: string): Finding[] {
  const [value] = values;
  if (values.length !== 1 || !value) return [finding('price.fixed_value', field)];
  const findings = judgeAmounts(value, `${field}[0]`, FIXED_AMOUNTS);
  if (Object.keys(value.dimensions ?? {}).length > 0)
    findings.push(finding('price.fixed_value', `${field}[0].dimensions`));
  return findings;
}

type AmountName = 'unit_price' | 'volume_rate';

/** What a value must and must not have, and the rule that tells. */
interface AmountTerms {
  readonly required?: { readonly name: AmountName; readonly rule: Rule };
  readonly refused?: { readonly name: AmountName; readonly rule: Rule };
}

const FIXED_AMOUNTS: AmountTerms = {
  required: { name: 'unit_price', rule: 'price.unit_price_required' },
  refused: { name: 'volume_rate', rule: 'price.fixed_value' },
};

const USAGE_AMOUNTS: Readonly<Record<UsageType, AmountTerms>> = {
  unit: {
    required: { name: 'unit_price', rule: 'price.unit_price_required' },
    refused: { name: 'volume_rate', rule: 'price.volume_rate_unexpected' },
  },
  volume: {
    required: { name: 'volume_rate', rule: 'price.volume_rate_required' },
    refused: { name: 'unit_price', rule: 'price.unit_price_unexpected' },
  },
  unit_and_volume: {},
};

function judgeAmounts(value: ValueInput, field: string, terms: AmountTerms): Finding[] {
  const nested = value.values?.[0];
  if (nested && holdsAmounts(nested) && holdsAmounts(value))
    return [finding('price.nested_values', `${field}.values`)];

  const amounts = amountsOf(value);
  const place = amounts === value ? field : `${field}.values[0]`;
  const { required, refused } = terms;
  const findings: Finding[] = [];
  if (required && !isGiven(amounts[required.name]))
    findings.push(finding(required.rule, `${place}.${required.name}`));
  if (refused && isGiven(amounts[refused.name]))
    findings.push(finding(refused.rule, `${place}.${refused.name}`));
  if (!required && !isGiven(amounts.unit_price) && !isGiven(amounts.volume_rate))
    findings.push(finding('price.value_amount_required', place));
  if (isGiven(amounts.package_size) && !isGiven(amounts.volume_rate))
    findings.push(finding('price.package_size_alone', `${place}.package_size`));
  return findings;
}

function holdsAmounts({ unit_price, volume_rate, package_size }: AmountsInput): boolean {
  return isGiven(unit_price) || isGiven(volume_rate) || isGiven(package_size);
}
