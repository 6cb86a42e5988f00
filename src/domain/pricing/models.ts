import type { Decimal } from '../decimal.ts';
import type { Finding } from '../rules.ts';
import { flat } from './flat.ts';
import type { PriceRow } from './price.ts';
import type { Arithmetic, Term } from './reckoning.ts';
import type { UsageTerms, ValueInput } from './value-rules.ts';

/** How a usage-based price turns usage into an amount. */
export interface PriceModel {
  /** What is wrong with the values of one asset, each at its field of the request. */
  validate(values: readonly ValueInput[], field: string, terms: UsageTerms): Finding[];
  /** What an event costs, as terms that are summed and rounded once; the volume is null where none counts. */
  quantity(row: PriceRow, volume: Decimal | null): readonly Term[];
  /** @units the asset's; `places` decimal places */
  amount(terms: readonly Term[], places: number): Decimal;
  explain(terms: readonly Term[], places: number): Arithmetic;
}

/** Every price model under its name in the document. */
export const PRICE_MODELS = { flat } satisfies Readonly<Record<string, PriceModel>>;

export type PricingModel = keyof typeof PRICE_MODELS;

export const modelOf = ({ pricing_model = 'flat' }: { readonly pricing_model?: PricingModel }) =>
  PRICE_MODELS[pricing_model] as PriceModel;
