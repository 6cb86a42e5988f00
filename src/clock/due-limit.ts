import type { Settings } from '../config/settings.ts';
import { fromMillis, type Instant, toMillis } from '../domain/instant.ts';
import { RuleViolation } from '../domain/rules.ts';
import { runTimeSliced } from '../store/time-sliced.ts';
import type { World } from '../store/world.ts';
import { advanceTo } from './advance-to.ts';
import { type DoneJob, jobsOf, mostDue, setJobs } from './due.ts';

/** Returns a copy of a world on which an advance can be tried, with its clock held. */
export async function heldFork(world: World): Promise<World> {
  const { now } = world;
  const fork = await runTimeSliced(world.forking());
  fork.clock.held = now;
  setJobs(fork, jobsOf(world));
  return fork;
}

/**
 * Checks, before anything changes, that one advance can reach an instant. If a cheap estimate is within the limit,
 * that is enough; otherwise the advance is tried on a copy.
 *
 * @throws  RuleViolation on `field` naming the instant that can be reached
 * @assumes A-1301
 */
export async function assertWithinDueLimit(
  world: World,
  target: Instant,
  settings: Settings,
  field: string,
): Promise<void> {
  const { MAX_DUE_ITEMS: limit } = settings.limits;
  const bound = await runTimeSliced(mostDue(world, target, settings));
  if (bound <= limit) return;

  const { now } = world;
  const fork = await heldFork(world);
  let count = 0;
  let last: Instant = now;
  const note = (step: { readonly at: DoneJob['at'] }): boolean => {
    count += 1;
    last = step.at;
    return count <= limit;
  };
  if (await advanceTo({ world: fork, settings, note }, target)) return;
  const before = fromMillis(toMillis(last) - 1);
  const reachable = before > now ? before : now;
  const message =
    `More than ${limit} due items are on the way. Advance to ${reachable} at most, ` +
    'then continue from there.';
  throw new RuleViolation([{ field, message }]);
}
