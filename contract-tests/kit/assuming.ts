import { type CheckRun, currentCheckRun } from './check-run.ts';
import { differencesOf, errorInWords } from './differences.ts';
import {
  AssumedOtherwise,
  BrokenResponse,
  ContractFailure,
  HarnessError,
  isAssertion,
  outcomeOf,
  SpecifiedBreak,
  Untestable,
} from './outcome.ts';
import { registry } from './registry.ts';
import type { ShapeFinding } from './shape.ts';
import type { ReceivedResponse } from './target/client.ts';
import { currentSession, type Session } from './target/session.ts';

/**
 * Runs `body`, which depends on an assumption about something that the specification leaves open, and records whether
 * the assumption is confirmed or refuted. A refuted assumption fails the check only on an emulator of the run. Returns
 * the result of `body`, or undefined when the assumption is refuted.
 */
export async function assuming<T>(id: string, body: () => Promise<T>): Promise<T | undefined> {
  const current = currentSession();
  const checkRun = currentCheckRun();
  if (!checkRun || !registry().assumptions.has(id))
    throw new HarnessError(`There is no assumption ${id}`);
  try {
    const value = await body();
    checkRun.record.assumptions.push({ id, verdict: 'confirmed', detail: undefined });
    return value;
  } catch (thrown) {
    const error = restingOnUnshown(thrown, checkRun, current);
    if (!isRefutation(error, current)) throw error;
    refute(checkRun, id, error);
    if (current.plan.target.kind === 'ours') throw error;
    return undefined;
  }
}

/**
 * Ends the check, without failing it, if an assumption does not hold on which the rest of it depends. On an emulator of
 * the run the check goes on.
 *
 * @throws AssumedOtherwise
 */
export async function restOn(id: string, holds: boolean, observed: string): Promise<void> {
  const { plan } = currentSession();
  const checkRun = currentCheckRun();
  if (holds || plan.target.kind === 'ours' || !checkRun) return;
  const title = registry().assumptions.get(id)?.title;
  const error = new AssumedOtherwise(`rests on ${id}, ${title}: ${observed}`);
  refute(checkRun, id, error);
  throw error;
}

/** Records that the target differs from an assumption. */
function refute({ record }: CheckRun, id: string, error: unknown): void {
  record.assumptions.push({ id, verdict: 'refuted', detail: differencesIn(error).join('; ') });
}

/** An object that cannot be built because the target rejects it is as much a difference as a failed comparison. */
function isRefutation(error: unknown, { plan }: Session): boolean {
  const origin = error instanceof Untestable ? error.cause : error;
  if (origin instanceof AssumedOtherwise) return true;
  const isExternal = plan.target.kind === 'external';
  if (origin instanceof SpecifiedBreak || (!isExternal && origin !== error)) return false;
  return origin instanceof ContractFailure || isComparison(origin, isExternal);
}

/** Whether values of responses led to the error: a failed comparison, or a value that nothing could be done with. */
const isComparison = (error: unknown, isExternal: boolean): boolean =>
  !(error instanceof ContractFailure || error instanceof BrokenResponse) &&
  outcomeOf(error, isExternal) === 'fail';

/**
 * The error of a check, or that the check rests on fields which the specification does not show, if the check read such
 * fields in vain and then failed in a comparison or with an error of its own.
 */
export function restingOnUnshown(
  error: unknown,
  { unshown }: CheckRun,
  { plan }: Session,
): unknown {
  if (unshown.size === 0 || plan.target.kind === 'ours' || !isComparison(error, true)) return error;
  const fields = [...unshown].join('; ');
  return new AssumedOtherwise(`rests on what the specification does not show: ${fields}`);
}

/** What an error found, in one line for each difference. */
export function differencesIn(error: unknown): readonly string[] {
  if (error instanceof ContractFailure) return error.differences;
  if (isAssertion(error)) return differencesOf(error as Error);
  return [error instanceof Error ? errorInWords(error) : String(error)];
}

/** Notes when the running check reads a field that only an assumption states and that the response lacks. */
export function noteUnshownReads(
  { operation, status, body }: ReceivedResponse,
  shapes: readonly ShapeFinding[],
  { unshown }: CheckRun,
): void {
  for (const { kind, finding, assumptions, lacks } of shapes) {
    const name = lacks?.at(-1);
    if (kind !== 'refuted' || name === undefined) continue;
    const holder = (lacks as readonly string[])
      .slice(0, -1)
      .reduce((part: Record<string, never> | undefined, step) => part?.[step], body);
    if (typeof holder !== 'object' || holder === null || name in holder) continue;
    const text = `${operation} ${status}: ${finding} (${assumptions.join(', ')})`;
    // In the prototype, so that comparisons of whole bodies and the messages of those that failed do not read it.
    const get = (): void => void unshown.add(text);
    Object.setPrototypeOf(
      holder,
      Object.create(Object.getPrototypeOf(holder), { [name]: { get } }),
    );
  }
}
