import type { DecimalText } from '../domain/decimal.ts';
import type { Instant } from '../domain/instant.ts';
import type { Context } from '../resources/context.ts';
import type { SubscriptionRow } from '../state/records.ts';
import type { Row } from '../state/table.ts';
import type { World } from '../state/world.ts';

/** What can fall due by the clock, in the order in which it is done at one instant. @assumes A-1302 */
export const RANKS = {
  rate_change: 0,
  grant_expiry: 1,
  payment_link_expiry: 2,
  top_up_link_expiry: 2,
  portal_link_expiry: 2,
  payment_settlement: 3,
  top_up_settlement: 3,
  renewal: 4,
  refresh: 5,
  start: 6,
  auto_top_up: 7,
  delivery_attempt: 8,
} as const;

export type DueKind = keyof typeof RANKS;

/** What something that falls due is about, by its identifiers. */
export interface DueSubject {
  readonly owner: string;
  readonly customer_id?: string;
  readonly subscription_id?: string;
  readonly grant_id?: string;
  readonly top_up_id?: string;
  readonly portal_session_id?: string;
  readonly asset?: string;
  readonly webhook_event_id?: string;
  readonly destination_id?: string;
  readonly attempt?: number;
}

/** What became of something that fell due, beside what it moved in wallets. */
export interface DueResult {
  readonly outcome?: string;
  /** A fixed fee that was collected or, where it was declined, is outstanding. */
  readonly fee?: { readonly currency: string; readonly amount: DecimalText };
}

/** How one kind of due work is found and done, in terms of the rows that it waits in. */
export interface JobDefinition<R extends Row> {
  readonly kind: DueKind;
  /** The rows that wait, the soonest first: an index over the rows themselves, so that none is forgotten. */
  waiting(world: World): readonly R[];
  dueAt(row: R): Instant;
  subject(row: R): DueSubject;
  /** Does the work of one row, at the instant of the context, inside a commit. */
  run(context: Context, row: R): DueResult;
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
}

export function job<R extends Row>(work: JobDefinition<R>): Job {
  return {
    kind: work.kind,
    next(world) {
      const row = work.waiting(world)[0];
      return row && new WaitingRow(work, row);
    },
    count: (world) => work.waiting(world).length,
    first: (world, count) =>
      work
        .waiting(world)
        .slice(0, count)
        .map((row) => new WaitingRow(work, row)),
  };
}

class WaitingRow<R extends Row> implements Due {
  readonly at: Instant;
  readonly kind: DueKind;
  readonly rank: number;
  readonly seq: number;

  constructor(
    private readonly work: JobDefinition<R>,
    private readonly row: R,
  ) {
    this.at = work.dueAt(row);
    this.kind = work.kind;
    this.rank = RANKS[work.kind];
    this.seq = row.seq;
  }

  subject(): DueSubject {
    return this.work.subject(this.row);
  }

  run(context: Context): DueResult {
    return this.work.run(context, this.row);
  }
}

/** What an item of a subscription is about. */
export function subscriptionSubject({ owner, customer_id, id }: SubscriptionRow): DueSubject {
  return { owner, customer_id, subscription_id: id };
}
