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
import type { DecimalRow, DecimalRows, PriceGroup } from './groups.ts';
import type { Tiering, UsagePrice } from './price.ts';
import { type PriceBreakdown, rowTerms } from './price-breakdown.ts';
import type { PriceModel } from './price-model.ts';
import { type ModelTraits, validateUsagePrice } from './usage-rules.ts';

/** Distributes the quantity from `from` to `to` over rows. */
type Spread = (
  rows: DecimalRows,
  from: Decimal,
  to: Decimal,
) => readonly (readonly [DecimalRow, Decimal])[];

/** Each row prices the part of the quantity within it; the fee is the sum. @assumes A-1502 */
export const tiered = countedModel({
  traits: { tiering: 'required', rows: 'many' },
  spread: laidOver,
  explain: 'the event is split over the rows, starting from the quantity so far',
});

/** The whole event is priced at the row that contains the quantity including the event. @assumes A-1502 */
export const bulk = countedModel({
  traits: { tiering: 'required', rows: 'many' },
  spread: (rows, from, to) => [[rowAt(rows, to), subtract(to, from)]],
  explain:
    'the whole event is priced at the row that the quantity including it reaches; earlier events are not rated again, so the sum depends on how usage is split into events',
});

/** The event that starts a package pays for it. @assumes A-1503 */
export const packaged = countedModel({
  traits: { tiering: 'period', rows: 'one' },
  spread: laidOver,
  explain: 'a package is paid by the event that starts it',
});

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
    amount: (price, group, volume, before) => reckon(price, group, volume, before, spread),
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
function reckon(
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
        rowTerms(row, counted, part, basis === 'package' ? ONE : undefined),
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
