import {
  add,
  compare,
  type Decimal,
  divideWhole,
  isPositive,
  isZero,
  maximum,
  minimum,
  ONE,
  subtract,
  ZERO,
} from '../decimal.ts';
import type { Finding } from '../rules.ts';
import type {
  DecimalRow,
  DecimalRows,
  PriceGroup,
  PricingModel,
  Tiering,
  UsagePrice,
} from './price.ts';
import { type PriceBreakdown, rowTerms } from './price-breakdown.ts';
import { type ModelTraits, type UsagePriceInput, validateUsagePrice } from './usage-rules.ts';

/** How a usage-based price turns usage into an amount. `volume` is null if the price does not count volume. */
interface PriceModel {
  /** Whether plain rows are tiers that share one count. */
  readonly hasTiers: boolean;
  /** The findings for a price of this model, each with its request field. */
  validate(price: UsagePriceInput, field: string): Finding[];
  /** How much an event adds to the quantity so far; undefined if the model keeps no quantity. */
  quantity(price: UsagePrice, volume: Decimal | null): Decimal | undefined;
  /** The cost of an event in a group whose quantity so far is `before`, before rounding. */
  amount(
    price: UsagePrice,
    group: PriceGroup,
    volume: Decimal | null,
    before: Decimal,
  ): PriceBreakdown;
  /** A sentence that explains how the amount is calculated. */
  readonly explain: string;
}

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

/** Each row prices the part of the quantity within it; the fee is the sum. @assumes A-1502 */
const tiered = countedModel({
  traits: { tiering: 'required', rows: 'many' },
  spread: laidOver,
  explain: 'the event is split over the rows, starting from the quantity so far',
});

/** The whole event is priced at the row that contains the quantity including the event. @assumes A-1502 */
const bulk = countedModel({
  traits: { tiering: 'required', rows: 'many' },
  spread: (rows, from, to) => [[rowAt(rows, to), subtract(to, from)]],
  explain:
    'the whole event is priced at the row that the quantity including it reaches; earlier events are not rated again, so the sum depends on how usage is split into events',
});

/** The event that starts a package pays for it. @assumes A-1503 */
const packaged = countedModel({
  traits: { tiering: 'period', rows: 'one' },
  spread: laidOver,
  explain: 'a package is paid by the event that starts it',
});

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

/** Distributes the quantity from `from` to `to` over rows. */
type Spread = (
  rows: DecimalRows,
  from: Decimal,
  to: Decimal,
) => readonly (readonly [DecimalRow, Decimal])[];

interface CountedModel {
  readonly traits: ModelTraits;
  readonly spread: Spread;
  readonly explain: string;
}

/** A model whose amount depends on the quantity so far. */
function countedModel({ traits, spread, explain }: CountedModel): PriceModel {
  return {
    hasTiers: true,
    validate: (price, field) => validateUsagePrice(price, field, traits),
    quantity: countedBy,
    amount: (price, group, volume, before) => breakDown(price, group, volume, before, spread),
    explain,
  };
}

/** The basis of the count; `package` if the price names none, since only the package model allows that. */
export const basisOf = ({ tiering }: UsagePrice): NonNullable<Tiering['basis']> =>
  tiering?.basis ?? 'package';

/** How much an event adds to the count: its volume, or one unit. @assumes A-1501 */
function countedBy(price: UsagePrice, volume: Decimal | null): Decimal {
  return basisOf(price) === 'unit' ? ONE : (volume ?? ONE);
}

/**
 * The cost of an event: the counted part is distributed over the rows; the other part is priced at the row reached.
 *
 * @assumes A-1501, A-1504
 */
function breakDown(
  price: UsagePrice,
  { rows }: PriceGroup,
  volume: Decimal | null,
  before: Decimal,
  spread: Spread,
): PriceBreakdown {
  const quantity = countedBy(price, volume);
  const after = add(before, quantity);
  const basis = basisOf(price);
  const size = rows[0].packageSize;
  const [from, to] =
    basis === 'package' ? [packages(before, size), packages(after, size)] : [before, after];
  const reached = rowAt(rows, to);
  if (isZero(quantity)) return { terms: [], row: reached };
  const counted = basis === 'unit' || !volume ? 'unitPrice' : 'volumeRate';
  return {
    terms: [
      ...spread(rows, from, to).flatMap(([row, part]) =>
        rowTerms(row, counted, part, basis === 'package'),
      ),
      ...(counted === 'volumeRate'
        ? rowTerms(reached, 'unitPrice', ONE)
        : rowTerms(reached, 'volumeRate', volume)),
    ],
    row: reached,
    minimum: reached.minimum,
    maximum: reached.maximum,
  };
}

/** The number of packages started at a quantity. */
function packages(quantity: Decimal, size: Decimal): Decimal {
  const { quotient, rest } = divideWhole(quantity, size);
  return isZero(rest) ? quotient : add(quotient, ONE);
}

/** The row that contains a quantity. An upper bound belongs to its row. */
const rowAt = (rows: DecimalRows, quantity: Decimal): DecimalRow =>
  rows.find(({ upTo }) => !upTo || compare(quantity, upTo) <= 0) ?? rows[0];

function laidOver(rows: DecimalRows, from: Decimal, to: Decimal): [DecimalRow, Decimal][] {
  const parts: [DecimalRow, Decimal][] = [];
  let start = ZERO;
  for (const row of rows) {
    const high = row.upTo ? minimum(row.upTo, to) : to;
    const part = subtract(high, maximum(from, start));
    if (isPositive(part)) parts.push([row, part]);
    start = row.upTo ?? to;
  }
  return parts;
}
