import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import type { Resumable } from '../state/resumable.ts';
import type { Change } from '../state/table.ts';
import type { World } from '../state/world.ts';
import { changeRates } from './change-rates.ts';
import { beginGrants, expireGrants, expireRolledCredit } from './grants.ts';
import type { Due, DueKind, DueResult, DueSubject, Job } from './job.ts';
import {
  expirePortalLinks,
  expireTopUps,
  renewPaymentLinks,
  settleFees,
  settleTopUps,
  topUpAutomatically,
} from './payments.ts';
import { sumOverSubscriptions } from './subscription-spans.ts';
import { refreshEntitlements, renewSubscriptions, startSubscriptions } from './subscriptions.ts';

/**
 * What falls due by itself as time passes. It is found in the rows it concerns, done at its own instant
 * whenever that is reached, and kept as one commit each. Nothing here knows a socket or a timer.
 */
export const JOBS: readonly Job[] = [
  changeRates,
  expireGrants,
  expireRolledCredit,
  renewPaymentLinks,
  expireTopUps,
  expirePortalLinks,
  settleFees,
  settleTopUps,
  beginGrants,
  renewSubscriptions,
  refreshEntitlements,
  startSubscriptions,
  topUpAutomatically,
];

/** The worlds that live by other jobs. */
const given = new WeakMap<World, readonly Job[]>();

export const jobsOf = (world: World): readonly Job[] => given.get(world) ?? JOBS;

/** Lets a world live by other jobs than `JOBS`. */
export function giveJobs(world: World, jobs: readonly Job[]): void {
  given.set(world, jobs);
}

/** A due item that was done. */
export interface DoneJob extends DueResult {
  readonly at: Instant;
  readonly kind: DueKind;
  readonly subject: DueSubject;
  /** Everything it changed. */
  readonly changes: readonly Change[];
}

/** The due item that comes next in a world; undefined when nothing waits. @assumes A-1302 */
export function nextDue(world: World, jobs = jobsOf(world)): Due | undefined {
  let next: Due | undefined;
  for (const each of jobs) {
    const due = each.next(world);
    if (due && (!next || compareDue(due, next) < 0)) next = due;
  }
  return next;
}

/** Earlier first; at one instant by kind, within a kind by creation sequence. @assumes A-1302 */
export function compareDue(left: Due, right: Due): number {
  if (left.at !== right.at) return left.at < right.at ? -1 : 1;
  return left.rank - right.rank || left.seq - right.seq;
}

/** Does one due item at its own instant, as one commit. */
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
 * The most items that can fall due on the way to an instant, webhook attempts left out; the true number is
 * often lower. It looks at rows and does nothing, so that it costs little beside doing them.
 */
export function* mostDue(world: World, target: Instant, settings: Settings): Resumable<number> {
  const jobs = jobsOf(world);
  const ofSubscriptions = yield* sumOverSubscriptions(world, target, (span) =>
    jobs.reduce((sum, job) => sum + job.atMostOf(span, settings), 0),
  );
  return jobs.reduce(
    (before, job) => before + job.atMost(world, { target, settings, before }),
    ofSubscriptions,
  );
}

/**
 * Does everything that is due in a world at or before an instant, in order; answers how many items.
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
