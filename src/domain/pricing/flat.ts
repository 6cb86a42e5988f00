import type { PriceModel } from './models.ts';
import { amountOf, explainAmount, term } from './reckoning.ts';
import { judgeUsageValue } from './value-rules.ts';

/**
 * One unit at its price, and all volume at one rate, whatever was used before. A partly used package is
 * billed pro rata.
 *
 * @assumes A-508
 */
export const flat: PriceModel = {
  validate: (values, field, terms) =>
    values.flatMap((value, index) => judgeUsageValue(value, `${field}[${index}]`, terms)),
  quantity: ({ unit_price, volume_rate, package_size }, volume) => [
    ...(unit_price === undefined ? [] : [term(undefined, unit_price)]),
    ...(volume && volume_rate !== undefined ? [term(volume, volume_rate, package_size)] : []),
  ],
  amount: amountOf,
  explain: explainAmount,
};
