import type { Settings } from '../config/settings.ts';
import type { World } from '../state/world.ts';
import { topUpAutomatically } from './auto-top-up.ts';
import { nextDue, runDueJob } from './due.ts';

/**
 * Makes the automatic top-ups that a commit made due, without waiting for time to pass. What is due
 * before them at the same instant, such as a refresh, is left to be done first by whoever does it.
 *
 * @assumes A-1106, A-1302
 */
export function autoTopUpOnCommit(world: World, settings: Settings): void {
  if (world.tables.auto_top_ups.size === 0 || world.clock.held !== undefined) return;
  const next = world.clock.state.mode === 'frozen' ? topUpAutomatically.next : nextDue;
  for (;;) {
    const due = next(world);
    if (due?.kind !== topUpAutomatically.kind || due.at > world.now) return;
    runDueJob(world, due, settings);
  }
}
