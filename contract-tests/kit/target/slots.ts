import { NotSelected, outcomeOf, Untestable } from '../outcome.ts';
import { operationsOf } from '../selection.ts';
import { currentTrial, type Trial } from '../trial.ts';
import { currentSession } from './session.ts';

/**
 * Objects that cannot be deleted are looked up by a fixed key before they are made, so that many runs leave
 * one set. On an emulator of ours every check makes its own.
 */
export interface Slot<T extends object> {
  /** Name of the kind and of the slot, such as `customer main`. */
  readonly name: string;
  find(): Promise<T | undefined>;
  /** Makes it, under its fixed key or under a new one. */
  make(): Promise<T>;
}

/** Answers what stands in a slot, or a new object on an emulator of ours. */
export async function adoptOrMake<T extends object>({ name, find, make }: Slot<T>): Promise<T> {
  return building(name, async () => {
    const { plan, slots, own } = currentSession();
    if (plan.target.kind === 'ours') return make();
    const known = slots.get(name) as T | undefined;
    if (known) return known;
    const found = await find();
    const object = found ?? (await make());
    currentTrial()?.record.notes.push(found ? `adopted ${name}` : `made ${name}`);
    for (const field of ['id', 'code'] as const) {
      const value = (object as Record<string, unknown>)[field];
      if (typeof value === 'string') own.add(value);
    }
    slots.set(name, object);
    return object;
  });
}

/** Whether slots are in use, so that keys are fixed. */
export function usesSlots(): boolean {
  return currentSession().plan.target.kind !== 'ours';
}

/**
 * Makes an object that the check uses up.
 *
 * @throws NotSelected on an external target beyond `--consumables`
 */
export async function useUp<T>(name: string, make: () => Promise<T>): Promise<T> {
  const { plan, slots } = currentSession();
  const used = Number(slots.get('used up') ?? 0);
  if (used >= plan.consumables)
    throw new NotSelected(`uses up a ${name}; give --consumables to allow it on this target`);
  slots.set('used up', used + 1);
  const trial = currentTrial();
  const wasUsingUp = trial?.isUsingUp ?? false;
  if (trial) trial.isUsingUp = true;
  try {
    return await make();
  } finally {
    if (trial) trial.isUsingUp = wasUsingUp;
  }
}

/**
 * Runs a step towards a check. What goes wrong there leaves the check untestable rather than failed, unless
 * the operation that went wrong is what the check is about.
 */
export async function building<T>(name: string, step: () => Promise<T>): Promise<T> {
  const { plan } = currentSession();
  const trial = currentTrial();
  const wasBuilding = trial?.isBuilding ?? false;
  if (trial) trial.isBuilding = true;
  try {
    return await step();
  } catch (error) {
    const isFinding = outcomeOf(error, plan.target.kind === 'external') === 'fail';
    if (!isFinding || isAbout(trial)) throw error;
    throw new Untestable(`needs a ${name}: ${(error as Error).message}`, { cause: error });
  } finally {
    if (trial) trial.isBuilding = wasBuilding;
  }
}

function isAbout(trial: Trial | undefined): boolean {
  if (!trial?.latest) return false;
  const { requirements } = trial.record;
  return operationsOf({ requirements }).includes(trial.latest.operation);
}
