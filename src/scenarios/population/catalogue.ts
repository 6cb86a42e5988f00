import type { CallStep } from '../scenario.ts';
import type { Chance } from './chance.ts';

/** A language model, priced in whole cents. */
export interface Model {
  readonly name: string;
  /** Price of a million tokens, in cents. */
  readonly cents: number;
}

export const CREDIT = 'CREDITS';
/** Price of a credit, in cents. */
export const CREDIT_CENTS = 5;
/** Price of an image in credits, by size. */
export const IMAGES = { small: 2, large: 5 } as const;
/** Price of a call and of each of its minutes, in cents. */
export const CALL_CENTS = 2;
export const MINUTE_CENTS = 1;
/** Minutes of a month at full price. Further minutes cost half. */
const MINUTES_AT_FULL_PRICE = 600;

const VENDORS = ['inference-cloud', 'image-farm', 'speech-works'] as const;

const BASE_MODELS: readonly Model[] = [
  { name: 'wren', cents: 60 },
  { name: 'heron', cents: 300 },
  { name: 'condor', cents: 1_500 },
];

/** Generates the products of the platform. Prices depend on the seed. */
export function drawCatalogue(chance: Chance) {
  const percent = chance.pick([80, 100, 120, 150]);
  const models = BASE_MODELS.map(({ name, cents }) => ({ name, cents: (cents * percent) / 100 }));
  const seat = chance.pick([29, 39, 49]);
  const steps = [
    credits(),
    ...VENDORS.map(vendor),
    product('Chat', 'chat', { prices: [tokens(models)] }),
    product('Canvas', 'canvas', { prices: [images()], entitlements: [monthly(60, 'promotion')] }),
    product('Voice', 'voice', { prices: [calls()] }),
    product('Workspace', 'workspace', {
      prices: [seatPrice(seat)],
      entitlements: [monthly(400, 'bundled')],
    }),
  ];
  return { models, steps };
}

function credits(): CallStep {
  const rates = [{ source: 'USD', rate: CREDIT_CENTS / 100 }];
  return { call: 'createAsset', body: { code: CREDIT, name: 'Credits', rates } };
}

function vendor(name: string): CallStep {
  const words = name.replaceAll('-', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return { call: 'createVendor', body: { name: title, external_id: name } };
}

function product(name: string, code: string, content: object): CallStep {
  return { call: 'createProduct', body: { name, code, publish: true, ...content } };
}

const pricedIn = (asset: string, values: readonly object[]) => [{ asset, values }];

const REAL_TIME = { type: 'usage_based', billing_model: { type: 'real_time' } } as const;

function tokens(models: readonly Model[]) {
  return {
    name: 'Tokens',
    ...REAL_TIME,
    usage_calculation: {
      event_type: 'llm.completion',
      usage_type: 'volume',
      volume_field: 'tokens',
      billable_dimensions: ['model'],
    },
    pricing: pricedIn(
      'USD',
      models.map(({ name, cents }) => ({
        name: `Model ${name}`,
        dimensions: { model: name },
        volume_rate: cents / 100,
        package_size: 1_000_000,
      })),
    ),
  };
}

function images() {
  return {
    name: 'Images',
    ...REAL_TIME,
    usage_calculation: {
      event_type: 'image.generated',
      usage_type: 'unit',
      billable_dimensions: ['size'],
    },
    pricing: pricedIn(
      CREDIT,
      Object.entries(IMAGES).map(([size, amount]) => ({
        name: `Image, ${size}`,
        dimensions: { size },
        unit_price: amount,
      })),
    ),
  };
}

function calls() {
  const [unit_price, package_size] = [CALL_CENTS / 100, 60];
  return {
    name: 'Calls',
    ...REAL_TIME,
    pricing_model: 'tiered',
    tiering: { basis: 'volume', period: 'monthly' },
    usage_calculation: {
      event_type: 'call.answered',
      usage_type: 'unit_and_volume',
      volume_field: 'seconds',
    },
    pricing: pricedIn('USD', [
      {
        up_to: MINUTES_AT_FULL_PRICE * 60,
        unit_price,
        volume_rate: MINUTE_CENTS / 100,
        package_size,
      },
      { unit_price, volume_rate: MINUTE_CENTS / 200, package_size },
    ]),
  };
}

function seatPrice(dollars: number) {
  return {
    name: 'Seat',
    type: 'fixed',
    billing_model: { type: 'recurring', recurring: { interval: 'month' } },
    pricing: pricedIn('USD', [{ unit_price: dollars }]),
  };
}

function monthly(amount: number, purpose: 'bundled' | 'promotion') {
  return {
    name: 'Monthly credits',
    asset: CREDIT,
    amount,
    purpose,
    lifecycle: { duration: 'month', refresh: { strategy: 'expire_and_replace' } },
    accounting: { revenue_basis: purpose === 'bundled' ? CREDIT_CENTS / 100 : 0 },
  };
}
