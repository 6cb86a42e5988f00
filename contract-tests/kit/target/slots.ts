import { type CheckRun, currentCheckRun } from '../check-run.ts';
import { NotSelected, outcomeOf, Untestable } from '../outcome.ts';
import { operationsOf } from '../selection.ts';
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

/** Creates an object that no later run reuses. @throws NotSelected when the plan allows none */
export async function useUp<T>(name: string, make: () => Promise<T>): Promise<T> {
  if (!currentSession().plan.mayUseUp)
    throw new NotSelected(
      `leaves objects for good, which --effects E3 with --confirm-account allows: ${name}`,
    );
  return marked('isUsingUp', make);
}

/** Runs a step while the running check has this mark. */
async function marked<T>(mark: 'isBuilding' | 'isUsingUp', step: () => Promise<T>): Promise<T> {
  const checkRun = currentCheckRun();
  if (!checkRun) return step();
  const before = checkRun[mark];
  checkRun[mark] = true;
  try {
    return await step();
  } finally {
    checkRun[mark] = before;
  }
}

/** Builds a prerequisite that counts as used up. */
export const freshly = <T>(name: string, make: () => Promise<T>): Promise<T> =>
  building(name, () => useUp(name, make));

/**
 * Builds a prerequisite of a check. An error makes the check untestable rather than failed, unless the failed operation
 * is the one that the check tests.
 */
export async function building<T>(name: string, step: () => Promise<T>): Promise<T> {
  const { plan } = currentSession();
  const unshown = currentCheckRun()?.unshown;
  const before = new Set(unshown);
  try {
    const made = await marked('isBuilding', step);
    // What it lacked did no harm, and excuses nothing that comes later.
    for (const field of unshown ?? []) if (!before.has(field)) unshown?.delete(field);
    return made;
  } catch (error) {
    const isFinding = outcomeOf(error, plan.target.kind === 'external') === 'fail';
    if (!isFinding || isAboutLatest(currentCheckRun())) throw error;
    throw new Untestable(`needs a ${name}: ${(error as Error).message}`, { cause: error });
  }
}

function isAboutLatest(checkRun: CheckRun | undefined): boolean {
  if (!checkRun?.latest) return false;
  const { requirements } = checkRun.record;
  return operationsOf({ requirements }).includes(checkRun.latest.operation);
}
