/** How a check can end, other than by passing. What is thrown decides; the record keeps the word. */
export type Outcome =
  | 'pass'
  | 'fail'
  | 'warn'
  | 'untestable'
  | 'exempt'
  | 'not_selected'
  | 'known'
  | 'stale'
  | 'confirmed'
  | 'refuted'
  | 'not_observable'
  | 'flaky'
  | 'harness_error';

/** Outcomes that the gate does not let through. */
export const RED: ReadonlySet<Outcome> = new Set(['fail', 'untestable', 'stale', 'flaky']);

/** Whether a check is red, or the suite itself is at fault. */
export function isRed({ outcome }: { readonly outcome: Outcome }): boolean {
  return RED.has(outcome) || outcome === 'harness_error';
}

/** What ends a check before its end, named after its class. */
abstract class CheckError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The target answered otherwise than the specification says. */
export class ContractFailure extends CheckError {
  constructor(
    message: string,
    readonly differences: readonly string[] = [message],
  ) {
    super(message);
  }
}

/** The same, in what the specification itself states: no decision excuses it. */
export class SpecifiedBreak extends ContractFailure {}

/** A prerequisite is missing, so nothing could be found out. */
export class Untestable extends CheckError {}

/** Noted with a check that met too few objects. */
export const TOO_FEW = 'too few';

/** There are too few objects for a check to prove anything. */
export class TooFew extends Untestable {}

/** It cannot be seen from outside in this set-up. */
export class NotObservable extends CheckError {}

/** A filter, a ceiling or a missing consent keeps it from running. */
export class NotSelected extends CheckError {}

/** The suite itself is at fault. */
export class HarnessError extends CheckError {}

/** Going on would be unsafe, or beyond a budget. Ends the run. */
export class SafetyStop extends CheckError {}

/** No answer came. */
export class Unreachable extends CheckError {}

/** What came is no answer of HTTP, such as a connection reset half-way: a finding about the target. */
export class BrokenAnswer extends CheckError {}

/** What the target answered leads to a request that cannot be sent, or holds nothing to compare. */
export class UnusableAnswer extends CheckError {}

/**
 * The outcome that something thrown by a check stands for.
 *
 * @param isTargetToBlame whether the check had worked with answers of somebody else's service, so that stumbling
 *   over them is a finding about these
 */
export function outcomeOf(error: unknown, isTargetToBlame = false): Outcome {
  if (error instanceof ContractFailure || error instanceof BrokenAnswer) return 'fail';
  if (isAssertion(error)) return 'fail';
  if (error instanceof Untestable || error instanceof Unreachable) return 'untestable';
  if (error instanceof NotObservable) return 'not_observable';
  if (error instanceof NotSelected || error instanceof SafetyStop) return 'not_selected';
  return isTargetToBlame && !(error instanceof HarnessError) ? 'fail' : 'harness_error';
}

/** Whether an expectation of a check was not met. */
export function isAssertion(error: unknown): boolean {
  return error instanceof Error && error.name === 'AssertionError';
}
