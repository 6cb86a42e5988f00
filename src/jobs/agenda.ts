import type { Instant } from '../domain/instant.ts';
import type { World } from '../state/world.ts';
import type { ScheduledAttempt } from './delivery-work.ts';
import { compareDue, JOBS } from './due.ts';
import type { DueKind, DueSubject } from './job.ts';

/** Something that is scheduled, once however often it repeats. */
export interface AgendaItem extends Partial<DueSubject> {
  readonly at: Instant;
  readonly kind: DueKind;
}

export interface AgendaPage {
  readonly items: readonly AgendaItem[];
  readonly total_count: number;
}

/**
 * What is scheduled in a world, in the order in which it will be done. What repeats is listed once, at its
 * next instant.
 */
export function agendaOf(
  world: World,
  attempts: readonly ScheduledAttempt[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): AgendaPage {
  const wanted = offset + limit;
  const due = JOBS.flatMap((job) => job.first(world, wanted))
    .sort(compareDue)
    .map((due) => ({ at: due.at, kind: due.kind, ...due.subject() }));
  const items = [...due, ...attempts.slice(0, wanted).map(attemptItem)];
  // The sort is stable, so that attempts stay behind everything else of their instant.
  items.sort((left, right) => (left.at === right.at ? 0 : left.at < right.at ? -1 : 1));
  const total_count = JOBS.reduce((total, job) => total + job.count(world), attempts.length);
  return { items: items.slice(offset, wanted), total_count };
}

export function attemptItem(attempt: ScheduledAttempt): AgendaItem {
  return { ...attempt, kind: 'delivery_attempt' };
}
