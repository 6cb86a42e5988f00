import type { Settings } from '../config/settings.ts';
import type { DecimalText } from '../domain/decimal.ts';
import type { Instant } from '../domain/instant.ts';
import type { Context } from '../resources/context.ts';
import type { components } from '../spec/control.d.ts';
import type { SubscriptionRow } from '../state/records.ts';
import { placesFrom } from '../state/sorted-rows.ts';
import type { Row, Table } from '../state/table.ts';
import type { World } from '../state/world.ts';
import type { SubscriptionSpan } from './subscription-spans.ts';

/** What can fall due by the clock, in the order in which it is done at one instant. @assumes A-1302 */
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

/** What something that falls due is about, by its identifiers. */
export type DueSubject = Readonly<
  Omit<components['schemas']['AgendaItem'], 'at' | 'kind'> & { owner: string }
>;

/** What became of something that fell due, beside what it moved in wallets. */
export interface DueResult {
  readonly outcome?: string;
  /** A fixed fee that was collected or, where it was declined, is outstanding. */
  readonly fee?: { readonly currency: string; readonly amount: DecimalText };
}

/** How far an advance goes, and what comes before a job on the way. */
export interface AdvanceBounds {
  readonly target: Instant;
  readonly settings: Settings;
  /** The most items that subscriptions and the jobs listed before can make. */
  readonly before: number;
}

/** How one kind of due work is found and done, in terms of the rows that it waits in. */
export interface JobDefinition<R extends Row> {
  readonly kind: DueKind;
  /** Its place at one instant, where it is not that of its kind. */
  readonly rank?: number;
  /** The rows that wait, the soonest first: an index over the rows themselves, so that none is forgotten. */
  waiting(world: World): ReturnType<Table<R>['sorted']>;
  dueAt(row: R): Instant;
  subject(row: R): DueSubject;
  /** Does the work of one row, at the instant of the context, inside a commit. */
  run(context: Context, row: R): DueResult;
  /**
   * The most items that it can make on the way to an instant, those that its own items lead to included.
   * It may be too high, never too low. Left out where each row falls due once.
   */
  atMost?(world: World, bounds: AdvanceBounds): number;
  /** The same where subscriptions lead to them, of one for which anything falls due. */
  atMostOf?(span: SubscriptionSpan, settings: Settings): number;
}

/** One due item: something that waits for its instant. */
export interface Due {
  readonly at: Instant;
  readonly kind: DueKind;
  readonly rank: number;
  /** Its place in the order of creation. */
  readonly seq: number;
  subject(): DueSubject;
  run(context: Context): DueResult;
}

/** One kind of due work, whatever rows it waits in. */
export interface Job {
  readonly kind: DueKind;
  next(world: World): Due | undefined;
  /** How many items wait. */
  count(world: World): number;
  /** The first of them, the soonest first. */
  first(world: World, count: number): readonly Due[];
  /** The most items that it can make on the way to an instant, beside those that subscriptions lead to. */
  atMost(world: World, bounds: AdvanceBounds): number;
  /** The most of those that one subscription leads to. */
  atMostOf(span: SubscriptionSpan, settings: Settings): number;
}

export function job<R extends Row>(definition: JobDefinition<R>): Job {
  const { kind, rank = RANKS[kind], waiting, dueAt } = definition;
  const dueItem = (row: R): Due => ({
    at: dueAt(row),
    kind,
    rank,
    seq: row.seq,
    subject: () => definition.subject(row),
    run: (context) => definition.run(context, row),
  });
  const once: Job['atMost'] = (world, { target }) =>
    waiting(world).countWhile((row) => dueAt(row) <= target);
  return {
    kind,
    next(world) {
      const row = waiting(world).at(0);
      return row && dueItem(row);
    },
    count: (world) => waiting(world).length,
    first: (world, count) => placesFrom(waiting(world), 0, count).map(dueItem),
    atMost: definition.atMost ?? (definition.atMostOf ? none : once),
    atMostOf: definition.atMostOf ?? none,
  };
}

const none = (): number => 0;

/** What an item of a subscription is about. */
export function subscriptionSubject({ owner, customer_id, id }: SubscriptionRow): DueSubject {
  return { owner, customer_id, subscription_id: id };
}
