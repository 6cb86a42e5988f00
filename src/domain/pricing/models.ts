import type { Decimal } from '../decimal.ts';
import type { Finding } from '../rules.ts';
import { bulk, packaged, tiered } from './counted-models.ts';
import { flat } from './flat.ts';
import type { PriceGroup } from './groups.ts';
import type { UsagePrice } from './price.ts';
import type { Reckoning } from './reckoning.ts';
import type { UsagePriceInput } from './usage-rules.ts';

/** How a usage-based price turns usage into an amount. A volume is null where none counts. */
export interface PriceModel {
  /** Whether plain rows are tiers, which share one count. */
  readonly hasTiers: boolean;
  /** What is wrong with a price of this model, each at its field of the request. */
  validate(price: UsagePriceInput, field: string): Finding[];
  /** How much an event adds to the quantity so far; undefined where none is kept. */
  quantity(price: UsagePrice, volume: Decimal | null): Decimal | undefined;
  /** What an event costs in a group that stands at a quantity, before it is rounded. */
  amount(price: UsagePrice, group: PriceGroup, volume: Decimal | null, before: Decimal): Reckoning;
  /** Why the amount is made up as it is, as a sentence. */
  readonly explain: string;
}

/** Every price model under its name in the document. */
export const PRICE_MODELS = {
  flat,
  tiered,
  bulk,
  package: packaged,
} satisfies Readonly<Record<string, PriceModel>>;

export type PricingModel = keyof typeof PRICE_MODELS;

/** The model of a price, `flat` where it names none. */
export const modelOf = ({
  pricing_model,
}: {
  readonly pricing_model?: PricingModel | null;
}): PriceModel => PRICE_MODELS[pricing_model ?? 'flat'];
