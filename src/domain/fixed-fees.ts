import { add, type Decimal, decimal, isPositive, multiply, ZERO } from './decimal.ts';
import type { Interval } from './instant.ts';
import type { PricingEntry } from './pricing/price.ts';
import { type Finding, finding, type Rule } from './rules.ts';
import { type Cycle, isSameSpan } from './spans.ts';

/** The fields of a price that decide when a fixed fee is due and in which currency. */
export interface FixedTerms {
  readonly type: 'fixed' | 'usage_based';
  readonly billing_model: {
    readonly type: string;
    readonly recurring?: {
      readonly interval: Interval;
      readonly interval_count?: number | null;
    } | null;
  };
  readonly pricing: readonly { readonly asset: string }[];
}

/** The fields of a price that decide the amount of a fixed fee. */
export interface FixedPrice extends FixedTerms {
  readonly pricing: readonly PricingEntry[];
}

export interface FixedFee {
  readonly currency: string;
  readonly amount: Decimal;
}

/**
 * The interval of the first fixed price that recurs; undefined if none recurs.
 *
 * @assumes A-505, A-1506 all of them share one interval and its count
 */
export const fixedInterval = (prices: readonly FixedTerms[]): Cycle | undefined =>
  prices.map(cycleOf).find((cycle) => cycle !== undefined);

/** Whether the prices include a fixed fee, so that the payer must be sent to a payment page. @assumes A-603, A-1507 */
export const hasFixedFee = (prices: readonly FixedTerms[]): boolean => fixedOf(prices).length > 0;

/** Whether a price is collected once per subscription. @assumes A-1507 */
export const isOneTime = ({ billing_model }: FixedTerms): boolean =>
  billing_model.type === 'one_time';

/**
 * The total of the fixed prices for one interval; undefined if it is 0, or if the prices have no currency in common.
 *
 * @param isDue leaves out what was collected for good
 * @units   the currency it names, exact
 * @assumes A-505 the first currency, by listing, that every fixed price has; A-603, A-1506
 */
export function fixedFee<P extends FixedPrice>(
  prices: readonly P[],
  isDue: (price: P) => boolean = () => true,
): FixedFee | undefined {
  const currency = sharedCurrency(prices);
  if (currency === undefined) return undefined;
  const amount = fixedOf(prices)
    .filter(isDue)
    .flatMap(({ pricing }) => pricing.find(({ asset }) => asset === currency)?.values ?? [])
    .reduce(
      (total, { unit_price = '0', quantity = 1 }) =>
        add(total, multiply(decimal(unit_price), decimal(quantity))),
      ZERO,
    );
  return isPositive(amount) ? { currency, amount } : undefined;
}

/** The rules that fixed prices break when they are collected together. The prices can belong to several versions. */
export function fixedTermsRules(prices: readonly FixedTerms[]): Rule[] {
  const rules: Rule[] = mixedIntervals(prices).length > 0 ? ['price.interval_mixed'] : [];
  if (hasFixedFee(prices) && sharedCurrency(prices) === undefined)
    rules.push('price.fixed_no_shared_currency');
  return rules;
}

/** The same rules as `fixedTermsRules`, each with its request field. @assumes A-505, A-1506 */
export function validateFixedTerms(prices: readonly FixedTerms[], arePayable: boolean): Finding[] {
  const mixed = mixedIntervals(prices).map((place) =>
    finding('price.interval_mixed', `prices[${place}].billing_model.recurring.interval`),
  );
  return arePayable && fixedTermsRules(prices).includes('price.fixed_no_shared_currency')
    ? [...mixed, finding('price.fixed_no_shared_currency', 'prices')]
    : mixed;
}

/** The indexes of prices whose interval differs from the first one. */
function mixedIntervals(prices: readonly FixedTerms[]): number[] {
  const shared = fixedInterval(prices);
  return prices.flatMap((price, place) => {
    const own = cycleOf(price);
    return own !== undefined && !isSameSpan(own, shared) ? [place] : [];
  });
}

function cycleOf({ type, billing_model: { recurring } }: FixedTerms): Cycle | undefined {
  if (type !== 'fixed' || !recurring) return undefined;
  const { interval, interval_count } = recurring;
  return (interval_count ?? 1) === 1
    ? interval
    : { interval, interval_count: interval_count as number };
}

function sharedCurrency(prices: readonly FixedTerms[]): string | undefined {
  const [first, ...others] = fixedOf(prices);
  return first?.pricing.find(({ asset }) =>
    others.every(({ pricing }) => pricing.some((entry) => entry.asset === asset)),
  )?.asset;
}

const fixedOf = <P extends FixedTerms>(prices: readonly P[]): P[] =>
  prices.filter(({ type }) => type === 'fixed');
