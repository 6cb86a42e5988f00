import { type CheckRun, currentCheckRun } from '../check-run.ts';
import { outcomeOf, Untestable } from '../outcome.ts';
import { operationsOf } from '../plan.ts';
import { currentSession } from './session.ts';

/**
 * An object that cannot be deleted. On an external target it is found by a fixed key before it is created, so that many
 * runs leave only one. On an emulator that the run started, every check creates its own.
 */
export interface Slot<T extends object> {
  /** The kind and the slot, such as `customer main`. */
  readonly name: string;
  find(): Promise<T | undefined>;
  /** Creates it, under its fixed key or a new one. */
  make(): Promise<T>;
}

/** Returns the object of a slot, or a new object on an emulator that this run started. */
export async function adoptOrMake<T extends object>({ name, find, make }: Slot<T>): Promise<T> {
  return building(name, async () => {
    const { plan, slots, own } = currentSession();
    if (plan.target.kind === 'ours') return make();
    const known = slots.get(name) as T | undefined;
    if (known) return known;
    const found = await find();
    const object = found ?? (await make());
    currentCheckRun()?.record.notes.push(found ? `adopted ${name}` : `made ${name}`);
    for (const field of ['id', 'code'] as const) {
      const value = (object as Record<string, unknown>)[field];
      if (typeof value === 'string') own.add(value);
    }
    slots.set(name, object);
    return object;
  });
}

/** Whether objects are reused, under fixed keys. */
export const usesSlots = (): boolean => currentSession().plan.target.kind !== 'ours';

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
