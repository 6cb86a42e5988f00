import type { DecimalText } from '../domain/decimal.ts';
import type { Instant } from '../domain/instant.ts';
import type { Context } from '../resources/context.ts';
import type { components } from '../spec/control.d.ts';
import type { SubscriptionRow } from '../store/records.ts';
import type { Row } from '../store/row.ts';
import type { Tables } from '../store/schema.ts';
import type { Table } from '../store/table.ts';
import type { World } from '../store/world.ts';

/** The kinds of due work, in the order in which they run at one instant. @assumes A-1302 */
export const RANKS = {
  rate_change: 0,
  grant_expiry: 1,
  payment_link_expiry: 2,
  top_up_link_expiry: 2,
  portal_link_expiry: 2,
  payment_settlement: 3,
  top_up_settlement: 3,
  grant_start: 4,
  renewal: 5,
  refresh: 6,
  start: 7,
  auto_top_up: 8,
  delivery_attempt: 9,
} as const;

export type DueKind = keyof typeof RANKS;

/** The identifiers of the records that a due item concerns. */
export type DueSubject = Readonly<
  Omit<components['schemas']['AgendaItem'], 'at' | 'kind'> & { owner: string }
>;

/** The result of a due item, besides its changes of wallets. */
export interface DueResult {
  readonly outcome?: string;
  /** A fixed fee that was collected or, if that failed, is outstanding. */
  readonly fee?: { readonly currency: string; readonly amount: DecimalText };
}

/** How one kind of due work is found and run, given the rows that wait. */
export interface JobDefinition<R extends Row> {
  readonly kind: DueKind;
  /** The order at one instant, if it differs from that of its kind. */
  readonly rank?: number;
  /** The table whose rows wait. Its schema says when each is due, so no row can be missed. */
  table(tables: Tables): Pick<Table<R>, 'due'>;
  /** What the schema calls it, if not by its kind. */
  readonly waitsFor?: string;
  subject(row: R): DueSubject;
  /** Runs the work of one row inside a commit, at the instant of the context. */
  run(context: Context, row: R): DueResult;
}

/** One due item that waits for its instant. */
export interface Due {
  readonly at: Instant;
  readonly kind: DueKind;
  readonly rank: number;
  /** Its position in the order of creation. */
  readonly seq: number;
  subject(): DueSubject;
  run(context: Context): DueResult;
}

/** One kind of due work, independent of its row type. */
export interface Job {
  readonly kind: DueKind;
  next(world: World): Due | undefined;
  /** The number of waiting items. */
  count(world: World): number;
  /** The first waiting items, soonest first. */
  first(world: World, count: number): readonly Due[];
}

export function job<R extends Row>(definition: JobDefinition<R>): Job {
  const { kind, rank = RANKS[kind], table, waitsFor = kind } = definition;
  const waiting = ({ tables }: World) => table(tables).due(waitsFor);
  const dueItem = (row: R, at: Instant): Due => ({
    at,
    kind,
    rank,
    seq: row.seq,
    subject: () => definition.subject(row),
    run: (context) => definition.run(context, row),
  });
  return {
    kind,
    next(world) {
      const { rows, instantOf } = waiting(world);
      const row = rows.at(0);
      return row && dueItem(row, instantOf(row));
    },
    count: (world) => waiting(world).rows.length,
    first(world, count) {
      const { rows, instantOf } = waiting(world);
      return rows.page(0, count).map((row) => dueItem(row, instantOf(row)));
    },
  };
}

/** The identifiers of an item that concerns a subscription. */
export function subscriptionSubject({ owner, customer_id, id }: SubscriptionRow): DueSubject {
  return { owner, customer_id, subscription_id: id };
}
