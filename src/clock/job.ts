import type { Settings } from '../config/settings.ts';
import type { DecimalText } from '../domain/decimal.ts';
import {
  after,
  earliest,
  FIRST_INSTANT,
  type Instant,
  type Interval,
  toMillis,
} from '../domain/instant.ts';
import type { Span } from '../domain/spans.ts';
import type { Context } from '../resources/context.ts';
import { type Collection, collectionBy } from '../resources/customers/customer-lookup.ts';
import { versionsOf } from '../resources/subscriptions/subscribed-products.ts';
import type { components } from '../spec/control.d.ts';
import type { SubscriptionRow, VersionRow } from '../store/records.ts';
import type { Row } from '../store/row.ts';
import type { Tables } from '../store/schema.ts';
import type { Table } from '../store/table.ts';
import type { TimeSliced } from '../store/time-sliced.ts';
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

/** The parameters for estimating the items of an advance. */
interface AdvanceBounds {
  readonly target: Instant;
  readonly settings: Settings;
  /** An upper bound of the items of subscriptions and of the jobs listed before this one. */
  readonly before: number;
  /** How many rows wait for this job. */
  readonly waiting: number;
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
  /**
   * An upper bound of the items until an instant, including items that its own items cause. It can be too high,
   * never too low. Omitted if each row becomes due once.
   */
  atMost?(world: World, bounds: AdvanceBounds): number;
  /** The same bound for one subscription that has due work, if the items depend on subscriptions. */
  atMostOf?(span: SubscriptionSpan, settings: Settings): number;
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
  /** An upper bound of the items until an instant, without those of `atMostOf`. */
  atMost(world: World, bounds: Omit<AdvanceBounds, 'waiting'>): number;
  /** An upper bound of the items that one subscription causes. */
  atMostOf(span: SubscriptionSpan, settings: Settings): number;
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
  const once = (world: World, target: Instant): number => {
    const { rows, instantOf } = waiting(world);
    return rows.countWhile((row) => instantOf(row) <= target);
  };
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
    atMost(world, bounds) {
      if (definition.atMost)
        return definition.atMost(world, { ...bounds, waiting: waiting(world).rows.length });
      return definition.atMostOf ? 0 : once(world, bounds.target);
    },
    atMostOf: definition.atMostOf ?? (() => 0),
  };
}

/** The identifiers of an item that concerns a subscription. */
export function subscriptionSubject({ owner, customer_id, id }: SubscriptionRow): DueSubject {
  return { owner, customer_id, subscription_id: id };
}

/** A lower bound of each interval's length in milliseconds. The count of repetitions is then never too low. */
export const SHORTEST_MS: Readonly<Record<Interval, number>> = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
};

/** The same for a span. */
export function shortestOf(span: Span): number {
  if (typeof span === 'number') return span;
  return typeof span === 'object'
    ? SHORTEST_MS[span.interval] * span.interval_count
    : SHORTEST_MS[span];
}

/** A subscription with due work before an instant. */
interface SubscriptionSpan {
  readonly subscription: SubscriptionRow;
  readonly versions: readonly VersionRow[];
  /** What would come of its fee now. */
  readonly collection: Collection;
  /** The maximum number of repetitions of an interval, given its length in milliseconds. */
  readonly times: (lengthMs: number) => number;
  readonly firstDue: Instant;
}

/** Sums an upper bound over all subscriptions with due work before an instant. */
export function* sumOverSubscriptions(
  world: World,
  target: Instant,
  bound: (span: SubscriptionSpan) => number,
): TimeSliced<number> {
  const { tables, now } = world;
  let sum = 0;
  for (const subscription of tables.subscriptions.values()) {
    yield;
    const firstDue = firstDueOf(subscription, now);
    if (firstDue === undefined || firstDue > target) continue;
    const span = toMillis(target) - toMillis(firstDue);
    const versions = versionsOf({ tables }, subscription.products);
    // After a change of interval, the first period can be shorter than the others.
    const first = subscription.renewal?.day === undefined ? 1 : 2;
    const times = (length: number) => Math.floor(span / length) + first;
    const collection = collectionBy(world, subscription.customer_id);
    sum += bound({ subscription, versions, collection, times, firstDue });
  }
  return sum;
}

export const lengthOf = (duration: string): number => toMillis(after(FIRST_INSTANT, duration));

/** The first instant at which a subscription has due work, in its current state; undefined if there is none. */
function firstDueOf(subscription: SubscriptionRow, now: Instant): Instant | undefined {
  const { status, renews_at, refreshes_at, begins_at, payment } = subscription;
  // Any item that saves a payment method can pay it.
  if (payment) return now;
  const running = status === 'active' ? [renews_at, refreshes_at] : [];
  return earliest([...running, begins_at]);
}
