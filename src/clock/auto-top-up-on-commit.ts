import type { Settings } from '../config/settings.ts';
import type { World } from '../store/world.ts';
import { jobsOf, nextDue, runDueJob } from './due.ts';
import type { DueKind } from './job.ts';

const KIND: DueKind = 'auto_top_up';

/**
 * Runs the automatic top-ups that a commit made due, without waiting for time to pass. Work that is due before them
 * at the same instant, such as a refresh, must run first: the top-ups then wait.
 *
 * @assumes A-1106, A-1302
 */
export function autoTopUpOnCommit(world: World, settings: Settings): void {
  if (world.tables.auto_top_ups.size === 0 || world.clock.held !== undefined) return;
  const jobs = jobsOf(world);
  const isFrozen = world.clock.state.mode === 'frozen';
  const looked = isFrozen ? jobs.filter(({ kind }) => kind === KIND) : jobs;
  for (;;) {
    const due = nextDue(world, looked);
    if (due?.kind !== KIND || due.at > world.now) return;
    runDueJob(world, due, settings);
  }
}
