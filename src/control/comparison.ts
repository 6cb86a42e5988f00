import { throwIfInvalid, violate } from '../domain/rules.ts';
import type { components } from '../spec/control.d.ts';
import {
  customerOf,
  describeChange,
  type FindRow,
  REFERRED,
  type RecordChange,
  TABLE_WORDS,
  wordsOf,
} from '../store/record-changes.ts';
import type { Change, Row } from '../store/row.ts';
import { inOrderOfCreation, runTimeSliced, type TimeSliced } from '../store/time-sliced.ts';
import type { WorldImage } from '../store/world.ts';
import { isEqualValue } from '../text/changed-values.ts';
import { nearest } from '../text/wording.ts';
import type { ControlCall, ControlContext, ControlHandler } from './context.ts';
import { snapshotNamed } from './scope.ts';

/** Compares with the state of the world when the call begins. */
export const compareTwoWorlds: ControlHandler<'compareWorlds'> = async ({ body }, context) => {
  const limit = body.limit ?? MAX_ROWS;
  const ignore = body.ignore ?? [];
  refuseUnknownTables(ignore);
  const [from, to] = [imageAt('from', body, context), imageAt('to', body, context)];
  const { tables, changes } = await runTimeSliced(compareWorlds(from, to, { limit, ignore }));
  return { status: 200, body: { equal: tables.length === 0, tables, changes } };
};

/** @throws RuleViolation where there is no such state */
function imageAt(
  side: 'from' | 'to',
  body: ControlCall<'compareWorlds'>['body'],
  context: ControlContext,
): WorldImage {
  const { snapshot, previous } = body[side] ?? {};
  if (snapshot != null && previous) violate('comparison.side_ambiguous', side);
  if (snapshot != null) return snapshotNamed(snapshot, `${side}.snapshot`, context);
  return previous ? formerImage(context, `${side}.previous`) : context.world.capture();
}

/** The state before the latest reset, restore, import or advance. @throws RuleViolation if there is none */
const formerImage = ({ worldManager, world }: ControlContext, field: string): WorldImage =>
  worldManager.former(world)?.image ?? violate('comparison.no_previous', field);

/** How many rows of each table are listed by default. */
const MAX_ROWS = 10;

function refuseUnknownTables(names: readonly string[]): void {
  const known = Object.keys(TABLE_WORDS);
  throwIfInvalid(
    names.flatMap((name, place) => {
      if (known.includes(name)) return [];
      const near = nearest(name, known);
      const hint = near === undefined ? '' : `; the nearest is ${near}`;
      return [{ field: `ignore[${place}]`, message: `An export has no table ${name}${hint}.` }];
    }),
  );
}

export type TableChanges = components['schemas']['TableChanges'];

interface ComparisonOptions {
  /** How many changes of each table are listed at most. */
  readonly limit: number;
  readonly ignore?: readonly string[];
}

export interface WorldChanges {
  /** The tables that differ, with the counts of all changes. */
  readonly tables: TableChanges[];
  /** The first changes of each table, in the order of creation. */
  readonly changes: RecordChange[];
  /** The ids of customers with differences. */
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
  for (const table of Object.keys(TABLE_WORDS)) {
    if (ignore.includes(table)) continue;
    const [former, present] = [before[table] ?? [], after[table] ?? []];
    const changes = yield* changesOf(table, former, present);
    if (changes.length === 0) continue;
    findRow ??= yield* referredRows(before, after);
    const added = changes.filter((change) => !change.before).length;
    const removed = changes.filter((change) => !change.after).length;
    const { words, isDerived = false } = wordsOf(table);
    found.tables.push({
      table,
      words,
      derived: isDerived,
      from: former.length,
      to: present.length,
      added,
      removed,
      changed: changes.length - added - removed,
    });
    for (const change of changes.slice(0, limit)) {
      found.changes.push(describeChange(change, findRow));
      yield;
    }
    for (const change of changes) {
      const customer = customerOf(change);
      if (customer !== undefined) found.customers.add(customer);
      yield;
    }
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
    for (const table of REFERRED)
      for (const row of side[table] ?? []) {
        found.set(`${table} ${row.id}`, row);
        yield;
      }
  return (table, id) => found.get(`${table} ${id}`);
}
