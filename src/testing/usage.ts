import { given } from '../domain/fields.ts';
import { type PriceInput, validatePrices } from '../domain/pricing/price-rules.ts';
import { type Finding, finding, type Rule } from '../domain/rules.ts';
import { type AnyBody, TEST_NOW } from './client.ts';

/** The fields of a usage-based price that a test sets. Default: one value that costs 1 USD. */
export interface PriceSketch {
  readonly name?: string;
  readonly event_type?: string;
  readonly usage_type?: string;
  readonly volume_field?: string;
  readonly billable_dimensions?: readonly string[];
  readonly pricing_model?: string;
  readonly tiering?: object;
  readonly asset?: string;
  readonly values?: readonly object[];
  /** If it has several. */
  readonly pricing?: readonly object[];
}

let worlds = 0;
let ids = 0;

export function nextUuid(): string {
  ids += 1;
  return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
}

/** Returns a key that opens an empty world. */
export function freshKey(): string {
  worlds += 1;
  return `key_test_usage-${worlds}`;
}

/** An event of now, with the given fields. */
export const anEvent = (given: object = {}): AnyBody => ({
  id: nextUuid(),
  event_type: 'call',
  occurred_at: TEST_NOW,
  ...given,
});

/** A usage-based price as a product request has it. */
export function usagePrice({
  name = 'Price',
  event_type = 'call',
  usage_type = 'unit',
  asset = 'USD',
  values = [{ unit_price: 1 }],
  pricing = [{ asset, values }],
  pricing_model,
  tiering,
  ...rest
}: PriceSketch) {
  const usage_calculation = { event_type, usage_type, ...rest };
  return {
    name,
    type: 'usage_based',
    billing_model: { type: 'real_time' },
    ...given({ pricing_model, tiering }),
    usage_calculation,
    pricing,
  };
}

const ASSETS = {
  USD: { isCurrency: true, precision: 2 },
  EUR: { isCurrency: true, precision: 2 },
  CREDIT: { isCurrency: false, precision: 1 },
};

export const testedAsset = (code: string) => ASSETS[code as keyof typeof ASSETS];

export const judge = (...prices: PriceInput[]): Finding[] => validatePrices(prices, testedAsset);

/** A broken rule and its place in the first price, or below `pricing[0]` there, or else in the body. */
export type Broken = `${Rule} at ${string}`;

export const broken = (...problems: readonly Broken[]): Finding[] =>
  problems.map((problem) => {
    const [rule, place] = problem.split(' at ') as [Rule, string];
    if (/^(prices|entitlements)\b/.test(place)) return finding(rule, place);
    const price = place.startsWith('values') ? 'prices[0].pricing[0]' : 'prices[0]';
    return finding(rule, `${price}.${place}`);
  });
