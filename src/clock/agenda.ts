import type { Instant } from '../domain/instant.ts';
import type { World } from '../store/world.ts';
import type { ScheduledAttempt } from '../webhooks/scheduled-attempts.ts';
import { compareDue, jobsOf } from './due.ts';
import type { DueKind, DueSubject } from './job.ts';

/** A scheduled item. Repeating work is one item. */
export interface AgendaItem extends Partial<DueSubject> {
  readonly at: Instant;
  readonly kind: DueKind;
}

export interface AgendaQuery {
  readonly offset: number;
  readonly limit: number;
  /** Only items of this account; all if absent. */
  readonly owner?: string;
}

/**
 * The scheduled items of a world, in the order in which they will run. Repeating work appears once, at its next
 * instant.
 */
export function agendaOf(
  world: World,
  attempts: readonly ScheduledAttempt[],
  { offset, limit, owner }: AgendaQuery,
): { readonly items: readonly AgendaItem[]; readonly total_count: number } {
  const wanted = owner === undefined ? offset + limit : Number.POSITIVE_INFINITY;
  const jobs = jobsOf(world);
  const due = jobs
    .flatMap((job) => job.first(world, wanted))
    .sort(compareDue)
    .map((each) => ({ at: each.at, kind: each.kind, ...each.subject() }));
  const all = [...due, ...attempts.slice(0, wanted).map((attempt) => attemptItem(world, attempt))];
  const items = owner === undefined ? all : all.filter((item) => item.owner === owner);
  // The sort is stable: attempts stay after other items of the same instant.
  items.sort((left, right) => (left.at === right.at ? 0 : left.at < right.at ? -1 : 1));
  const total_count =
    owner === undefined
      ? jobs.reduce((total, job) => total + job.count(world), attempts.length)
      : items.length;
  return { items: items.slice(offset, offset + limit), total_count };
}

/** An attempt as an item of the account that owns its destination. */
export function attemptItem({ tables }: World, attempt: ScheduledAttempt): AgendaItem {
  const owner = tables.webhooks.get(attempt.destination_id)?.owner;
  return { ...attempt, kind: 'delivery_attempt', ...(owner !== undefined && { owner }) };
}
