import { add, type Decimal, decimal, isEqual, ONE, sum, ZERO } from '../../domain/decimal.ts';
import type { components } from '../../spec/control.d.ts';
import type { Row } from '../../store/row.ts';
import type { TimeSliced } from '../../store/time-sliced.ts';
import { valuesAt } from './shown-values.ts';
import type { Figure } from './table-words.ts';

type FigureChange = components['schemas']['FigureChange'];

const NO_ASSET = '';

/** The figures of a table that differ, in the order of their definitions. */
export function* findFigures(
  figures: readonly Figure[],
  from: readonly Row[],
  to: readonly Row[],
): TimeSliced<FigureChange[]> {
  const found: FigureChange[] = [];
  for (const figure of figures) {
    const [before, after] = [yield* sumUp(figure, from), yield* sumUp(figure, to)];
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [before.get(name) ?? ZERO, after.get(name) ?? ZERO];
      if (isEqual(old, now)) continue;
      const about =
        'by' in figure ? { of: name } : { of: figure.of, ...(name !== NO_ASSET && { in: name }) };
      found.push({ ...about, from: String(old), to: String(now) });
    }
  }
  return found;
}

/** The values of a figure on one side, by asset or by value of the field. */
function* sumUp(figure: Figure, rows: readonly Row[]): TimeSliced<ReadonlyMap<string, Decimal>> {
  const sums = new Map<string, Decimal>();
  const each = 'each' in figure ? figure.each : undefined;
  for (const row of rows) {
    for (const item of each === undefined ? [row] : valuesAt(row, each)) {
      const name = groupOf(figure, item);
      sums.set(name, add(sums.get(name) ?? ZERO, amountOf(figure, item)));
    }
    yield;
  }
  return sums;
}

function groupOf(figure: Figure, item: unknown): string {
  const field = 'by' in figure ? figure.by : figure.in;
  return field === undefined ? NO_ASSET : String(valuesAt(item, field)[0]);
}

/** What an item contributes; amounts that are no numbers are ignored, as their rows are listed anyway. */
function amountOf(figure: Figure, item: unknown): Decimal {
  if ('by' in figure || figure.amount === undefined) return ONE;
  const amounts = valuesAt(item, figure.amount).filter(
    (amount) => typeof amount === 'string' && PLAIN_NUMBER.test(amount),
  );
  return sum((amounts as string[]).map(decimal));
}

const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
