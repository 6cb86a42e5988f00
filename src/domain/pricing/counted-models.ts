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
import type { PriceModel } from './models.ts';
import type { Tiering, UsagePrice } from './price.ts';
import { type Reckoning, rowTerms } from './reckoning.ts';
import { judgeUsagePrice, type ModelTraits } from './usage-rules.ts';

/** Lays what an event counts, from one quantity to another, over rows. */
type Spread = (
  rows: DecimalRows,
  from: Decimal,
  to: Decimal,
) => readonly (readonly [DecimalRow, Decimal])[];

/** Each row prices what falls into it; the fee is the sum of its parts. @assumes A-1502 */
export const tiered = countedModel({
  traits: { tiering: 'required', rows: 'many' },
  spread: laidOver,
  explain: 'the event is split over the rows, starting from the quantity so far',
});

/** The whole event is priced by the row in which the quantity including it lies. @assumes A-1502 */
export const bulk = countedModel({
  traits: { tiering: 'required', rows: 'many' },
  spread: (rows, from, to) => [[rowAt(rows, to), subtract(to, from)]],
  explain: 'the whole event is priced at the row that the quantity including it reaches',
});

/** A package is paid by the event that starts it. @assumes A-1503 */
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

/** A model that depends on the quantity so far. */
function countedModel({ traits, spread, explain }: CountedModel): PriceModel {
  return {
    hasTiers: true,
    validate: (price, field) => judgeUsagePrice(price, field, traits),
    quantity: countedBy,
    amount: (price, group, volume, before) => reckon(price, group, volume, before, spread),
    explain,
  };
}

/** What is counted: packages are, of which no basis is named where the model counts nothing else. */
export const basisOf = ({ tiering }: UsagePrice): NonNullable<Tiering['basis']> =>
  tiering?.basis ?? 'package';

/** Packages hold volume where the price counts it, else events. @assumes A-1501 */
function countedBy(price: UsagePrice, volume: Decimal | null): Decimal {
  return basisOf(price) === 'unit' ? ONE : (volume ?? ONE);
}

/**
 * What an event costs: what it counts as spread over the rows, and what it does not count by the row reached.
 *
 * @assumes A-1501, A-1504
 */
function reckon(
  price: UsagePrice,
  { rows }: PriceGroup,
  volume: Decimal | null,
  before: Decimal,
  spread: Spread,
): Reckoning {
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

/** How many packages are started at a quantity. */
function packages(quantity: Decimal, size: Decimal): Decimal {
  const { quotient, rest } = divideWhole(quantity, size);
  return isZero(rest) ? quotient : add(quotient, ONE);
}

/** The row in which a quantity lies; a bound belongs to the row that it ends. */
export const rowAt = (rows: DecimalRows, quantity: Decimal): DecimalRow =>
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
