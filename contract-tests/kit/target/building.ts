import { type CheckRun, currentCheckRun } from '../check-run.ts';
import { outcomeOf, Untestable } from '../outcome.ts';
import { operationsOf } from '../registry.ts';
import { currentSession } from './session.ts';

/**
 * Returns an object that cannot be deleted, such as `customer main`. On targets of others all checks of a run share it; on
 * an emulator that the run started, every check creates its own.
 */
export function shared<T extends object>(name: string, make: () => Promise<T>): Promise<T> {
  const { plan, shared: kept } = currentSession();
  if (plan.target.kind === 'ours') return building(name, make);
  return building(name, async () => {
    const object = (kept.get(name) as T | undefined) ?? (await make());
    kept.set(name, object);
    return object;
  });
}

/**
 * Builds a prerequisite of a check. An error makes the check untestable rather than failed, unless the failed operation
 * is the one that the check tests.
 */
export async function building<T>(name: string, step: () => Promise<T>): Promise<T> {
  const { plan } = currentSession();
  const checkRun = currentCheckRun();
  const unshown = checkRun?.unshown;
  const before = new Set(unshown);
  const wasBuilding = checkRun?.isBuilding;
  try {
    if (checkRun) checkRun.isBuilding = true;
    const made = await step();
    // What it lacked did no harm, and excuses nothing that comes later.
    for (const field of unshown ?? []) if (!before.has(field)) unshown?.delete(field);
    return made;
  } catch (error) {
    const isFinding = outcomeOf(error, plan.target.kind === 'external') === 'fail';
    if (!isFinding || isAboutLatest(checkRun)) throw error;
    throw new Untestable(`needs a ${name}: ${(error as Error).message}`, { cause: error });
  } finally {
    if (checkRun) checkRun.isBuilding = wasBuilding === true;
  }
}

function isAboutLatest(checkRun: CheckRun | undefined): boolean {
  if (!checkRun?.latest) return false;
  const { requirements } = checkRun.record;
  return operationsOf({ requirements }).includes(checkRun.latest.operation);
}
