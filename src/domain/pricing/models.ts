import { isZero, ONE } from '../decimal.ts';
import { bulk, packaged, tiered } from './counted-models.ts';
import type { PricingModel } from './price.ts';
import { rowTerms } from './price-breakdown.ts';
import type { PriceModel } from './price-model.ts';
import { validateUsagePrice } from './usage-rules.ts';

/**
 * One unit at the unit price and all volume at one rate, regardless of earlier usage. A partly used package is
 * billed pro rata.
 *
 * @assumes A-508, A-1504
 */
const flat: PriceModel = {
  hasTiers: false,
  validate: (price, field) => validateUsagePrice(price, field, { tiering: 'refused', rows: 'one' }),
  quantity: () => undefined,
  amount(_price, { rows: [row] }, volume) {
    const isNothing = volume !== null && isZero(volume);
    return {
      terms: rowTerms(row, 'unitPrice', ONE).concat(rowTerms(row, 'volumeRate', volume)),
      row,
      minimum: isNothing ? undefined : row.minimum,
      maximum: row.maximum,
    };
  },
  explain: 'each event is billed on its own, whatever was used before',
};

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
