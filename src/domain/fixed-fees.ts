import { add, type Decimal, decimal, ZERO } from './decimal.ts';
import type { Interval } from './instant.ts';
import type { Rule } from './rules.ts';

/** A price as far as it tells when and in what a fixed fee is paid. */
export interface FixedTerms {
  readonly type: 'fixed' | 'usage_based';
  readonly billing_model: {
    readonly type: string;
    readonly recurring?: { readonly interval: Interval } | null;
  };
  readonly pricing: readonly { readonly asset: string }[];
}

/** A price as far as it tells what a fixed fee comes to. */
export interface FixedPrice extends FixedTerms {
  readonly pricing: readonly {
    readonly asset: string;
    readonly values: readonly { readonly unit_price?: string }[];
  }[];
}

export interface FixedFee {
  readonly currency: string;
  readonly amount: Decimal;
}

/**
 * The interval at which fixed prices recur, that of the first; undefined where none is fixed.
 *
 * @assumes A-505 all of them share one
 */
export function fixedInterval(prices: readonly FixedTerms[]): Interval | undefined {
  return fixedOf(prices)[0]?.billing_model.recurring?.interval;
}

/**
 * What the fixed prices among these cost together for one interval; undefined where none is fixed,
 * or where no currency is common to all of them.
 *
 * @units   the currency it names, exact
 * @assumes A-505 the first currency, by listing, that every fixed price has
 */
export function fixedFee(prices: readonly FixedPrice[]): FixedFee | undefined {
  const currency = sharedCurrency(prices);
  if (currency === undefined) return undefined;
  const amount = fixedOf(prices)
    .map(({ pricing }) => pricing.find(({ asset }) => asset === currency)?.values[0]?.unit_price)
    .reduce((total, unitPrice) => add(total, decimal(unitPrice ?? '0')), ZERO);
  return { currency, amount };
}

/** The rules that fixed prices, of one version or of several, break when they are paid together. */
export function fixedTermsRules(prices: readonly FixedTerms[]): Rule[] {
  const fixed = fixedOf(prices);
  const interval = fixedInterval(fixed);
  const rules: Rule[] = [];
  if (fixed.some(({ billing_model }) => billing_model.recurring?.interval !== interval))
    rules.push('price.interval_mixed');
  if (fixed.length > 0 && sharedCurrency(fixed) === undefined)
    rules.push('price.fixed_no_shared_currency');
  return rules;
}

function sharedCurrency(prices: readonly FixedTerms[]): string | undefined {
  const [first, ...others] = fixedOf(prices);
  return first?.pricing.find(({ asset }) =>
    others.every(({ pricing }) => pricing.some((entry) => entry.asset === asset)),
  )?.asset;
}

function fixedOf<P extends FixedTerms>(prices: readonly P[]): P[] {
  return prices.filter(({ type }) => type === 'fixed');
}
