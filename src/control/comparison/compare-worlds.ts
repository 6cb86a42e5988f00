import type { components } from '../../spec/control.d.ts';
import type { Row } from '../../store/row.ts';
import { inOrderOfCreation, type TimeSliced } from '../../store/time-sliced.ts';
import type { WorldImage } from '../../store/world.ts';
import { REDACTED } from '../../text/redaction.ts';
import { differencesOf, isEqualValue } from '../../text/value-differences.ts';
import { findFigures } from './figures.ts';
import { findNamedRows, type NamedRows, nameOf, showDifference } from './shown-values.ts';
import { inTellingOrder, wordsOf } from './table-words.ts';

export type TableDifference = components['schemas']['TableDifference'];
type RowDifference = components['schemas']['RowDifference'];

export interface ComparisonOptions {
  /** How many rows of each table are listed at most. */
  readonly limit: number;
  readonly ignore?: readonly string[];
}

const MAX_FIELDS = 10;
const MAX_FIGURES = 100;

/**
 * The differences between two worlds by table, in terms of the domain. Empty if and only if records, clock and counts are
 * all equal.
 *
 * @assumes A-1408
 */
export function* compareWorlds(
  from: WorldImage,
  to: WorldImage,
  { limit, ignore = [] }: ComparisonOptions,
): TimeSliced<TableDifference[]> {
  const [before, after] = [allTables(from), allTables(to)];
  const found: TableDifference[] = [];
  let named: NamedRows | undefined;
  for (const table of inTellingOrder(before, after)) {
    if (ignore.includes(table)) continue;
    const sides = [before[table] ?? [], after[table] ?? []] as const;
    const pairs = yield* findPairs(...sides);
    if (pairs.length === 0) continue;
    named ??= yield* findNamedRows(before, after);
    found.push(yield* describeTable(table, sides, pairs, limit, named));
  }
  return found;
}

/** The tables of an image; clock and counts as tables of one row. */
function allTables({ clock, sequence, requests, tables }: WorldImage): WorldImage['tables'] {
  const alone = (table: string, fields: object): readonly Row[] => [
    { id: table, seq: 0, ...fields },
  ];
  return {
    ...tables,
    clock: alone('clock', clock),
    requests: alone('requests', { count: requests }),
    sequence: alone('sequence', { count: sequence }),
  };
}

/** Two different rows with the same id, or one without a counterpart. */
interface Pair extends Row {
  readonly before?: Row;
  readonly after?: Row;
}

function* findPairs(from: readonly Row[], to: readonly Row[]): TimeSliced<readonly Pair[]> {
  const former = new Map<string, Row>();
  for (const row of from) {
    former.set(row.id, row);
    yield;
  }
  const pairs: Pair[] = [];
  for (const after of to) {
    const before = former.get(after.id);
    former.delete(after.id);
    const { id, seq } = after;
    if (!before) pairs.push({ id, seq, after });
    else if (!isEqualValue(before, after)) pairs.push({ id, seq, before, after });
    yield;
  }
  for (const before of former.values()) {
    pairs.push({ id: before.id, seq: before.seq, before });
    yield;
  }
  return yield* inOrderOfCreation(pairs);
}

function* describeTable(
  table: string,
  [from, to]: readonly [readonly Row[], readonly Row[]],
  pairs: readonly Pair[],
  limit: number,
  named: NamedRows,
): TimeSliced<TableDifference> {
  const { words, figures = [], isDerived = false } = wordsOf(table);
  const added = pairs.filter(({ before }) => !before).length;
  const removed = pairs.filter(({ after }) => !after).length;
  const changes = yield* findFigures(figures, from, to);
  return {
    table,
    words,
    derived: isDerived,
    from: from.length,
    to: to.length,
    added,
    removed,
    changed: pairs.length - added - removed,
    figures: changes.slice(0, MAX_FIGURES),
    figure_count: changes.length,
    rows: pairs.slice(0, limit).map((pair) => describeRow(table, pair, named)),
  };
}

function describeRow(table: string, { id, before, after }: Pair, named: NamedRows): RowDifference {
  const fields = before && after ? [...differencesOf(before, after)] : [];
  return {
    change: !before ? 'added' : !after ? 'removed' : 'changed',
    id: wordsOf(table).isKeyedByToken ? REDACTED : id,
    name: nameOf(table, (after ?? before) as Row, named),
    fields: fields.slice(0, MAX_FIELDS).map(showDifference),
    field_count: fields.length,
  };
}
