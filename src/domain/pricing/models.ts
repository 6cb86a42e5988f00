import { bulk, packaged, tiered } from './counted-models.ts';
import { flat } from './flat.ts';
import type { PricingModel } from './price.ts';
import type { PriceModel } from './price-model.ts';

export const PRICE_MODELS = {
  flat,
  tiered,
  bulk,
  package: packaged,
} satisfies Readonly<Record<PricingModel, PriceModel>>;

/** The model of a price; `flat` if it names none. */
export const modelOf = ({
  pricing_model,
}: {
  readonly pricing_model?: PricingModel | null;
}): PriceModel => PRICE_MODELS[pricing_model ?? 'flat'];
