import { omitNullish } from '../domain/fields.ts';
import { type PriceInput, validatePrices } from '../domain/pricing/price-rules.ts';
import { type Finding, finding, type Rule } from '../domain/rules.ts';
import { type AnyBody, createTestClient, TEST_NOW, type TestClient } from './client.ts';

/** For tests: ids, events, prices, products and the world that holds them. */

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
  /** All of its pricing, for several assets or pricing models. */
  readonly pricing?: readonly object[];
}

let worlds = 0;
/** Beyond the ids of the fixtures: an event of the same id would be a repetition. */
let ids = 1_000_000;

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
    ...omitNullish({ pricing_model, tiering }),
    usage_calculation,
    pricing,
  };
}

/** Usage whose price depends on the language model that is called. */
export const MODEL_TOKENS = {
  name: 'Tokens',
  event_type: 'call',
  usage_type: 'volume',
  volume_field: 'tokens',
  billable_dimensions: ['model'],
  values: [
    { name: 'Large', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1_000_000 },
    { name: 'Other', dimensions: { model: '*' }, volume_rate: 2, package_size: 1_000_000 },
  ],
};

const ASSETS = {
  USD: { isCurrency: true, precision: 2 },
  EUR: { isCurrency: true, precision: 2 },
  CREDIT: { isCurrency: false, precision: 1 },
};

export const testedAsset = (code: string) => ASSETS[code as keyof typeof ASSETS];

export const priceFindings = (...prices: PriceInput[]): Finding[] =>
  validatePrices(prices, testedAsset);

/** A broken rule and its place in the first price, or below `pricing[0]` there, or else in the body. */
export type Broken = `${Rule} at ${string}`;

export const broken = (...problems: readonly Broken[]): Finding[] =>
  problems.map((problem) => {
    const [rule, place] = problem.split(' at ') as [Rule, string];
    if (/^(prices|entitlements)\b/.test(place)) return finding(rule, place);
    const price = place.startsWith('values') ? 'prices[0].pricing[0]' : 'prices[0]';
    return finding(rule, `${price}.${place}`);
  });

export const perImage = (unit_price: number, asset: string) =>
  usagePrice({
    name: 'Images',
    event_type: 'image.generated',
    asset,
    values: [{ unit_price }],
  });
export const PER_IMAGE = perImage(0.5, 'EUR');
export const UNUSED = usagePrice({ name: 'Unused', event_type: 'unused' });

export const URLS = {
  return_url: 'https://app.example.com/done',
  failure_url: 'https://app.example.com/failed',
};

export function fixedPrice(unit_price: number, interval = 'month', asset = 'USD') {
  return {
    name: 'Fee',
    type: 'fixed',
    billing_model: { type: 'recurring', recurring: { interval } },
    pricing: [{ asset, values: [{ unit_price }] }],
  };
}

/** Credit that lasts longer than any test. */
const LASTING = { lifecycle: { duration: 'year', duration_count: 100 } };

export function entitlement(amount: number, more: object = {}) {
  return { name: 'Credits', asset: 'CREDIT', amount, purpose: 'promotion', ...LASTING, ...more };
}

const EXPIRE_AND_REPLACE = { strategy: 'expire_and_replace' };
export const EVERY_MONTH = { lifecycle: { duration: 'month', refresh: EXPIRE_AND_REPLACE } };
export const EVERY_DAY = { lifecycle: { duration: 'day', refresh: EXPIRE_AND_REPLACE } };

/** Creates a published product, by default with a price for usage that nobody sends. Returns its id. */
export async function aCatalogProduct(
  client: TestClient,
  code: string,
  content: object,
  parts: object = {},
): Promise<string> {
  const body = { name: code, code, publish: true, prices: [UNUSED], ...content };
  return (await client.api('createProduct', { ...parts, body }, 201)).id;
}

/** Sets the clock without running due jobs. */
export const freezeAt = ({ api }: Pick<TestClient, 'api'>, now: string) =>
  api('setClock', { body: { mode: 'frozen', now } });

export const CREDIT_ASSET = { code: 'CREDIT', name: 'Credits' };
export const usd = (rate: number) => ({ source: 'USD', rate });

/** A client whose world has CREDIT, with further fields if given. */
export async function withCredit(fields: object = {}): Promise<TestClient> {
  const client = createTestClient();
  await client.api('createAsset', { body: { ...CREDIT_ASSET, ...fields } }, 201);
  return client;
}
