import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import type { Change } from '../store/row.ts';
import type { World } from '../store/world.ts';
import type { ScheduledAttempt } from '../webhooks/destination-queue.ts';
import type { Due, DueKind, DueResult, DueSubject } from './job.ts';
import { JOBS } from './jobs.ts';

/** A due item that ran. */
export interface DoneJob extends DueResult {
  readonly at: Instant;
  readonly kind: DueKind;
  readonly subject: DueSubject;
  /** Every change that it made. */
  readonly changes: readonly Change[];
}

/** The next due item of a world; undefined if nothing waits. @assumes A-1302 */
export function nextDue(world: World, jobs = JOBS): Due | undefined {
  let next: Due | undefined;
  for (const each of jobs) {
    const due = each.next(world);
    if (due && (!next || compareDue(due, next) < 0)) next = due;
  }
  return next;
}

/** Orders due items by instant, then by kind, then by creation. @assumes A-1302 */
function compareDue(left: Due, right: Due): number {
  if (left.at !== right.at) return left.at < right.at ? -1 : 1;
  return left.rank - right.rank || left.seq - right.seq;
}

/** Runs one due item at its own instant, as one commit. */
export function runDueJob(world: World, due: Due, settings: Settings): DoneJob {
  const subject = due.subject();
  const context = {
    world,
    tables: world.tables,
    owner: subject.owner,
    now: due.at,
    settings,
    baseUrl: settings.public_url,
  };
  const { value, changes } = world.observe(() => world.commit(() => due.run(context)));
  return { at: due.at, kind: due.kind, subject, ...value, changes };
}

/**
 * Runs everything that is due in a world until an instant (inclusive), in order; returns the number of items.
 *
 * @assumes A-1301 each at its own instant, A-1302
 */
export function runDueJobs(world: World, until: Instant, settings: Settings): number {
  let count = 0;
  for (let due = nextDue(world); due && due.at <= until; due = nextDue(world)) {
    runDueJob(world, due, settings);
    count += 1;
  }
  return count;
}

/** A scheduled item. Repeating work is one item. */
export interface AgendaItem extends Partial<DueSubject> {
  readonly at: Instant;
  readonly kind: DueKind;
}

interface AgendaQuery {
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
  const due = JOBS.flatMap((job) => job.first(world, wanted))
    .sort(compareDue)
    .map((each) => ({ at: each.at, kind: each.kind, ...each.subject() }));
  const all = [...due, ...attempts.slice(0, wanted).map((attempt) => attemptItem(world, attempt))];
  const items = owner === undefined ? all : all.filter((item) => item.owner === owner);
  // The sort is stable: attempts stay after other items of the same instant.
  items.sort((left, right) => (left.at === right.at ? 0 : left.at < right.at ? -1 : 1));
  const total_count =
    owner === undefined
      ? JOBS.reduce((total, job) => total + job.count(world), attempts.length)
      : items.length;
  return { items: items.slice(offset, offset + limit), total_count };
}

/** An attempt as an item of the account that owns its destination. */
export function attemptItem({ tables }: World, attempt: ScheduledAttempt): AgendaItem {
  const owner = tables.webhooks.get(attempt.destination_id)?.owner;
  return { ...attempt, kind: 'delivery_attempt', ...(owner !== undefined && { owner }) };
}
