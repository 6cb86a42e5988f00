import {
  ceiling,
  compareFractions,
  type Fraction,
  minus,
  over,
  plus,
  rational,
  smaller,
  times,
  ZERO_FRACTION,
} from './fraction.ts';
import type { EventSketch, GroupSketch, RowSketch, UsagePriceSketch } from './history.ts';

const ONE = rational(1);

/** What an event asks of one group of a price, before rounding. */
export interface Priced {
  readonly amount: Fraction;
  readonly name: string;
  /** The row that made it, where it was one. */
  readonly row: RowSketch | undefined;
  /** How far the quantity so far goes on. */
  readonly counts: Fraction;
}

/** The volume that a price counts: undefined where it counts none, null where the event has no usable one. */
export function volumeOf(price: UsagePriceSketch, event: EventSketch): Fraction | null | undefined {
  const { volume_field } = price.usage_calculation;
  if (price.usage_calculation.usage_type === 'unit') return undefined;
  const given = event.data[volume_field as string];
  return typeof given === 'number' && given >= 0 ? rational(given) : null;
}

/** The index of the group whose dimensions fit with the most exactly equal; the first of several, -1 for none. */
export function bestGroup(groups: readonly GroupSketch[], event: EventSketch): number {
  const ranks = groups.map(({ dimensions }) => {
    const entries = Object.entries(dimensions);
    const exact = entries.filter(
      ([field, wanted]) =>
        wanted !== '*' && field in event.data && String(event.data[field]) === wanted,
    );
    const wild = entries.filter(([, wanted]) => wanted === '*');
    if (exact.length + wild.length < entries.length) return -1;
    return exact.length * 2 + (entries.length > 0 ? 1 : 0);
  });
  const best = Math.max(...ranks);
  return best < 0 ? -1 : ranks.indexOf(best);
}

/** Prices an event by a group, from the quantity that the group has counted so far. */
export function priceInGroup(
  price: UsagePriceSketch,
  group: GroupSketch,
  volume: Fraction | undefined,
  before: Fraction,
): Priced {
  const basis = price.pricing_model === 'package' ? 'package' : (price.tiering?.basis ?? 'none');
  const counts = basis === 'unit' ? ONE : (volume ?? ONE);
  const priced = MODELS[price.pricing_model]({ price, group, volume, before, counts, basis });
  const isNothing = price.pricing_model !== 'flat' && counts.top === 0n;
  const amount = isNothing ? ZERO_FRACTION : bounded(priced.amount, priced.reached, counts);
  const name = priced.row?.name ?? group.name ?? price.name;
  return { amount, name, row: priced.row, counts };
}

interface Asked {
  readonly price: UsagePriceSketch;
  readonly group: GroupSketch;
  readonly volume: Fraction | undefined;
  readonly before: Fraction;
  readonly counts: Fraction;
  readonly basis: string;
}

interface Answered {
  readonly amount: Fraction;
  readonly row: RowSketch | undefined;
  readonly reached: RowSketch;
}

const MODELS: Readonly<Record<UsagePriceSketch['pricing_model'], (asked: Asked) => Answered>> = {
  flat({ group, volume }) {
    const row = group.values[0] as RowSketch;
    const unit = volume === undefined || row.unit_price !== undefined ? unitOf(row) : ZERO_FRACTION;
    return { amount: plus(unit, volumePart(row, volume ?? ZERO_FRACTION)), row, reached: row };
  },
  package({ price, group, before, counts }) {
    const row = group.values[0] as RowSketch;
    const started = minus(packages(plus(before, counts), row), packages(before, row));
    return { amount: times(started, packageCost(price, row)), row, reached: row };
  },
  bulk: (asked) => inRows(asked, true),
  tiered: (asked) => inRows(asked, false),
};

/** What is laid over rows: packages or the quantity itself, at the rates that the basis has. */
function inRows({ price, group, volume, before, counts, basis }: Asked, isBulk: boolean): Answered {
  const rows = group.values;
  const scale = (quantity: Fraction) =>
    basis === 'package' ? packages(quantity, rows[0] as RowSketch) : quantity;
  const [from, to] = [scale(before), scale(plus(before, counts))];
  const reached = rowOf(rows, to);
  const parts = isBulk ? [{ row: reached, part: minus(to, from) }] : layOver(rows, from, to);
  const { usage_type } = price.usage_calculation;
  const costs = parts.map(({ row, part }) => {
    if (basis === 'package') return times(part, packageCost(price, row));
    return basis === 'volume' ? volumePart(row, part) : ZERO_FRACTION;
  });
  const unitParts = parts.map(({ row, part }) => times(unitOf(row), part));
  const units =
    basis === 'unit' && usage_type !== 'volume'
      ? unitParts
      : [usage_type === 'unit_and_volume' ? unitOf(reached) : ZERO_FRACTION];
  const volumes = basis === 'unit' && volume ? [volumePart(reached, volume)] : [];
  const amount = [...costs, ...units, ...volumes].reduce(plus, ZERO_FRACTION);
  return { amount, row: parts.length > 1 ? undefined : reached, reached };
}

function layOver(rows: readonly RowSketch[], from: Fraction, to: Fraction) {
  let floor = ZERO_FRACTION;
  const parts: { row: RowSketch; part: Fraction }[] = [];
  for (const row of rows) {
    const top = row.up_to === undefined ? to : smaller(rational(row.up_to), to);
    const bottom = compareFractions(floor, from) > 0 ? floor : from;
    if (compareFractions(top, bottom) > 0) parts.push({ row, part: minus(top, bottom) });
    if (row.up_to !== undefined) floor = rational(row.up_to);
  }
  return parts;
}

const rowOf = (rows: readonly RowSketch[], quantity: Fraction): RowSketch =>
  rows.find(
    ({ up_to }) => up_to === undefined || compareFractions(quantity, rational(up_to)) <= 0,
  ) as RowSketch;

const unitOf = ({ unit_price = 0 }: RowSketch) => rational(unit_price);

const volumePart = ({ volume_rate = 0, package_size = 1 }: RowSketch, volume: Fraction) =>
  over(times(volume, rational(volume_rate)), rational(package_size));

const packages = (quantity: Fraction, { package_size = 1 }: RowSketch) =>
  ceiling(over(quantity, rational(package_size)));

const packageCost = (price: UsagePriceSketch, { unit_price = 0, volume_rate = 0 }: RowSketch) =>
  rational(price.usage_calculation.usage_type === 'unit' ? unit_price : volume_rate);

function bounded(amount: Fraction, row: RowSketch, counts: Fraction): Fraction {
  const least =
    row.min_amount === undefined || counts.top === 0n ? ZERO_FRACTION : rational(row.min_amount);
  const raised = compareFractions(amount, least) < 0 ? least : amount;
  return row.max_amount === undefined ? raised : smaller(raised, rational(row.max_amount));
}
