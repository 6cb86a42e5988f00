import { Rational } from '../kit/rational.ts';
import type { EventSketch, GroupSketch, RowSketch, UsagePriceSketch } from './history.ts';

const ONE = Rational.of(1);

/** The fee of an event by one group of a price, before rounding. */
export interface Priced {
  readonly amount: Rational;
  readonly name: string;
  /** The row that priced it; undefined for several rows. */
  readonly row: RowSketch | undefined;
  /** The quantity to add to the quantity so far. */
  readonly counts: Rational;
}

/** The volume for a price: undefined when the price counts none, null when the event has no valid volume. */
export function volumeOf(price: UsagePriceSketch, event: EventSketch): Rational | null | undefined {
  const { volume_field } = price.usage_calculation;
  if (price.usage_calculation.usage_type === 'unit') return undefined;
  const given = event.data[volume_field as string];
  return typeof given === 'number' && given >= 0 ? Rational.of(given) : null;
}

/** The index of the matching group with the most equal dimensions; the first of several, -1 for none. */
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

/** Prices an event by a group, starting at the quantity that the group has counted so far. */
export function priceInGroup(
  price: UsagePriceSketch,
  group: GroupSketch,
  volume: Rational | undefined,
  before: Rational,
): Priced {
  const basis = price.pricing_model === 'package' ? 'package' : (price.tiering?.basis ?? 'none');
  const counts = basis === 'unit' ? ONE : (volume ?? ONE);
  const priced = MODELS[price.pricing_model]({ price, group, volume, before, counts, basis });
  const isNothing = price.pricing_model !== 'flat' && counts.sign === 0;
  const amount = isNothing ? Rational.ZERO : bounded(priced.amount, priced.reached, counts);
  const name = priced.row?.name ?? group.name ?? price.name;
  return { amount, name, row: priced.row, counts };
}

interface Asked {
  readonly price: UsagePriceSketch;
  readonly group: GroupSketch;
  readonly volume: Rational | undefined;
  readonly before: Rational;
  readonly counts: Rational;
  readonly basis: string;
}

interface Answered {
  readonly amount: Rational;
  readonly row: RowSketch | undefined;
  readonly reached: RowSketch;
}

const MODELS: Readonly<Record<UsagePriceSketch['pricing_model'], (asked: Asked) => Answered>> = {
  flat({ group, volume }) {
    const row = group.values[0] as RowSketch;
    const unit = volume === undefined || row.unit_price !== undefined ? unitOf(row) : Rational.ZERO;
    return { amount: unit.plus(volumePart(row, volume ?? Rational.ZERO)), row, reached: row };
  },
  package({ price, group, before, counts }) {
    const row = group.values[0] as RowSketch;
    const started = packages(before.plus(counts), row).minus(packages(before, row));
    return { amount: started.times(packageCost(price, row)), row, reached: row };
  },
  bulk: (asked) => inRows(asked, true),
  tiered: (asked) => inRows(asked, false),
};

/** Prices packages or quantities by rows: each part by its own row, or with `isBulk` all by the last row reached. */
function inRows({ price, group, volume, before, counts, basis }: Asked, isBulk: boolean): Answered {
  const rows = group.values;
  const scale = (quantity: Rational) =>
    basis === 'package' ? packages(quantity, rows[0] as RowSketch) : quantity;
  const [from, to] = [scale(before), scale(before.plus(counts))];
  const reached = rowOf(rows, to);
  const parts = isBulk ? [{ row: reached, part: to.minus(from) }] : layOver(rows, from, to);
  const { usage_type } = price.usage_calculation;
  const costs = parts.map(({ row, part }) => {
    if (basis === 'package') return part.times(packageCost(price, row));
    return basis === 'volume' ? volumePart(row, part) : Rational.ZERO;
  });
  const unitParts = parts.map(({ row, part }) => unitOf(row).times(part));
  const units =
    basis === 'unit' && usage_type !== 'volume'
      ? unitParts
      : [usage_type === 'unit_and_volume' ? unitOf(reached) : Rational.ZERO];
  const volumes = basis === 'unit' && volume ? [volumePart(reached, volume)] : [];
  const amount = Rational.sum([...costs, ...units, ...volumes]);
  return { amount, row: parts.length > 1 ? undefined : reached, reached };
}

function layOver(rows: readonly RowSketch[], from: Rational, to: Rational) {
  let floor = Rational.ZERO;
  const parts: { row: RowSketch; part: Rational }[] = [];
  for (const row of rows) {
    const top = row.up_to === undefined ? to : to.min(Rational.of(row.up_to));
    const bottom = floor.max(from);
    if (top.compare(bottom) > 0) parts.push({ row, part: top.minus(bottom) });
    if (row.up_to !== undefined) floor = Rational.of(row.up_to);
  }
  return parts;
}

const rowOf = (rows: readonly RowSketch[], quantity: Rational): RowSketch =>
  rows.find(({ up_to }) => up_to === undefined || quantity.compare(up_to) <= 0) as RowSketch;

const unitOf = ({ unit_price = 0 }: RowSketch) => Rational.of(unit_price);

const volumePart = ({ volume_rate = 0, package_size = 1 }: RowSketch, volume: Rational) =>
  volume.times(volume_rate).over(package_size);

const packages = (quantity: Rational, { package_size = 1 }: RowSketch) =>
  quantity.over(package_size).ceiling;

const packageCost = (price: UsagePriceSketch, { unit_price = 0, volume_rate = 0 }: RowSketch) =>
  Rational.of(price.usage_calculation.usage_type === 'unit' ? unit_price : volume_rate);

function bounded(amount: Rational, row: RowSketch, counts: Rational): Rational {
  const least = counts.sign === 0 ? 0 : (row.min_amount ?? 0);
  const raised = amount.max(Rational.of(least));
  return row.max_amount === undefined ? raised : raised.min(Rational.of(row.max_amount));
}
