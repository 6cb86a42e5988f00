import type { components } from '../../spec/control.d.ts';
import {
  describeChange,
  type FindRow,
  type RecordChange,
} from '../../store/changes/record-changes.ts';
import { inTellingOrder, REFERENCES, wordsOf } from '../../store/changes/table-words.ts';
import type { Change, Row } from '../../store/row.ts';
import { inOrderOfCreation, type TimeSliced } from '../../store/time-sliced.ts';
import type { WorldImage } from '../../store/world.ts';
import { isEqualValue } from '../../text/changed-values.ts';

export type TableChanges = components['schemas']['TableChanges'];

export interface ComparisonOptions {
  /** How many changes of each table are listed at most. */
  readonly limit: number;
  readonly ignore?: readonly string[];
}

export interface WorldChanges {
  /** The tables that differ, with the counts of all changes. */
  readonly tables: TableChanges[];
  /** The first changes of each table, in the order of creation. */
  readonly changes: RecordChange[];
  /** The ids of customers of whom anything differs. */
  readonly customers: Set<string>;
}

/**
 * The changes from one world to another. Empty if and only if records, clock and counts are all equal.
 *
 * @assumes A-1408
 */
export function* compareWorlds(
  from: WorldImage,
  to: WorldImage,
  { limit, ignore = [] }: ComparisonOptions,
): TimeSliced<WorldChanges> {
  const [before, after] = [allTables(from), allTables(to)];
  const found: WorldChanges = { tables: [], changes: [], customers: new Set() };
  let findRow: FindRow | undefined;
  for (const table of inTellingOrder(before, after)) {
    if (ignore.includes(table)) continue;
    const [former, present] = [before[table] ?? [], after[table] ?? []];
    const changes = yield* changesOf(table, former, present);
    if (changes.length === 0) continue;
    findRow ??= yield* referredRows(before, after);
    const added = changes.filter((change) => !change.before).length;
    const removed = changes.filter((change) => !change.after).length;
    const { words, isDerived = false } = wordsOf(table);
    found.tables.push({
      ...{ table, words, derived: isDerived, from: former.length, to: present.length },
      ...{ added, removed, changed: changes.length - added - removed },
    });
    for (const change of changes.slice(0, limit))
      found.changes.push(describeChange(change, findRow));
    for (const change of changes) {
      const customer = customerOf(change);
      if (customer !== undefined) found.customers.add(customer);
      yield;
    }
  }
  return found;
}

/** The customer to whom a changed row belongs. */
function customerOf({ table, id, before, after }: Change & Row): string | undefined {
  const row = (after ?? before) as { readonly customer_id?: string } | undefined;
  return table === 'customers' ? id : row?.customer_id;
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

/** The rows that differ or are on one side only, in the order of creation. */
function* changesOf(
  table: string,
  from: readonly Row[],
  to: readonly Row[],
): TimeSliced<readonly (Change & Row)[]> {
  const former = new Map<string, Row>();
  for (const row of from) {
    former.set(row.id, row);
    yield;
  }
  const changes: (Change & Row)[] = [];
  for (const after of to) {
    const { id, seq } = after;
    const before = former.get(id);
    former.delete(id);
    if (!before || !isEqualValue(before, after)) changes.push({ table, id, seq, before, after });
    yield;
  }
  for (const before of former.values()) {
    const { id, seq } = before;
    changes.push({ table, id, seq, before, after: undefined });
    yield;
  }
  return yield* inOrderOfCreation(changes);
}

/** Finds the rows to which others refer; if both sides have one of an id, that of the last side. */
function* referredRows(...sides: readonly WorldImage['tables'][]): TimeSliced<FindRow> {
  const found = new Map<string, Row>();
  for (const side of sides)
    for (const table of Object.values(REFERENCES))
      for (const row of side[table] ?? []) {
        found.set(`${table} ${row.id}`, row);
        yield;
      }
  return (table, id) => found.get(`${table} ${id}`);
}
